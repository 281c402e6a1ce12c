// Sums of an explanation, term by term, with numbers that lead to where they come from.
#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "core/ground/check.h"
#include "playground/link/blanks.h"
#include "playground/numbers/explanation_lines.h"
#include "playground/state/shapes.h"
#include "playground/text/adding_digits.h"
#include "playground/text/format.h"
#include "ui/frame/pins.h"
#include "ui/inspector/inspector.h"
#include "ui/kit/list.h"
#include "ui/kit/touch.h"
#include "ui/kit/widgets.h"
#include "views/stage/place_words.h"

namespace attn {
namespace {

// "w_query[3, 1]", "b_out[2]", "position[4, 0]", or the words for a cell of a stage.
std::string source_title(const Evaluation& evaluation, const CellRef& cell) {
    if (is_stage(cell.tensor)) return cell_title(evaluation, cell);
    return concat(tensor_name(cell.tensor), "[", cell.row, ", ", cell.column, "]");
}

// "h.1.mlp.c_fc.weight[3, 17]" of a model's file, or the step "variance".
std::string named_title(const NamedNumber& named) {
    std::string title = named.name;
    for (std::size_t k = 0; k < named.place.size(); ++k) title += concat(k == 0 ? "[" : ", ", named.place[k]);
    return named.place.empty() ? concat("the step “", title, "”") : title + "]";
}

// The same for the ear: "masked, head 2, woman → portrait".
std::string spoken_source(const Evaluation& evaluation, const CellRef& cell) {
    if (is_learned(cell.tensor)) return source_title(evaluation, cell);
    if (!is_stage(cell.tensor)) {  // "token vectors, row 1, column 0"
        std::string name(tensor_name(cell.tensor));
        std::ranges::replace(name, '_', ' ');
        return concat(name, ", row ", cell.row, ", column ", cell.column);
    }
    const bool has_heads = stage_info(cell.tensor).has_heads;
    return concat(stage_title(cell.tensor), has_heads ? concat(", head ", cell.head + 1) : "", ", ",
                  place_text(evaluation, cell.tensor, cell.row, cell.column, ", "));
}

// Whether the terms of a sum differ in the row of their first factor: one for each token on the way back to keys,
// values and matrices. Else they differ in its column.
bool goes_by_rows(const Term& term) {
    const TensorId other = term.b.source.tensor;
    if (!term.b.has_source) return is_gradient(term.a.source.tensor);
    if (other == term.a.source.tensor) return false;  // a square
    return is_stage(other) && (other == TensorId::queries || is_gradient(other));
}

// What a term is; a channel in full or, where there is no room, as its number alone.
std::string term_label(const Evaluation& evaluation, const Term& term, bool is_short) {
    if (term.a.has_source && term.a.source.tensor == TensorId::sink_logits) return "sink";
    if (term.label.empty() && term.a.named) return term.a.named->name;
    const bool is_named =
        !term.label.empty() && term.label != "exp" && term.label != "tanh" && term.label != "over rms";
    if (is_named || !term.a.has_source || !is_stage(term.a.source.tensor)) return term.label;
    const CellRef& source = term.a.source;
    if (goes_by_rows(term)) return row_text(evaluation, source.tensor, source.row);
    const std::string column = column_text(evaluation, source.tensor, source.column);
    return stage_info(source.tensor).columns == Axis::channel && !is_short ? concat("channel ", column) : column;
}

}  // namespace

bool is_blank(const Shown& shown, const Factor& factor) {
    const CellRef& source = factor.source;
    return factor.has_source && is_stage(source.tensor) &&
           Blanks(shown.state).has(source.tensor, source.head, source.row, source.column);
}

float factor_height(const Look& look) {
    return look.is_touch ? 40.0F : mono(look).size;
}

void put_arithmetic(const Look& look, std::string_view text) {
    put_text(mono(look), text, factor_height(look));
}

void put_factor(UiFrame& frame, const Factor& factor, const std::string& name, int digits) {
    const TextStyle style = mono(frame);
    const std::string number = is_blank(frame, factor) ? std::string("?") : shown_number(factor.value, digits);
    if (!factor.has_source && !factor.named) return put_arithmetic(frame, number);

    const CellRef& source = factor.source;
    const bool leads_on =
        factor.has_source &&
        ((is_stage(source.tensor) && is_present(frame.state.inputs, source.tensor)) || is_learned(source.tensor));
    const ItemState state = item(frame, concat("factor ", name), {text_size(style, number).x, factor_height(frame)});
    draw_text_in(state.min, state.max, {0, 0.5F}, style, number);
    const ImU32 color = leads_on ? frame.palette.link : frame.palette.soft_ink;
    const float base = state.center().y + style.size / 2 - 2;
    ImGui::GetWindowDrawList()->AddLine({state.min.x, base}, {state.max.x, base},
                                        state.is_hovered ? color : mix(frame.palette.panel, color, 0.6F),
                                        state.is_hovered ? 2.0F : 1.0F);
    const std::string title = factor.named ? named_title(*factor.named) : source_title(frame.evaluation, source);
    if (state.is_focused)
        call_item(frame, state,
                  concat(number == "?" ? "blank" : number, ", ",
                         factor.named ? title : spoken_source(frame.evaluation, source)));
    put_tooltip(frame, title, {}, {});
    if (!state.is_pressed || !leads_on) return;
    if (is_stage(source.tensor)) {
        walk_to(frame, source);
    } else {
        open_parameter(frame, source);
    }
}

namespace {

// One term: its label, its factors, its product, each in a column of its own.
void put_term(UiFrame& frame, const std::string& name, const Term& term, int digits, float width) {
    const TextStyle style = mono(frame);
    const float height = list_line_height(frame);
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    const float y = corner.y + (height - style.size) / 2;  // of the text
    const float item_y = corner.y + (height - factor_height(frame)) / 2;
    const bool has_blank = is_blank(frame, term.a) || is_blank(frame, term.b);
    const std::string product = has_blank ? std::string("?") : shown_number(term.product(), digits);
    const float product_width = text_size(style, product).x;
    const std::string sign = is_one(term.b) ? "" : " × ";
    const float factors =
        is_one(term.b) ? text_size(style, product).x
                       : text_size(style, concat(shown_number(term.a.value), sign, shown_number(term.b.value))).x;
    // Factors end where the widest product begins, so that the columns line up.
    const float product_column =
        std::max(product_width, text_size(style, shown_number(-1, digits)).x) + text_size(style, " = ").x;
    const float factors_begin = corner.x + width - factors - (is_one(term.b) ? 0 : product_column);

    const float label_room = std::max(factors_begin - corner.x - 8, 12.0F);
    const TextStyle label = small(frame);
    std::string text = term_label(frame.evaluation, term, false);
    if (text_size(label, text).x > label_room)
        text = shortened(label, term_label(frame.evaluation, term, true), label_room);
    draw_text({corner.x, corner.y + (height - label.size) / 2}, label, text);
    ImGui::SetCursorScreenPos({factors_begin, item_y});
    put_factor(frame, term.a, concat(name, "a"), is_one(term.b) ? digits : 4);
    if (!is_one(term.b)) {
        ImGui::SameLine(0, 0);
        put_arithmetic(frame, sign);
        ImGui::SameLine(0, 0);
        put_factor(frame, term.b, concat(name, "b"));
        draw_text({corner.x + width - product_column, y}, style, " = ");
        draw_text({corner.x + width - product_width, y}, style, product);
    }
    ImGui::SetCursorScreenPos(corner);
    ImGui::Dummy({width, height});
}

}  // namespace

void put_terms(UiFrame& frame, const std::string& name, const std::vector<Term>& terms, double sum, int most_lines,
               bool sum_is_blank) {
    const int count = static_cast<int>(terms.size());
    const bool scrolls = count > most_lines;
    const float width = ImGui::GetContentRegionAvail().x - (scrolls ? ImGui::GetStyle().ScrollbarSize + 2 : 0);
    const int digits = adding_digits(terms, sum);
    begin_list(frame, name.c_str(), count, most_lines);
    ImGuiListClipper clipper;
    clipper.Begin(count, list_line_height(frame));
    while (clipper.Step()) {
        for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
            put_term(frame, concat(name, " ", i), terms[static_cast<std::size_t>(i)], digits, width);
        }
    }
    end_list(frame);

    const ImVec2 corner = ImGui::GetCursorScreenPos();
    const TextStyle style = mono(frame);
    ImGui::GetWindowDrawList()->AddLine(corner, {corner.x + width, corner.y}, frame.palette.line);
    ImGui::Dummy({width, style.size + 6});
    draw_text_in({corner.x, corner.y + 4}, {corner.x + width, corner.y + 4 + style.size}, {0, 0.5F}, small(frame),
                 "sum");
    draw_text_in({corner.x, corner.y + 4}, {corner.x + width, corner.y + 4 + style.size}, {1, 0.5F}, style,
                 sum_is_blank ? std::string("?") : shown_number(sum));
}

}  // namespace attn
