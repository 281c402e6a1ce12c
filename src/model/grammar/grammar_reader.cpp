// From a recipe's lines to slots.
#include <algorithm>
#include <charconv>
#include <functional>
#include <map>
#include <string>

#include "core/ground/check.h"
#include "core/words/code_points.h"
#include "model/grammar/grammar.h"

namespace attn {
namespace {

using ReadGrammar = Result<Grammar>;

std::string_view take_up_to(std::string_view& text, std::string_view ends) {
    const std::size_t end = std::min(text.find_first_of(ends), text.size());
    const std::string_view part = text.substr(0, end);
    text.remove_prefix(end);
    return part;
}

std::optional<int> small_number(std::string_view text) {
    int number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size() || number < 0 || number >= Grammar::kMaxKept)
        return std::nullopt;
    return number;
}

}  // namespace

// Remembers the first thing that is wrong in `problem`, and goes on.
class GrammarReader {
public:
    ReadGrammar read(JsonValue recipe, bool is_for_tests) {
        grammar_.words_ = {"<s>"};
        const std::optional<JsonValue> classes = recipe.find("classes"), kinds = recipe.find("kinds");
        if (!classes || !classes->is(JsonKind::object)) return ReadGrammar::failure("The recipe has no \"classes\".");
        if (!kinds || !kinds->is(JsonKind::list) || kinds->count() == 0)
            return ReadGrammar::failure("The recipe has no \"kinds\".");
        for (const JsonValue one : *classes) read_class(one);
        for (const JsonValue one : *kinds) read_kind(one);
        if (grammar_.words_.size() > Grammar::kMaxWords)
            fail(concat("The recipe has more than ", Grammar::kMaxWords, " words."));
        if (!is_for_tests && std::ranges::all_of(grammar_.templates_, &SentenceTemplate::is_held_out))
            fail("The recipe holds out all its templates, so none is trained.");
        if (is_for_tests && !std::ranges::all_of(grammar_.templates_, &SentenceTemplate::is_held_out))
            fail("The recipe has texts to train on: its templates are for tests alone, each with \"held_out\": true.");
        if (!problem_.empty()) return ReadGrammar::failure(problem_);
        share_out(false);
        share_out(true);
        return std::move(grammar_);
    }

private:
    int token_of(std::string_view word) {
        const auto [known, is_new] = tokens_.emplace(word, static_cast<int>(grammar_.words_.size()));
        if (is_new) grammar_.words_.emplace_back(word);
        return known->second;
    }

    void read_class(JsonValue list) {
        Grammar::WordClass one{.name = std::string(list.name()), .words = {}};
        std::string_view rest = list.text();
        while (!rest.empty()) {
            const std::string_view word = take_up_to(rest, " ");
            if (!word.empty()) one.words.push_back(token_of(word));
            if (!rest.empty()) rest.remove_prefix(1);
        }
        std::vector<int> sorted = one.words;
        std::ranges::sort(sorted);
        if (const auto twice = std::ranges::adjacent_find(sorted); twice != sorted.end()) {
            fail(concat("The recipe's class ", attn::quoted(one.name), " has the word ",
                        attn::quoted(grammar_.words_[static_cast<std::size_t>(*twice)]), " twice."));
        }
        if (one.words.empty()) fail(concat("The recipe's class ", attn::quoted(one.name), " has no words."));
        grammar_.classes_.push_back(std::move(one));
    }

    // 1 where the object has none; `text` says of what.
    double share_of(JsonValue object, std::string_view what, std::string_view text) {
        const std::optional<JsonValue> share = object.find("share");
        const double number = share ? share->number() : 1;
        if (number >= Grammar::kLeastShare && number <= 1 / Grammar::kLeastShare) return number;
        fail(concat("The ", what, " ", attn::quoted(text), " has a share that is not from ", Grammar::kLeastShare,
                    " to ", 1 / Grammar::kLeastShare, "."));
        return 1;
    }

    void read_kind(JsonValue kind) {
        const std::optional<JsonValue> name = kind.find("kind"), templates = kind.find("templates");
        if (!name || !templates || !templates->is(JsonKind::list) || templates->count() == 0)
            return fail("A kind of sentences in the recipe has no \"kind\" or no \"templates\".");
        const double share = share_of(kind, "kind", name->text());
        const std::size_t first = grammar_.templates_.size();
        double trained = 0, held_out = 0;
        for (const JsonValue one : *templates) {
            SentenceTemplate read;
            const std::optional<JsonValue> text = one.find("text"), apart = one.find("held_out");
            read.kind = name->text();
            read.text = text ? text->text() : "";
            read.is_held_out = apart && apart->boolean();
            read.share = share_of(one, "template", read.text);
            read_slots(read);
            (read.is_held_out ? held_out : trained) += read.share;
            grammar_.templates_.push_back(std::move(read));
        }
        for (std::size_t i = first; i < grammar_.templates_.size(); ++i) {
            SentenceTemplate& one = grammar_.templates_[i];
            one.share *= share / (one.is_held_out ? held_out : trained);
        }
    }

    void share_out(bool held_out) {
        double sum = 0;
        for (const SentenceTemplate& one : grammar_.templates_) sum += one.is_held_out == held_out ? one.share : 0;
        for (SentenceTemplate& one : grammar_.templates_) {
            if (one.is_held_out == held_out) one.share /= sum;
        }
    }

    std::optional<int> class_of(std::string_view name) {
        for (std::size_t i = 0; i < grammar_.classes_.size(); ++i) {
            if (grammar_.classes_[i].name == name) return static_cast<int>(i);
        }
        return std::nullopt;
    }

    void read_slots(SentenceTemplate& into) {
        std::string_view rest = into.text;
        while (!rest.empty() && into.slots.size() <= Grammar::kMaxSlots) {
            const std::string_view part = take_up_to(rest, " ");
            if (!rest.empty()) rest.remove_prefix(1);
            if (!part.empty() && !read_slot(part, into.slots))
                fail(concat("The recipe's template ", attn::quoted(into.text), " has the slot ", attn::quoted(part),
                            ", which names no class, a number that no word before it has, or leaves no word."));
        }
        if (into.slots.empty()) fail("The recipe has a template without words.");
        if (into.slots.size() > Grammar::kMaxSlots)
            fail(concat("The recipe's template ", attn::quoted(into.text), " has more than ", Grammar::kMaxSlots,
                        " words."));
    }

    static bool is_kept(const std::vector<GrammarSlot>& slots, int number) {
        return std::any_of(slots.begin(), slots.end(), [&](const GrammarSlot& one) {
            return one.kind == GrammarSlot::Kind::draw && one.number == number;
        });
    }

    bool read_slot(std::string_view part, std::vector<GrammarSlot>& slots) {
        if (part.starts_with('~')) return read_copies(part.substr(1), slots);
        GrammarSlot slot;
        if (part.starts_with('#')) {
            const std::optional<int> number = small_number(part.substr(1));
            if (!number || !is_kept(slots, *number)) return false;
            slot.kind = GrammarSlot::Kind::repeat;
            slot.number = *number;
        } else if (part.starts_with('$')) {
            part.remove_prefix(1);
            const std::optional<int> word_class = class_of(take_up_to(part, "#!"));
            if (!word_class) return false;
            slot.kind = GrammarSlot::Kind::draw;
            slot.word_class = *word_class;
            if (part.starts_with('#')) {
                part.remove_prefix(1);
                const std::optional<int> number = small_number(take_up_to(part, "!"));
                if (!number || is_kept(slots, *number)) return false;
                slot.number = *number;
            }
            while (!part.empty()) {
                part.remove_prefix(1);
                const std::optional<int> number = small_number(take_up_to(part, ","));
                if (!number || !is_kept(slots, *number)) return false;
                slot.unlike.push_back(*number);
            }
            if (grammar_.classes_[static_cast<std::size_t>(*word_class)].words.size() <= slot.unlike.size())
                return false;
        } else {
            slot.word = token_of(part);
        }
        slots.push_back(std::move(slot));
        return true;
    }

    // "letter:5:3": kept under the numbers 0 to 4.
    bool read_copies(std::string_view part, std::vector<GrammarSlot>& slots) {
        const std::optional<int> word_class = class_of(take_up_to(part, ":"));
        if (part.empty()) return false;
        part.remove_prefix(1);
        const std::optional<int> size = small_number(take_up_to(part, ":"));
        if (part.empty()) return false;
        const std::optional<int> copies = small_number(part.substr(1));
        if (!word_class || !size || !copies || is_kept(slots, 0)) return false;
        if (static_cast<std::size_t>(*size) > grammar_.classes_[static_cast<std::size_t>(*word_class)].words.size())
            return false;
        for (int copy = 0; copy < *copies; ++copy) {
            for (int i = 0; i < *size; ++i) {
                GrammarSlot slot{.word_class = *word_class, .number = i, .unlike = {}};
                slot.kind = copy == 0 ? GrammarSlot::Kind::draw : GrammarSlot::Kind::repeat;
                for (int k = 0; k < i && copy == 0; ++k) slot.unlike.push_back(k);
                slots.push_back(std::move(slot));
            }
        }
        return true;
    }

    void fail(std::string sentence) {
        if (problem_.empty()) problem_ = std::move(sentence);
    }

    Grammar grammar_;
    std::map<std::string, int, std::less<>> tokens_ = {{"<s>", Grammar::kBegin}};  // of words_
    std::string problem_;
};

Result<Grammar> Grammar::read(JsonValue recipe, bool is_for_tests) {
    return GrammarReader().read(recipe, is_for_tests);
}

}  // namespace attn
