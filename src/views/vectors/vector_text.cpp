// The vectors view as tables of text.
#include <algorithm>
#include <cmath>

#include "core/ground/check.h"
#include "playground/link/hiding.h"
#include "playground/text/format.h"
#include "views/vectors/vector_plane.h"

namespace attn {
namespace {

const std::string& token_text_of(const Evaluation& evaluation, int token) {
    return evaluation.tokens.tokens[static_cast<std::size_t>(token)].text;
}

std::string angle_text(double number, int digits) {
    return std::isnan(number) ? "none" : shown_number(number, digits);
}

// `has_values`: also the products, which the arrows do not show.
TextTable key_table_of(const Evaluation& evaluation, const VectorPlane& plane, const HeadPlanes& planes,
                       bool has_values) {
    TextTable table;
    const VectorChoice& choice = plane.choice;
    table.title =
        concat("Head ", choice.head + 1, ", query ", choice.query, " “", token_text_of(evaluation, choice.query),
               "”, |q| = ", shown_number(plane.query_length), "; drawn: ", plane_words(planes.keys));
    if (plane.num_left_out() > 0) {
        table.title +=
            concat("; ", plane.drawn.size(), " of ", plane.measures.size(), " keys, those with the largest weights");
    }
    table.columns = {"key", axis_name(planes.keys, false)};
    const bool has_y = plane.score_dim > 1;
    if (has_y) table.columns.push_back(axis_name(planes.keys, true));
    for (const char* column : {"|k|", "angle in degrees", "cos"}) table.columns.emplace_back(column);
    for (const char* column : {"q·k", "weight"})
        if (has_values) table.columns.emplace_back(column);
    for (std::size_t place = 0; place < plane.drawn.size(); ++place) {
        const int key = plane.drawn[place];
        const KeyMeasure& measured = plane.measures[static_cast<std::size_t>(key)];
        std::vector<std::string> row = {token_text_of(evaluation, key), shown_number(plane.keys[place].x)};
        if (has_y) row.push_back(shown_number(plane.keys[place].y));
        row.push_back(shown_number(measured.length));
        row.push_back(angle_text(measured.degrees, 1));
        row.push_back(angle_text(measured.cosine, 4));
        if (has_values) row.push_back(shown_number(measured.dot));
        if (has_values)
            row.push_back(measured.is_hidden ? "masked" : shown_number(static_cast<double>(measured.weight)));
        table.rows.push_back(std::move(row));
    }
    return table;
}

TextTable chain_table(const Evaluation& evaluation, const VectorPlane& plane, const HeadPlanes& planes) {
    TextTable table;
    const bool has_y = plane.head_dim > 1;
    const auto push_point = [&](std::vector<std::string>& row, double x, double y) {
        row.push_back(shown_number(x));
        if (has_y) row.push_back(shown_number(y));
    };
    table.title = concat("The context of “", token_text_of(evaluation, plane.choice.query),
                         "” as a chain of weighted values; drawn: ", plane_words(planes.values));
    table.columns = {"value of", "weight"};
    for (const char* part : {"step", "end"}) {
        table.columns.push_back(concat(part, " ", axis_name(planes.values, false)));
        if (has_y) table.columns.push_back(concat(part, " ", axis_name(planes.values, true)));
    }
    for (const ChainLink& link : plane.chain) {
        const bool is_many = link.num_keys > 1;
        std::vector<std::string> row = {
            is_many ? concat("the ", link.num_keys, " other keys") : token_text_of(evaluation, link.key),
            shown_number(link.weight)};
        push_point(row, link.to.x - link.from.x, link.to.y - link.from.y);
        push_point(row, link.to.x, link.to.y);
        table.rows.push_back(std::move(row));
    }
    std::vector<std::string> last = {"context", ""};
    push_point(last, plane.context.x, plane.context.y);
    push_point(last, plane.context.x, plane.context.y);
    table.rows.push_back(std::move(last));
    return table;
}

}  // namespace

std::vector<TextTable> tables_of_vectors(const PlaygroundState& state, const Evaluator& evaluator) {
    const View& view = state.view;
    const Evaluation& evaluation = evaluator.shown();
    const VectorChoice choice = vector_choice(evaluation, view);
    const HeadPlanes planes = head_planes(evaluation, choice.head, view.plane);
    const VectorPlane plane = make_vector_plane(evaluation, choice, planes);
    if (hides_part(view, "values")) return {key_table_of(evaluation, plane, planes, false)};
    return {key_table_of(evaluation, plane, planes, true), chain_table(evaluation, plane, planes)};
}

}  // namespace attn
