// What happens to a text before its words are tokens, and what is put around it: a row for each type that files name.
#include <algorithm>
#include <array>
#include <utility>

#include "core/ground/check.h"
#include "core/words/code_points.h"
#include "model/words/tokenizer_reader.h"

namespace attn {
namespace {

constexpr std::size_t kMostParts = 64;  // of a Sequence
constexpr std::string_view kBlankSign = "\u2581";

using Settings = const StepSettings&;

TextChange form(unicode::NormalForm wanted) {
    return {.run = [](Settings own, Text text) { return unicode::normalized(std::move(text), own.form); },
            .settings = {.form = wanted}};
}

WordCut cut_by(Pattern pattern, CutBehavior behavior, bool is_inverted = false) {
    return {.run = [](Settings own, Text text) { return cut(text, *own.pattern, own.behavior, own.is_inverted); },
            .settings = {.pattern = std::move(pattern), .behavior = behavior, .is_inverted = is_inverted}};
}

CharacterSet set_of(std::uint32_t code) {
    return {.ranges = {{code, code}}};
}

}  // namespace

std::optional<Pattern> TokenizerReader::read_pattern(JsonValue part, std::string_view what) {
    const std::optional<JsonValue> pattern = part.find("pattern");
    const std::optional<JsonValue> text = pattern ? pattern->find("String") : std::nullopt;
    const std::optional<JsonValue> expression = pattern ? pattern->find("Regex") : std::nullopt;
    if (text && !text->text().empty()) return Pattern::of_text(text->text());
    if (!expression) {
        fail(concat("tokenizer.json has a ", what, " without a \"pattern\"."));
        return std::nullopt;
    }
    Result<Pattern> read = Pattern::read(expression->text());
    if (!read) fail(read.error());
    if (!read) return std::nullopt;
    return std::move(*read);
}

// --- what a text becomes ---

std::optional<TextChange> TokenizerReader::read_change(JsonValue change) {
    const std::string type = type_of(change);
    if (type == "NFC") return form(unicode::NormalForm::nfc);
    if (type == "NFD") return form(unicode::NormalForm::nfd);
    if (type == "NFKC") return form(unicode::NormalForm::nfkc);
    if (type == "NFKD") return form(unicode::NormalForm::nfkd);
    if (type == "Lowercase")
        return TextChange{.run = [](Settings, Text text) { return unicode::changed(text, unicode::lower_case_of); }};
    if (type == "StripAccents")
        return TextChange{.run = [](Settings, Text text) { return without_marks(std::move(text)); }};
    if (type == "Strip") {
        want_members(change, "normalizer Strip", {"strip_left", "strip_right"});
        return TextChange{
            .run = [](Settings own, Text text) { return stripped(std::move(text), own.at_left, own.at_right); },
            .settings = {.at_left = flag_of(change, "strip_left", true),
                         .at_right = flag_of(change, "strip_right", true)}};
    }
    if (type == "Prepend") {
        const std::string content(text_member(change, "prepend"));
        note_blank_sign(content);
        return TextChange{.run = [](Settings own, Text text) { return prepended(std::move(text), own.content); },
                          .settings = {.content = content}};
    }
    if (type == "Replace") {
        std::optional<Pattern> pattern = read_pattern(change, "normalizer Replace");
        const std::string content(text_member(change, "content"));
        note_blank_sign(content);
        if (!pattern) return std::nullopt;
        return TextChange{.run = [](Settings own, Text text) { return replaced(text, *own.pattern, own.content); },
                          .settings = {.pattern = std::move(pattern), .content = content}};
    }
    if (type == "BertNormalizer") {
        want_members(change, "normalizer BertNormalizer",
                     {"clean_text", "handle_chinese_chars", "strip_accents", "lowercase"});
        WordCleaning cleaning = {.drops_controls = flag_of(change, "clean_text", true),
                                 .parts_chinese = flag_of(change, "handle_chinese_chars", true),
                                 .makes_lower_case = flag_of(change, "lowercase", true)};
        cleaning.drops_accents = flag_of(change, "strip_accents", cleaning.makes_lower_case);
        return change_of(cleaning);
    }
    if (type == "Precompiled") {
        const std::optional<std::string> bytes = from_base64(text_member(change, "precompiled_charsmap"));
        Result<CharacterTable> table = CharacterTable::read(bytes.value_or(""));
        if (!table) fail(table.error());
        if (!table) return std::nullopt;
        return TextChange{
            .run = [](Settings own,
                      Text text) { return own.table->changed(text, CharacterTable::Way::shortest_of_cluster); },
            .settings = {.table = std::move(*table)}};
    }
    refuse_type(
        "normalizer", type,
        "NFC, NFD, NFKC, NFKD, Lowercase, Strip, StripAccents, Replace, Prepend, BertNormalizer, Precompiled and "
        "a Sequence of them");
    return std::nullopt;
}

// One, or several one after the other.
void TokenizerReader::read_changes(JsonValue change, ModelTokenizer& tokenizer) {
    const std::string type = type_of(change);
    if (type.empty()) return;
    if (type != "Sequence") {
        if (std::optional<TextChange> read = read_change(change)) tokenizer.changes_.push_back(std::move(*read));
        return;
    }
    const std::optional<JsonValue> parts = change.find("normalizers");
    if (!parts || !parts->is(JsonKind::list) || parts->count() > kMostParts)
        return fail(concat("tokenizer.json has a Sequence without a list of at most ", kMostParts, " normalizers."));
    for (const JsonValue part : *parts) {
        if (type_of(part) == "Sequence") return refuse_type("normalizer in a Sequence", "Sequence", "others");
        read_changes(part, tokenizer);
    }
}

// --- how it is cut ---

CutBehavior TokenizerReader::read_behavior(JsonValue cut) {
    constexpr std::array<std::pair<std::string_view, CutBehavior>, 5> kBehaviors = {
        {{"Removed", CutBehavior::removed},
         {"Isolated", CutBehavior::isolated},
         {"MergedWithPrevious", CutBehavior::with_before},
         {"MergedWithNext", CutBehavior::with_next},
         {"Contiguous", CutBehavior::contiguous}}};
    const std::string_view name = text_member(cut, "behavior");
    for (const auto& [known, behavior] : kBehaviors)
        if (name == known) return behavior;
    fail(concat("tokenizer.json cuts words with the behavior ", attn::quoted(name),
                ", which this program does not know."));
    return CutBehavior::isolated;
}

TextChange TokenizerReader::change_of(const WordCleaning& cleaning) {
    return {.run = [](Settings own, Text text) { return cleaned(text, own.cleaning); },
            .settings = {.cleaning = cleaning}};
}

WordCut TokenizerReader::cut_of_gpt2(bool adds_blank, bool cuts) {
    return {.run =
                [](Settings own, Text text) {
                    if (own.adds_always && !text.empty() && text.front().code != ' ')
                        text = prepended(std::move(text), " ");
                    std::vector<Text> words =
                        own.cuts ? cut(text, gpt2_words(), CutBehavior::isolated) : std::vector<Text>{text};
                    for (Text& word : words) word = bytes_as_letters(word);
                    return words;
                },
            .settings = {.adds_always = adds_blank, .cuts = cuts}};
}

WordCut TokenizerReader::cut_of_bert() {
    return {.run = [](Settings, Text text) {
        std::vector<Text> words;
        for (const Text& word : cut(text, white_space(), CutBehavior::removed))
            for (Text& made : cut(word, punctuation(), CutBehavior::isolated)) words.push_back(std::move(made));
        return words;
    }};
}

std::optional<WordCut> TokenizerReader::read_byte_level(JsonValue part) {
    want_members(part, "pre_tokenizer ByteLevel", {"add_prefix_space", "trim_offsets", "use_regex"});
    is_of_bytes_ = true;
    return cut_of_gpt2(flag_of(part, "add_prefix_space", true), flag_of(part, "use_regex", true));
}

std::optional<WordCut> TokenizerReader::read_blank_signs(JsonValue part) {
    want_members(part, "pre_tokenizer Metaspace",
                 {"replacement", "str_rep", "add_prefix_space", "prepend_scheme", "split"});
    const std::string_view scheme = text_member(part, "prepend_scheme");
    const bool is_first = scheme == "first";
    const bool is_always = scheme.empty() ? flag_of(part, "add_prefix_space", true) : scheme == "always";
    if (!scheme.empty() && !is_first && !is_always && scheme != "never")
        fail(concat("tokenizer.json has a Metaspace with the \"prepend_scheme\" ", attn::quoted(scheme),
                    ", which this program does not know."));
    const std::string sign(part.find("replacement") ? text_member(part, "replacement") : kBlankSign);
    if (sign != kBlankSign) fail(concat("tokenizer.json writes blanks as ", attn::quoted(sign), ", not as \u2581."));
    const bool cuts = flag_of(part, "split", true);
    writes_blanks_ = true;
    return WordCut{.run =
                       [](Settings own, Text text) {
                           constexpr std::uint32_t kSign = 0x2581;
                           static const Pattern blank = Pattern::of_text(" "),
                                                blank_sign = Pattern::of_text(kBlankSign);
                           text = replaced(text, blank, kBlankSign);
                           const bool begins = !text.empty() && text.front().begin == 0;
                           const bool is_bare = !text.empty() && text.front().code != kSign;
                           if (is_bare && (own.adds_always || (own.adds_at_first && begins)))
                               text = prepended(std::move(text), kBlankSign);
                           return own.cuts ? cut(text, blank_sign, CutBehavior::with_next) : std::vector<Text>{text};
                       },
                   .settings = {.adds_always = is_always, .adds_at_first = is_first, .cuts = cuts}};
}

std::optional<WordCut> TokenizerReader::read_cut(JsonValue part) {
    const std::string type = type_of(part);
    if (type == "ByteLevel") return read_byte_level(part);
    if (type == "Metaspace") return read_blank_signs(part);
    if (type == "Split") {
        want_members(part, "pre_tokenizer Split", {"pattern", "behavior", "invert"});
        std::optional<Pattern> pattern = read_pattern(part, "pre_tokenizer Split");
        const CutBehavior behavior = read_behavior(part);
        if (!pattern) return std::nullopt;
        return cut_by(std::move(*pattern), behavior, flag_of(part, "invert", false));
    }
    if (type == "Digits") {
        want_members(part, "pre_tokenizer Digits", {"individual_digits"});
        const bool is_each = flag_of(part, "individual_digits", false);
        return cut_by(numbers(), is_each ? CutBehavior::isolated : CutBehavior::contiguous);
    }
    if (type == "Punctuation") {
        want_members(part, "pre_tokenizer Punctuation", {"behavior"});
        return cut_by(punctuation(), part.find("behavior") ? read_behavior(part) : CutBehavior::isolated);
    }
    if (type == "Whitespace") return cut_by(whole_words(), CutBehavior::removed, true);
    if (type == "WhitespaceSplit") return cut_by(white_space(), CutBehavior::removed);
    if (type == "CharDelimiterSplit") {
        const Text delimiter = unicode::characters_of(text_member(part, "delimiter"));
        if (delimiter.size() != 1) fail("tokenizer.json has a CharDelimiterSplit without one \"delimiter\".");
        return cut_by(Pattern::of_set(set_of(delimiter.empty() ? 0 : delimiter.front().code)), CutBehavior::removed);
    }
    if (type == "BertPreTokenizer") return cut_of_bert();
    refuse_type("pre_tokenizer", type,
                "ByteLevel, Metaspace, Split, Digits, Punctuation, Whitespace, WhitespaceSplit, CharDelimiterSplit, "
                "BertPreTokenizer and a Sequence of them");
    return std::nullopt;
}

void TokenizerReader::read_cuts(JsonValue part, ModelTokenizer& tokenizer) {
    const std::string type = type_of(part);
    if (type.empty()) return;
    if (type != "Sequence") {
        if (std::optional<WordCut> read = read_cut(part)) tokenizer.cuts_.push_back(std::move(*read));
        return;
    }
    const std::optional<JsonValue> parts = part.find("pretokenizers");
    if (!parts || !parts->is(JsonKind::list) || parts->count() > kMostParts)
        return fail(concat("tokenizer.json has a Sequence without a list of at most ", kMostParts, " pretokenizers."));
    for (const JsonValue one : *parts) {
        if (type_of(one) == "Sequence") return refuse_type("pre_tokenizer in a Sequence", "Sequence", "others");
        read_cuts(one, tokenizer);
    }
}

// --- what is put around it ---

void TokenizerReader::read_template(JsonValue frame, ModelTokenizer& tokenizer) {
    const std::optional<JsonValue> single = frame.find("single");
    bool is_behind = false;
    if (!single || !single->is(JsonKind::list))
        return fail("tokenizer.json has a TemplateProcessing without \"single\".");
    for (const JsonValue piece : *single) {
        if (piece.find("Sequence")) {
            is_behind = true;
            continue;
        }
        const std::optional<JsonValue> special = piece.find("SpecialToken");
        const std::string_view text = special ? text_member(*special, "id") : std::string_view();
        const std::optional<int> id = tokenizer.vocabulary_.find(text);
        if (!id) return fail(concat("tokenizer.json frames texts with ", attn::quoted(text), ", which is no token."));
        (is_behind ? tokenizer.behind_ : tokenizer.before_).push_back(*id);
    }
}

void TokenizerReader::read_frame(JsonValue frame, ModelTokenizer& tokenizer) {
    const std::string type = type_of(frame);
    if (type.empty() || type == "ByteLevel") return;
    if (type == "TemplateProcessing") return read_template(frame, tokenizer);
    if (type == "BertProcessing" || type == "RobertaProcessing") {
        for (const std::string_view name : {"cls", "sep"}) {
            const std::optional<JsonValue> pair = frame.find(name);
            const std::optional<int> id =
                pair && pair->count() == 2 ? tokenizer.vocabulary_.find((*pair->begin()).text()) : std::nullopt;
            if (!id) return fail(concat("tokenizer.json has a ", type, " without \"", name, "\" that is a token."));
            (name == "cls" ? tokenizer.before_ : tokenizer.behind_).push_back(*id);
        }
        return;
    }
    const std::optional<JsonValue> parts = frame.find("processors");
    if (type != "Sequence" || !parts)
        return refuse_type("post_processor", type,
                           "ByteLevel, TemplateProcessing, BertProcessing, RobertaProcessing and a Sequence of them");
    for (const JsonValue part : *parts) {
        if (type_of(part) == "Sequence") return refuse_type("post_processor in a Sequence", "Sequence", "others");
        read_frame(part, tokenizer);
    }
}

}  // namespace attn
