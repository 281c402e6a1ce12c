// The same numbers as the picture, in its order.
#include "views/lens/lens_parts.h"

#include <cmath>
#include <optional>
#include <utility>

#include "core/ground/check.h"
#include "playground/print/trace_export.h"
#include "playground/text/format.h"
#include "playground/text/json_writer.h"
#include "views/model/model_picture.h"
#include "views/model/model_text.h"

namespace attn {
namespace {

std::string short_layer_name(int layer) {
    return layer == 0 ? std::string("embeddings") : concat("layer ", layer);
}

TextTable cells_table(const LensDrawing& drawing) {
    TextTable table = {.title = "Positions by layers: the most probable word and its probability",
                       .columns = {"position"},
                       .rows = {}};
    if (const std::optional<int> word = drawing.work.word())
        table.title += concat("; then the rank of “", drawing.word_of(*word), "” where it is not the first");
    for (int layer = 0; layer <= drawing.num_layers(); ++layer) table.columns.push_back(short_layer_name(layer));
    for (int position = drawing.work.first(); position < drawing.work.first() + drawing.work.count(); ++position) {
        std::vector<std::string> row = {concat(position, " ", drawing.word_at(position))};
        for (int layer = 0; layer <= drawing.num_layers(); ++layer)
            row.push_back(lens_cell_in_words(drawing, layer, position));
        table.rows.push_back(std::move(row));
    }
    return table;
}

TextTable curve_table(const LensDrawing& drawing, int word) {
    TextTable table = {.title = concat("“", drawing.word_of(word), "” by layer, ",
                                       lens_place(drawing.model(), drawing.word_at(drawing.row()))),
                       .columns = {"after", "probability", "rank", "most probable word"},
                       .rows = {}};
    for (int layer = 0; layer <= drawing.num_layers(); ++layer) {
        const LensCell* cell = drawing.work.cell(layer, drawing.row());
        std::vector<std::string> row = {short_layer_name(layer), "…", "…", "…"};
        if (cell != nullptr && !cell->is_number()) row = {short_layer_name(layer), "no number", "", ""};
        if (cell != nullptr && cell->is_number()) row[3] = lens_word_in_words(drawing, cell->words.front());
        if (cell != nullptr && cell->chosen && cell->asked == word) {
            row[1] = probability_in_words(static_cast<double>(cell->chosen->word.probability));
            row[2] = concat(cell->chosen->rank);
        }
        table.rows.push_back(std::move(row));
    }
    return table;
}

TextTable sum_table(const LensDrawing& drawing, const LensSum& sum) {
    TextTable table = {.title = concat("The logit of “", drawing.word_of(sum.token), "” ", lens_title_of_cell(drawing),
                                       ": the sum of the products ", sum.formula),
                       .columns = {"part", "number × weight", "adds"},
                       .rows = {}};
    for (const LensLine& line : sum.lines)
        table.rows.push_back({line.label,
                              line.channel ? concat(shown_number(line.x), " × ", shown_number(line.weight)) : "",
                              shown_thousandths(line.thousandths, true)});
    if (sum.rounding != 0) table.rows.push_back({"rounding", "", shown_thousandths(sum.rounding, true)});
    table.rows.push_back({"logit", "", shown_thousandths(sum.logit)});
    table.rows.push_back(
        {lens_softmax_in_words(*drawing.open_cell()), "",
         probability_in_words(static_cast<double>(drawing.open_cell()->softmax.probability(sum.shown)))});
    return table;
}

TextTable norm_table(const LensSum& sum) {
    TextTable table = {
        .title = concat("Where the number of channel ", sum.channel, " comes from"), .columns = {"step"}, .rows = {}};
    for (const std::string& line : sum.norm) table.rows.push_back({line});
    return table;
}

// Each word of a cell that is written: the most probable ones, then the one that is asked for, if it is none of them.
template <typename Visit>
void visit_words(const LensCell& cell, const Visit& visit) {
    for (std::size_t k = 0; k < cell.words.size(); ++k) visit(static_cast<int>(k) + 1, cell.words[k]);
    if (cell.chosen && std::cmp_greater(cell.chosen->rank, cell.words.size()))
        visit(cell.chosen->rank, cell.chosen->word);
}

int token_at(const LensDrawing& drawing, int position) {
    return drawing.work.run().input().ids[static_cast<std::size_t>(position)];
}

const LensCell& done_cell(const LensDrawing& drawing, int layer, int position) {
    const LensCell* cell = drawing.work.cell(layer, position);
    ATTN_CHECK(cell != nullptr, "the cell of layer ", layer, " at ", position, " is not computed");
    return *cell;
}

void write_word(JsonWriter& json, const LensDrawing& drawing, int rank, const LensWord& word) {
    json.begin_object();
    json.integer("rank", rank);
    json.integer("id", word.token);
    json.member("word", drawing.word_of(word.token));
    json.number("logit", word.logit);
    json.number("probability", word.probability);
    json.end_object();
}

void write_cell(JsonWriter& json, const LensDrawing& drawing, int layer, int position) {
    const LensCell& cell = done_cell(drawing, layer, position);
    json.begin_object();
    json.integer("layer", layer);
    json.integer("position", position);
    json.key("words");
    json.begin_array();
    for (std::size_t k = 0; k < cell.words.size(); ++k)
        write_word(json, drawing, static_cast<int>(k) + 1, cell.words[k]);
    json.end_array();
    json.key("chosen");
    cell.chosen ? write_word(json, drawing, cell.chosen->rank, cell.chosen->word) : json.null();
    json.number("row_max", cell.softmax.most);
    json.number("row_sum", cell.softmax.sum);
    json.end_object();
}

}  // namespace

std::string lens_word_in_words(const LensDrawing& drawing, const LensWord& word) {
    return concat("“", drawing.word_of(word.token), "” ", probability_in_words(static_cast<double>(word.probability)));
}

TextTable lens_words_table(const LensDrawing& drawing) {
    TextTable table = {.title = concat("The most probable words ", lens_title_of_cell(drawing)),
                       .columns = {"word", "probability"},
                       .rows = {}};
    for (const LensWord& word : drawing.open_cell()->words)
        table.rows.push_back(
            {drawing.word_of(word.token), probability_in_words(static_cast<double>(word.probability))});
    return table;
}

std::string lens_cell_in_words(const LensDrawing& drawing, int layer, int position) {
    const LensCell* cell = drawing.work.cell(layer, position);
    if (cell == nullptr) return "…";
    if (!cell->is_number()) return "no number";
    std::string words = lens_word_in_words(drawing, cell->words.front());
    if (cell->chosen && cell->asked == drawing.work.word() && cell->chosen->rank > 1)
        words += concat(", rank ", cell->chosen->rank);
    return words;
}

std::vector<TextTable> tables_of_cells(const LensDrawing& drawing) {
    std::vector<TextTable> tables;
    for (std::string& sentence : lens_in_words(drawing.model()))
        tables.push_back({.title = std::move(sentence), .columns = {}, .rows = {}});
    if (drawing.work.count() < static_cast<int>(drawing.words.size()))
        tables.push_back(
            {.title = concat("Positions ", drawing.work.first(), " to ",
                             drawing.work.first() + drawing.work.count() - 1, " of ", drawing.words.size(), "."),
             .columns = {},
             .rows = {}});
    tables.push_back(cells_table(drawing));
    if (const std::optional<int> word = drawing.work.word()) tables.push_back(curve_table(drawing, *word));
    const LensCell* cell = drawing.open_cell();
    if (cell != nullptr && cell->is_number()) tables.push_back(lens_words_table(drawing));
    if (!drawing.sum || cell == nullptr) return tables;
    tables.push_back(sum_table(drawing, *drawing.sum));
    tables.push_back(norm_table(*drawing.sum));
    return tables;
}

std::string lens_announcement(const LensDrawing& drawing) {
    const LensCell* cell = drawing.open_cell();
    std::string words = concat("Logit lens ", lens_title_of_cell(drawing), ": ",
                               cell == nullptr      ? std::string("being computed")
                               : !cell->is_number() ? std::string("no number")
                                                    : lens_word_in_words(drawing, cell->words.front()),
                               ".");
    const std::optional<int> word = drawing.work.word();
    if (word && cell != nullptr && cell->chosen && cell->asked == *word && cell->chosen->rank > 1)
        words += concat(" “", drawing.word_of(*word), "”: ", lens_rank_in_words(*cell->chosen), ".");
    return words;
}

std::string lens_csv(const LensDrawing& drawing) {
    std::string out = "layer,position,token,rank,id,word,logit,probability\n";
    for (int layer = 0; layer <= drawing.num_layers(); ++layer) {
        for (int position = drawing.work.first(); position < drawing.work.first() + drawing.work.count(); ++position) {
            const LensCell& cell = done_cell(drawing, layer, position);
            const std::string place =
                concat(layer, ",", position, ",", csv_field(drawing.word_of(token_at(drawing, position))), ",");
            if (!cell.is_number()) out += concat(place, ",,,NaN,NaN\n");
            visit_words(cell, [&](int rank, const LensWord& word) {
                out += concat(place, rank, ",", word.token, ",", csv_field(drawing.word_of(word.token)), ",",
                              exact_number(word.logit), ",", exact_number(word.probability), "\n");
            });
        }
    }
    return out;
}

std::string lens_json(const LensDrawing& drawing, const Notes& notes) {
    std::string text;
    JsonWriter json(text);
    json.begin_object();
    json.texts("notes", notes);
    json.member("model", kind_name(drawing.model().config.kind));
    json.key("word");
    const std::optional<int> word = drawing.work.word();
    word ? json.text(drawing.word_of(*word)) : json.null();
    json.texts("tokens", drawing.words);
    json.key("cells");
    json.begin_array();
    for (int layer = 0; layer <= drawing.num_layers(); ++layer)
        for (int position = drawing.work.first(); position < drawing.work.first() + drawing.work.count(); ++position)
            write_cell(json, drawing, layer, position);
    json.end_array();
    json.end_object();
    return text + "\n";
}

}  // namespace attn
