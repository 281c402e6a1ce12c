// One way to name heads and words for the screen, the figure, the text version and the ear.
#include "views/door/door_text.h"

#include <algorithm>
#include <cmath>

#include "core/ground/check.h"
#include "playground/text/format.h"
#include "playground/text/notes.h"
#include "scene/kit/figure_text.h"
#include "views/model/model_text.h"

namespace attn {
namespace {

std::string in_quotes(std::string_view word) {
    return concat("“", isolated(std::string(word)), "”");
}

// "Head 4 of layer 2", "Heads 3 and 5 of layer 2", "Head 1"
std::string name_of_heads(const DoorDrawing& drawing) {
    const bool are_two = drawing.heads.size() > 1;
    std::string name = concat(are_two ? "Heads " : "Head ", drawing.heads[0] + 1);
    if (are_two) name += concat(" and ", drawing.heads[1] + 1);
    return drawing.model ? concat(name, " of layer ", drawing.layer + 1) : name;
}

std::string word_at(const DoorDrawing& drawing, int token) {
    return in_quotes(drawing.tokens[static_cast<std::size_t>(token)]);
}

std::string chosen_word(const DoorDrawing& drawing) {
    return in_quotes(word_of_token(drawing.model->tokenizer, *drawing.model->word));
}

double at_chosen(const DoorDrawing& drawing, const std::vector<float>& probabilities) {
    return static_cast<double>(probabilities[static_cast<std::size_t>(*drawing.model->word)]);
}

// Two decimals, or what is left of a smaller number.
std::string shown_probability(double p) {
    return shown_number(p, p > 0 && p < 0.005 ? 4 : 2);
}

std::string what_was_lost(const DoorDrawing& drawing) {
    const ModelPicture& picture = drawing.model->picture;
    const std::vector<float>& whole = picture.ablations ? picture.ablations->whole : picture.untouched;
    const std::size_t num_off = picture.input.off.size();
    const std::string without = num_off > drawing.heads.size() ? concat("With ", num_off, " heads off, ")
                                : drawing.heads.size() > 1     ? "Without them, "
                                                               : "Without it, ";
    if (whole.empty()) return concat(without, "these words come next.");
    const double before = at_chosen(drawing, whole), now = at_chosen(drawing, picture.probabilities);
    const bool is_fine = shown_probability(before) == shown_probability(now);  // two decimals would show no change
    const auto shown = [&](double p) { return is_fine ? shown_number(p) : shown_probability(p); };
    const std::string from_to = concat(" from ", shown(before), " to ", shown(now));
    std::string words = concat(without, chosen_word(drawing), now < before ? " falls" : " rises", from_to);
    const int first = picture.most_probable(1)[0];
    if (first != *drawing.model->word)
        words += concat(", and ", in_quotes(word_of_token(drawing.model->tokenizer, first)), " leads with ",
                        shown_probability(static_cast<double>(picture.probabilities[static_cast<std::size_t>(first)])));
    return words + ".";
}

TextTable arcs_table(const DoorDrawing& drawing) {
    TextTable table = {.title = concat("Where ", name_of_heads(drawing), " looks back from ",
                                       word_at(drawing, drawing.row), ": the largest weights"),
                       .columns = {"token", "head", "weight"},
                       .rows = {}};
    for (const DoorArc& arc : drawing.arcs)
        table.rows.push_back(
            {drawing.tokens[static_cast<std::size_t>(arc.key)], concat(arc.head + 1), shown_number(arc.weight)});
    return table;
}

TextTable next_words_table(const DoorDrawing& drawing) {
    const ModelPicture& picture = drawing.model->picture;
    const bool has_off = picture.ablations && !picture.input.off.empty();
    TextTable table = {
        .title = concat("The next word ", place_of_next(picture)), .columns = {"word", "probability"}, .rows = {}};
    if (has_off) table.columns.push_back("with all heads on");
    for (const int id : shown_next_words(picture, drawing.model->word)) {
        const auto at = static_cast<std::size_t>(id);
        std::vector<std::string> row = {word_of_token(drawing.model->tokenizer, id),
                                        probability_in_words(static_cast<double>(picture.probabilities[at]))};
        if (has_off) row.push_back(probability_in_words(static_cast<double>(picture.ablations->whole[at])));
        table.rows.push_back(std::move(row));
    }
    return table;
}

TextTable ablation_table(const DoorDrawing& drawing) {
    const Ablations& ablations = *drawing.model->picture.ablations;
    TextTable table = {.title = concat("Each head of layer ", drawing.layer + 1, ": the probability of ",
                                       chosen_word(drawing), " without it"),
                       .columns = {"head", "probability", "state"},
                       .rows = {}};
    table.rows.push_back({"all heads on", probability_in_words(at_chosen(drawing, ablations.whole)), ""});
    for (int head = 0; head < ablations.num_heads; ++head)
        table.rows.push_back({concat(head + 1),
                              probability_in_words(at_chosen(drawing, ablations.without(drawing.layer, head))),
                              drawing.is_off[static_cast<std::size_t>(head)] ? "off" : "on"});
    return table;
}

}  // namespace

std::vector<DoorReading> door_readings() {
    std::vector<DoorReading> readings;
    for (const OwnModel* model : {&kOwnWords, &kFirstWords})
        readings.push_back({.model = *model,
                            .name = concat("read=", model->name),
                            .label = concat("Read it with ", model->name, size_to_fetch(*model)),
                            .help = model == &kOwnWords ? "It reads any words; it learned from old books."
                                                        : "It leaves out the words that it does not know."});
    return readings;
}

std::string door_subtitle(const DoorDrawing& drawing, std::string_view model) {
    if (drawing.reader == DoorReader::none) return std::string(kOpeningModel);
    if (drawing.reader == DoorReader::random) return std::string(kDoorRandom);
    std::string words = find_own_model(model) ? "A small trained model reads your sentence."
                                              : concat("The model ", quoted(model), " reads your sentence.");
    if (drawing.arcs.empty()) return words;
    words += concat(" ", name_of_heads(drawing), drawing.heads.size() > 1 ? " look back from " : " looks back from ",
                    word_at(drawing, drawing.row), " to ",
                    drawing.arcs[0].key == drawing.row ? "itself" : word_at(drawing, drawing.arcs[0].key), ".");
    return words;
}

std::string_view switch_label(const DoorDrawing& drawing) {
    const bool are_two = drawing.heads.size() > 1;
    if (drawing.are_off()) return are_two ? "Switch both heads on again" : "Switch it on again";
    return are_two ? "Switch both heads off" : "Switch this head off";
}

std::string door_effect(const DoorDrawing& drawing) {
    if (!drawing.model || !drawing.model->word) return "";
    if (drawing.are_off()) return what_was_lost(drawing);
    if (drawing.shows_deciding() && !drawing.deciding->decides())
        return concat("No one head decides this. ", name_of_heads(drawing),
                      drawing.heads.size() > 1 ? " matter" : " matters", " most. What comes next without ",
                      drawing.heads.size() > 1 ? "them?" : "it?");
    if (drawing.shows_deciding() && drawing.heads.size() > 1)
        return concat("No one head decides this, but ", drawing.heads[0] + 1, " and ", drawing.heads[1] + 1,
                      " together do. What comes next without them?");
    if (drawing.arcs.empty()) return concat(name_of_heads(drawing), " looks at all words alike. Try without it.");
    return concat(name_of_heads(drawing), " gives ", word_at(drawing, drawing.arcs[0].key), " a weight of ",
                  shown_number(drawing.arcs[0].weight, 2), ". What comes next without it?");
}

std::vector<TextTable> tables_of_drawing(const DoorDrawing& drawing) {
    std::vector<TextTable> tables;
    if (drawing.reader == DoorReader::none || drawing.heads.empty()) return tables;
    tables.push_back(arcs_table(drawing));
    if (!drawing.model || !drawing.model->word) return tables;
    tables.push_back(next_words_table(drawing));
    if (drawing.model->picture.ablations) tables.push_back(ablation_table(drawing));
    return tables;
}

std::string drawing_in_words(const DoorDrawing& drawing, std::string_view model) {
    std::string words = door_subtitle(drawing, model);
    if (!drawing.model || !drawing.model->word) return words;
    const ModelPicture& picture = drawing.model->picture;
    const int first = picture.most_probable(1)[0];
    words +=
        concat(" The next word: ", in_quotes(word_of_token(drawing.model->tokenizer, first)), ", ",
               probability_in_words(static_cast<double>(picture.probabilities[static_cast<std::size_t>(first)])), ".");
    if (drawing.are_off()) words += concat(" ", what_was_lost(drawing));
    return words;
}

}  // namespace attn
