// The same numbers as the picture, in its order.
#include "views/model/model_text.h"

#include <algorithm>
#include <cmath>

#include "core/ground/check.h"
#include "playground/text/format.h"
#include "playground/text/notes.h"
#include "views/model/other_picture.h"

namespace attn {
namespace {

std::string probability_text(const std::vector<float>& probabilities, int id) {
    return probabilities.empty() ? "" : shown_number(static_cast<double>(probabilities[static_cast<std::size_t>(id)]));
}

TextTable next_table(const ModelDrawing& drawing) {
    const ModelPicture& picture = drawing.picture;
    const bool is_touched = !picture.untouched.empty();
    TextTable table = {
        .title = concat("The next word ", place_of_next(picture)), .columns = {"word", "probability"}, .rows = {}};
    if (is_touched) table.columns.emplace_back(picture.input.edits.empty() ? "with all heads" : "untouched");
    if (has_switched(picture)) table.columns.push_back(switch_in_words(picture));
    if (has_other(drawing)) table.columns.insert(table.columns.end(), {"in B", "A minus B"});
    for (const int id : shown_words_of_both(drawing)) {
        std::vector<std::string> row = {word_of_token(drawing.tokenizer, id),
                                        probability_text(picture.probabilities, id)};
        if (is_touched) row.push_back(probability_text(picture.untouched, id));
        if (has_switched(picture)) row.push_back(probability_text(picture.switched, id));
        if (has_other(drawing)) {
            const double here = static_cast<double>(picture.probabilities[static_cast<std::size_t>(id)]);
            const std::optional<double> there = probability_of_other(drawing, id);
            row.push_back(there ? shown_number(*there) : "no such word");
            row.push_back(there ? shown_difference(here - *there) : "");
        }
        table.rows.push_back(std::move(row));
    }
    return table;
}

TextTable votes_table(const ModelDrawing& drawing) {
    const std::string word = word_of_token(drawing.tokenizer, *drawing.word);
    TextTable table = {
        .title = concat("Who voted for “", word, "”: what each part adds to its logit"), .columns = {}, .rows = {}};
    if (!drawing.votes) {
        table.title += concat(". ", drawing.votes_problem);
        return table;
    }
    const bool has_b = drawing.other && drawing.other->votes;
    table.columns = {"part", "adds"};
    if (has_b) table.columns.insert(table.columns.end(), {"in B", "A minus B"});
    const auto add = [&](std::string part, std::optional<std::int64_t> a, std::optional<std::int64_t> b,
                         bool has_plus) {
        std::vector<std::string> row = {std::move(part), a ? shown_thousandths(*a, has_plus) : "none"};
        if (has_b) row.push_back(b ? shown_thousandths(*b, has_plus) : "none");
        if (has_b) row.push_back(a && b ? shown_thousandths(*a - *b, true) : "");
        table.rows.push_back(std::move(row));
    };
    for (const auto& [line, a, b] : votes_of_both(drawing))
        add(line.is_off ? concat(line.label, ", off") : line.label, a, b, true);
    add(concat("logit of “", word, "”"), drawing.votes->logit,
        has_b ? std::optional(drawing.other->votes->logit) : std::nullopt, false);
    std::vector<std::string> row = {softmax_in_words(drawing.picture),
                                    probability_text(drawing.picture.probabilities, *drawing.word)};
    if (has_b) {
        const std::optional<double> there = probability_of_other(drawing, *drawing.word);
        const double here = static_cast<double>(drawing.picture.probabilities[static_cast<std::size_t>(*drawing.word)]);
        row.push_back(there ? shown_number(*there) : "none");
        row.push_back(there ? shown_difference(here - *there) : "");
    }
    table.rows.push_back(std::move(row));
    return table;
}

TextTable heads_table(const ModelDrawing& drawing) {
    const ModelPicture& picture = drawing.picture;
    TextTable table = {.title = "Heads and what they do on this text",
                       .columns = {"layer", "head", "strongest score", "of uniform attention", "state"},
                       .rows = {}};
    const bool has_effects = drawing.shows_effects && picture.ablations && drawing.word;
    if (has_effects)
        table.columns.push_back(concat("“", word_of_token(drawing.tokenizer, *drawing.word), "” without it"));
    for (std::size_t l = 0; l < picture.layers.size(); ++l) {
        for (std::size_t h = 0; h < picture.layers[l].heads.size(); ++h) {
            const HeadPicture& head = picture.layers[l].heads[h];
            const bool has_score = !head.scores.empty();
            table.rows.push_back({concat(l + 1), concat(h + 1), role_in_words(head),
                                  has_score ? cell_number(head.scores[0].even) : "",
                                  picture.is_off(static_cast<int>(l), static_cast<int>(h)) ? "off" : "on"});
            if (has_effects)
                table.rows.back().push_back(probability_text(
                    picture.ablations->without(static_cast<int>(l), static_cast<int>(h)), *drawing.word));
        }
    }
    return table;
}

TextTable scores_table(const ModelDrawing& drawing) {
    const HeadPicture& head =
        drawing.picture.layers[static_cast<std::size_t>(drawing.layer)].heads[static_cast<std::size_t>(drawing.head)];
    TextTable table = {.title = concat("Scores of head ", drawing.head + 1, " of layer ", drawing.layer + 1),
                       .columns = {"role", "score", "of uniform attention"},
                       .rows = {}};
    for (const RoleScore& one : head.scores)
        table.rows.push_back(
            {concat(role_name(one.role), ": ", role_meaning(one.role)), shown_score(one.score), shown_score(one.even)});
    return table;
}

TextTable map_table(const ModelDrawing& drawing) {
    const ModelPicture& picture = drawing.picture;
    const LayerPicture& layer = picture.layers[static_cast<std::size_t>(drawing.layer)];
    const bool is_rollout = drawing.map == LayerMap::rollout && layer.rollout.size() > 0;
    const Matrix& cells = drawing.map == LayerMap::mean ? layer.mean
                          : is_rollout                  ? layer.rollout
                                                        : layer.heads[static_cast<std::size_t>(drawing.head)].weights;
    TextTable table = {.title = concat(map_title(drawing), ": weights"), .columns = {""}, .rows = {}};
    if (length(cells, 0) < picture.num_tokens()) {
        table.title += ". The text is too long to list them.";
        table.columns.clear();
        return table;
    }
    for (const std::string& word : picture.words) table.columns.push_back(word);
    for (int i = 0; i < length(cells, 0); ++i) {
        std::vector<std::string> row = {picture.words[static_cast<std::size_t>(i)]};
        for (int j = 0; j < length(cells, 1); ++j)
            row.push_back(std::isinf(cells(i, j)) ? "masked" : shown_number(static_cast<double>(cells(i, j))));
        table.rows.push_back(std::move(row));
    }
    return table;
}

TextTable stream_table(const ModelPicture& picture) {
    TextTable table = {.title = "The residual stream’s length by layer", .columns = {"token"}, .rows = {}};
    for (std::size_t l = 0; l < picture.lengths.size(); ++l)
        table.columns.push_back(l == 0 ? std::string("before layer 1") : concat("after layer ", l));
    for (int i = 0; i < std::min(picture.num_tokens(), kMirrorCells); ++i) {
        std::vector<std::string> row = {picture.words[static_cast<std::size_t>(i)]};
        for (const std::vector<double>& lengths : picture.lengths)
            row.push_back(shown_number(lengths[static_cast<std::size_t>(i)]));
        table.rows.push_back(std::move(row));
    }
    return table;
}

}  // namespace

std::string model_in_words(const ModelConfig& config, std::int64_t num_parameters) {
    return concat(kind_name(config.kind), ", ", counted(config.num_layers, "layer"), ", ",
                  counted(config.num_heads, "head"), " each, ", with_thousands(num_parameters), " numbers");
}

std::vector<TextTable> tables_of_picture(const ModelDrawing& drawing) {
    const ModelPicture& picture = drawing.picture;
    std::vector<TextTable> tables;
    tables.push_back({.title = model_in_words(picture.config, picture.num_parameters), .columns = {}, .rows = {}});
    if (drawing.other) tables.push_back({.title = drawing.other->words, .columns = {}, .rows = {}});
    if (picture.has_next()) tables.push_back(next_table(drawing));
    if (drawing.word) tables.push_back(votes_table(drawing));
    if (!drawing.word) tables.push_back({.title = drawing.votes_problem, .columns = {}, .rows = {}});
    tables.push_back(heads_table(drawing));
    if (drawing.map == LayerMap::head) tables.push_back(scores_table(drawing));
    tables.push_back(map_table(drawing));
    tables.push_back(stream_table(picture));
    return tables;
}

std::string probability_in_words(double p) {
    return p > 0 && p < 0.0001 ? "below 0.0001" : shown_number(p);
}

std::string picture_in_words(const ModelDrawing& drawing) {
    constexpr std::size_t kMostSaid = 3;
    const ModelPicture& picture = drawing.picture;
    std::string words;
    if (picture.has_next()) {
        words = concat("After “", picture.words[static_cast<std::size_t>(picture.row)], "”: ");
        std::string said;
        std::vector<int> ids = picture.most_probable(kMostSaid);
        for (const int id : ids)
            said +=
                concat(said.empty() ? "" : ", ", "“", word_of_token(drawing.tokenizer, id), "” ",
                       probability_in_words(static_cast<double>(picture.probabilities[static_cast<std::size_t>(id)])));
        words += concat(said, ". ");
        for (const int id : has_other(drawing) ? ids : std::vector<int>()) {
            const std::optional<double> there = probability_of_other(drawing, id);
            words += concat(id == ids.front() ? "In B: " : ", ", "“", word_of_token(drawing.tokenizer, id), "” ",
                            there ? probability_in_words(*there) : "not there", id == ids.back() ? ". " : "");
        }
    }
    words += map_title(drawing);
    if (drawing.map == LayerMap::head) {
        const HeadPicture& head =
            picture.layers[static_cast<std::size_t>(drawing.layer)].heads[static_cast<std::size_t>(drawing.head)];
        if (!head.scores.empty()) words += concat(": ", role_in_words(head));
    }
    words += ".";
    const std::size_t num_off = picture.input.off.size();
    if (num_off > 0)
        words +=
            concat(" ", counted(static_cast<std::int64_t>(num_off), "head"), num_off == 1 ? " is off." : " are off.");
    const std::size_t num_edits = picture.input.edits.size();
    if (num_edits > 0)
        words += concat(" ", counted(static_cast<std::int64_t>(num_edits), "number"),
                        num_edits == 1 ? " is changed by hand." : " are changed by hand.");
    return words;
}

}  // namespace attn
