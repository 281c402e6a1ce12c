// The same numbers as the picture, in its order.
#include <cmath>
#include <utility>

#include "core/ground/check.h"
#include "playground/print/trace_export.h"
#include "playground/text/format.h"
#include "playground/text/json_writer.h"
#include "views/model/model_picture.h"
#include "views/model/model_text.h"
#include "views/model/vote_column.h"
#include "views/patch/patch_picture.h"

namespace attn {
namespace {

constexpr double kMostPrintedChoice = 1e12;

// visit(patch, choice) for each effect that there can be, streams first; choice null while it is not there.
template <typename Visit>
void visit_effects(const PatchDrawing& drawing, const Visit& visit) {
    const PatchEffects& work = drawing.work;
    for (int layer = 0; layer < drawing.num_layers(); ++layer)
        for (int k = work.first(); k < std::min(work.first() + work.count(), work.num_in_both()); ++k)
            visit(stream_patch(layer, k), work.of_stream(layer, k));
    for (int layer = 0; layer < drawing.num_layers(); ++layer)
        for (int head = 0; head < drawing.model().config.num_heads; ++head)
            visit(head_patch(layer, head), work.of_head(layer, head));
}

TextTable choices_table(const PatchDrawing& drawing) {
    TextTable table = {.title = concat("The choice: ", choice_in_words(drawing)),
                       .columns = {"text", "difference", "logits", "most probable next word"},
                       .rows = {}};
    const auto add = [&](std::string name, const PatchedChoice& choice, const LensCell& next) {
        const LensWord& most = next.words.front();
        table.rows.push_back({std::move(name), shown_thousandths(thousandths_of(choice)),
                              concat(shown_number(static_cast<double>(choice.word)), " − ",
                                     after_minus(static_cast<double>(choice.against))),
                              concat("“", drawing.word_of(most.token), "” ",
                                     probability_in_words(static_cast<double>(most.probability)))});
    };
    add("this text", drawing.work.both()->here, drawing.work.both()->next_here);
    const auto patched = drawing.patched_choice();
    if (patched && drawing.patched->cell().is_number()) add("patched", *patched, drawing.patched->cell());
    add("B’s text", drawing.work.both()->there, drawing.work.both()->next_there);
    return table;
}

TextTable effects_table(const PatchDrawing& drawing, std::string title, std::string_view rows, int count,
                        const auto& name_of, const auto& choice_of) {
    TextTable table = {.title = std::move(title), .columns = {std::string(rows)}, .rows = {}};
    for (int layer = 0; layer < drawing.num_layers(); ++layer) table.columns.push_back(concat("layer ", layer + 1));
    for (int k = 0; k < count; ++k) {
        std::vector<std::string> row = {name_of(k)};
        for (int layer = 0; layer < drawing.num_layers(); ++layer)
            row.push_back(effect_in_words(drawing, choice_of(layer, k)));
        table.rows.push_back(std::move(row));
    }
    return table;
}

// The effect that moves the choice most; nothing while there is none.
std::optional<std::pair<Patch, PatchedChoice>> strongest_effect(const PatchDrawing& drawing, PatchOf of) {
    std::optional<std::pair<Patch, PatchedChoice>> most;
    const float here = drawing.work.both()->here.difference();
    visit_effects(drawing, [&](const Patch& patch, const PatchedChoice* choice) {
        if (patch.of != of || choice == nullptr || !std::isfinite(choice->difference())) return;
        if (!most || std::abs(choice->difference() - here) > std::abs(most->second.difference() - here))
            most.emplace(patch, *choice);
    });
    return most;
}

std::string_view part_name(PatchOf of) {
    return of == PatchOf::stream ? "stream" : "head";
}

}  // namespace

std::string PatchDrawing::word_of(int token) const {
    return word_of_token(tokenizer, token);
}

std::int64_t thousandths_of(const PatchedChoice& choice) {
    const auto difference = static_cast<double>(choice.difference());
    return std::abs(difference) < kMostPrintedChoice ? std::llround(difference * 1000) : 0;
}

std::string effect_in_words(const PatchDrawing& drawing, const PatchedChoice* choice) {
    if (choice == nullptr) return drawing.work.is_done() ? "" : "…";
    if (!(std::abs(choice->difference()) < kMostPrintedChoice)) return "NaN";
    return shown_thousandths(thousandths_of(*choice) - thousandths_of(drawing.work.both()->here), true);
}

std::string patch_in_words(const PatchDrawing& drawing, const Patch& patch) {
    const std::string layer = concat("layer ", patch.layer + 1);
    const std::string part = patch.of == PatchOf::stream ? concat("the stream before ", layer)
                             : patch.of == PatchOf::mlp  ? concat("what the MLP of ", layer, " adds")
                             : patch.of == PatchOf::head
                                 ? concat("head ", patch.head + 1, " of ", layer)
                                 : concat("where head ", patch.head + 1, " of ", layer, " looks");
    if (patch.row == kEveryToken) return concat(part, " at every token");
    const auto row = static_cast<std::size_t>(patch.row);
    return concat(part, " at “", row < drawing.words.size() ? drawing.words[row] : std::string(), "”");
}

std::string choice_in_words(const PatchDrawing& drawing) {
    const auto words = drawing.work.words();
    if (!words) return "";
    return concat("logit of “", isolated(drawing.word_of(words->first)), "” − logit of “",
                  isolated(drawing.word_of(words->second)), "”");
}

std::vector<std::string> patching_in_words(const PatchDrawing& drawing) {
    const PatchEffects& work = drawing.work;
    std::vector<std::string> words = {
        "Each cell puts a row of numbers from B’s run in the place of this text’s, computes everything after it again, "
        "and prints how far that moves the choice between two words; 0 is no effect. A row that moves it to B’s choice "
        "carries what tells the two texts apart.",
        "A patch shows what a part carries in these two texts, not what it is there for: in other texts other parts "
        "may."};
    const auto here = drawing.words.size(), there = drawing.other_words.size();
    if (here != there)
        words.push_back(concat("This text has ", counted(static_cast<std::int64_t>(here), "token"), " and B’s ", there,
                               ": position by position, only the first ", work.num_in_both(), " can be patched."));
    if (std::cmp_less(work.count(), here))
        words.push_back(concat("Of its ", here, " tokens the ", work.count(), " around “",
                               isolated(drawing.words[static_cast<std::size_t>(work.row())]),
                               "”, whose next word is asked for, have a column."));
    if (work.row_of_other() != work.row())
        words.push_back(concat("The next word is asked for after “",
                               isolated(drawing.words[static_cast<std::size_t>(work.row())]),
                               "” here, and in B’s text after its last token."));
    return words;
}

std::vector<TextTable> tables_of_patches(const PatchDrawing& drawing) {
    std::vector<TextTable> tables;
    const auto say = [&](std::string sentence) {
        tables.push_back({.title = std::move(sentence), .columns = {}, .rows = {}});
    };
    for (std::string& sentence : patching_in_words(drawing)) say(std::move(sentence));
    const PatchEffects& work = drawing.work;
    if (work.has_no_choice()) say("There is no choice to show: a logit is no number, or the two words are one.");
    if (!work.words()) return tables;
    for (const Patch& patch : drawing.patches) say(concat("Patched: ", patch_in_words(drawing, patch), "."));
    tables.push_back(choices_table(drawing));
    tables.push_back(effects_table(
        drawing, "Positions by layers: what patching the stream before the layer there adds to the choice", "position",
        std::max(0, std::min(work.count(), work.num_in_both() - work.first())),
        [&](int k) {
            return concat(work.first() + k + 1, " ", drawing.words[static_cast<std::size_t>(work.first() + k)]);
        },
        [&](int layer, int k) { return work.of_stream(layer, work.first() + k); }));
    tables.push_back(effects_table(
        drawing, "Heads by layers: what patching the head at every token adds to the choice", "head",
        drawing.model().config.num_heads, [](int head) { return concat("head ", head + 1); },
        [&](int layer, int head) { return work.of_head(layer, head); }));
    return tables;
}

std::string patch_announcement(const PatchDrawing& drawing) {
    const PatchEffects& work = drawing.work;
    if (!work.both()) return "Patching: both texts are being computed.";
    if (work.has_no_choice()) return "Patching: there is no choice between two words.";
    std::string words =
        concat("Patching: ", choice_in_words(drawing), " is ", shown_thousandths(thousandths_of(work.both()->here)),
               ", in B’s text ", shown_thousandths(thousandths_of(work.both()->there)), ".");
    if (const auto patched = drawing.patched_choice())
        words += concat(" Patched, it is ", shown_thousandths(thousandths_of(*patched)), ".");
    if (!work.is_done()) return words;
    for (const PatchOf of : {PatchOf::stream, PatchOf::head})
        if (const auto most = strongest_effect(drawing, of))
            words += concat(of == PatchOf::stream ? " Of the streams, " : " Of the heads, ",
                            patch_in_words(drawing, most->first),
                            " moves it most: ", effect_in_words(drawing, &most->second), ".");
    return words;
}

std::string patch_csv(const PatchDrawing& drawing) {
    std::string out = "part,layer,head,position,token,word,against,difference,effect,share\n";
    const auto& both = *drawing.work.both();
    const auto add = [&](const std::string& place, const PatchedChoice& choice) {
        const float difference = choice.difference();
        const std::optional<double> share = drawing.work.share(choice);
        out += concat(place, ",", exact_number(choice.word), ",", exact_number(choice.against), ",",
                      exact_number(difference), ",", exact_number(difference - both.here.difference()), ",",
                      share ? exact_number(*share) : std::string(), "\n");
    };
    if (!drawing.work.words()) return out;
    add("here,,,,", both.here);
    add("there,,,,", both.there);
    visit_effects(drawing, [&](const Patch& patch, const PatchedChoice* choice) {
        const bool is_stream = patch.of == PatchOf::stream;
        add(concat(part_name(patch.of), ",", patch.layer + 1, ",",
                   is_stream
                       ? concat(",", patch.row + 1, ",", csv_field(drawing.words[static_cast<std::size_t>(patch.row)]))
                       : concat(patch.head + 1, ",,")),
            *choice);
    });
    return out;
}

std::string patch_json(const PatchDrawing& drawing, const Notes& notes) {
    std::string text;
    JsonWriter json(text);
    const auto& both = *drawing.work.both();
    const auto choice_members = [&](const PatchedChoice& choice) {
        json.number("word", choice.word);
        json.number("against", choice.against);
        json.number("difference", choice.difference());
        json.number("effect", choice.difference() - both.here.difference());
        json.key("share");
        const std::optional<double> share = drawing.work.share(choice);
        share ? json.number(*share) : json.null();
    };
    json.begin_object();
    json.texts("notes", notes);
    json.member("model", kind_name(drawing.model().config.kind));
    json.integer("row", drawing.work.row());
    json.texts("tokens", drawing.words);
    json.texts("other_tokens", drawing.other_words);
    const auto words = drawing.work.words();
    json.key("word");
    words ? json.text(drawing.word_of(words->first)) : json.null();
    json.key("against");
    words ? json.text(drawing.word_of(words->second)) : json.null();
    for (const auto& [key, choice] : {std::pair("here", both.here), std::pair("there", both.there)}) {
        json.key(key);
        json.begin_object();
        choice_members(choice);
        json.end_object();
    }
    json.key("effects");
    json.begin_array();
    if (words) {
        visit_effects(drawing, [&](const Patch& patch, const PatchedChoice* choice) {
            json.begin_object();
            json.member("part", part_name(patch.of));
            json.integer("layer", patch.layer + 1);
            if (patch.of == PatchOf::head) json.integer("head", patch.head + 1);
            if (patch.of == PatchOf::stream) json.integer("position", patch.row + 1);
            choice_members(*choice);
            json.end_object();
        });
    }
    json.end_array();
    json.end_object();
    return text + "\n";
}

}  // namespace attn
