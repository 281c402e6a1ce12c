// The inspector: where the pinned number comes from, in full. Without a pin, the number under the pointer; without
// that, what the shown stage is.
#include "ui/inspector/inspector.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "core/ground/check.h"
#include "core/operations/layer_rows.h"
#include "core/operations/stage_words.h"
#include "playground/check/check_me.h"
#include "playground/link/blanks.h"
#include "playground/link/hiding.h"
#include "playground/numbers/explanation_lines.h"
#include "playground/numbers/heads_together.h"
#include "playground/state/shapes.h"
#include "playground/text/format.h"
#include "scene/kit/figure_text.h"
#include "ui/check/check.h"
#include "ui/frame/layout.h"
#include "ui/frame/pins.h"
#include "ui/inspector/welcome.h"
#include "ui/kit/list.h"
#include "ui/kit/widgets.h"
#include "views/stage/place_words.h"

namespace attn {
namespace {

// The stages that the shown one flows into, the last one first, down to itself: "output › merged › context › weights".
std::vector<TensorId> chain_of(const Inputs& inputs, TensorId shown) {
    std::vector<TensorId> chain;
    const std::vector<TensorId> stages = present_stages(inputs);
    bool is_before_context = false;
    for (auto stage = stages.rbegin(); stage != stages.rend(); ++stage) {
        if (*stage == shown) {
            chain.push_back(shown);
            break;
        }
        // Queries go into the scores over the normed and the rotated queries, keys over those of the keys.
        const bool is_side_way =
            is_query_or_key_stage(*stage) && !(is_query_or_key_stage(shown) && has_source(*stage, shown));
        // Values flow straight into the context, queries and keys into the scores.
        const bool skips = shown == TensorId::values && is_before_context;
        // Nothing reads the sink; a gate stands beside the sums.
        const bool is_beside =
            *stage == TensorId::values || *stage == TensorId::sink_weights || *stage == TensorId::mlp_gate;
        if (!is_side_way && !skips && !is_beside) chain.push_back(*stage);
        is_before_context = is_before_context || *stage == TensorId::context;
    }
    return chain;
}

// Continues on this line after `distance`, or on a new line if the next piece would not fit.
void flow_to(float next_width, float distance = 0) {
    ImGui::SameLine(0, distance);
    if (ImGui::GetContentRegionAvail().x < next_width) ImGui::NewLine();
}

void put_breadcrumb(UiFrame& frame) {
    constexpr float kWidestTitle = 60;
    const TensorId shown = frame.state.view.stage;
    TextStyle style = small(frame);
    TextStyle here = style;
    here.font = frame.fonts.sans_bold;
    here.color = frame.palette.ink;
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 2));
    for (const TensorId stage : chain_of(frame.state.inputs, shown)) {
        if (hides_stage(frame.state.view, stage)) continue;
        const std::string title = stage_title(stage);
        if (stage == shown) {
            put_text(here, title, text_link_height(frame, style));
            break;
        }
        if (text_link(frame, concat("chain=", stage_info(stage).name), style, title)) {
            choose_stage(frame.next.view, stage);
        }
        ImGui::SameLine(0, 0);
        put_text(style, " › ", text_link_height(frame, style));
        flow_to(kWidestTitle);
    }
    ImGui::PopStyleVar();
    ImGui::Dummy({1, 4});
}

// "HEAD 2 · woman → portrait"
std::string title_of(const Evaluation& evaluation, TensorId stage, const Cell& cell) {
    const StageInfo& info = stage_info(stage);
    const std::string head = info.has_heads ? concat("HEAD ", cell.head + 1, " · ") : "";
    return concat(head, place_text(evaluation, stage, cell.row, cell.column));
}

// "= exp(0.2889 − 0.2889) / 6.0686", then the quotient.
void put_softmax_arithmetic(UiFrame& frame, const Explanation& explanation) {
    const Factor score = {.value = explanation.score, .has_source = true, .source = explanation.terms.front().a.source};
    put_arithmetic(frame, "= exp(");
    ImGui::SameLine(0, 0);
    put_factor(frame, score, "score");
    ImGui::SameLine(0, 0);
    put_arithmetic(frame, concat(" − ", after_minus(explanation.row_max), ")"));
    const std::string rest = concat("/ ", shown_number(explanation.divisor));
    flow_to(text_size(mono(frame), rest).x, text_size(mono(frame), " ").x);
    put_arithmetic(frame, rest);
    if (frame.layout == LayoutKind::phone) return;  // it stands beside the number
    put_arithmetic(frame, concat("= ", shown_number(explanation.sum()), " / ", shown_number(explanation.divisor)));
}

// "= 0.4086 / 1.4142": a number made of one product.
void put_short_arithmetic(UiFrame& frame, const Explanation& explanation) {
    const Term& term = explanation.terms.front();
    put_arithmetic(frame, "= ");
    ImGui::SameLine(0, 0);
    put_factor(frame, term.a, "only");
    if (term.b.has_source || term.b.value != 1) {
        ImGui::SameLine(0, 0);
        put_arithmetic(frame, " × ");
        ImGui::SameLine(0, 0);
        put_factor(frame, term.b, "only other");
    }
    if (explanation.divisor != 1) {
        ImGui::SameLine(0, 0);
        put_arithmetic(frame, concat(" / ", shown_number(explanation.divisor)));
    }
}

// Beside the number while the sheet shows nothing else: "= 1.0000 / 6.0686".
void put_beside_number(const Look& look, const Explanation& explanation) {
    const std::size_t count = explanation.terms.size(), num_steps = explanation.steps.size();
    std::string text;
    if (num_steps > 0) {
        text = num_steps > 1 ? concat("in ", num_steps, " steps")
                             : concat("= the sum of ",
                                      counted(static_cast<std::int64_t>(explanation.steps[0].terms.size()), "term"));
    } else if (explanation.divisor != 1) {
        text = concat("= ", shown_number(explanation.sum()), " / ", shown_number(explanation.divisor));
    } else if (count > 1) {
        text = concat("= the sum of ", count, " terms");
    }
    ImGui::SameLine(0, 12);
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    put_text(mono(look), {}, kNumberSize);
    // On the number's baseline.
    draw_text({corner.x, corner.y + (kNumberSize - kMonoSize) * 0.79F}, mono(look), text);
}

// Not inlined: it comes with a later part of the page.
[[gnu::noinline]] void put_explanation(UiFrame& frame, const Cell& cell) {
    const Evaluation& evaluation = frame.evaluation;
    const TensorId stage = frame.state.view.stage;  // a click on the way down may choose another one
    const Explanation& explanation = explain_shown(frame, stage, cell);
    const bool is_phone = frame.layout == LayoutKind::phone;
    const bool is_secret = is_cell_blank(frame, stage, cell) && !explanation.is_hidden;
    const bool tells = tells_of_blank(evaluation, Blanks(frame.state), explanation);

    if (!is_phone) put_breadcrumb(frame);
    put_trail(frame);
    put_wrapped_text({frame.fonts.sans_bold, kHeadingSize, frame.palette.soft_ink}, title_of(evaluation, stage, cell));
    put_text({frame.fonts.sans_bold, kNumberSize, frame.palette.ink},
             is_secret ? std::string("?") : shown_number(explanation.shown));
    if (is_phone && !explanation.is_hidden && !tells) put_beside_number(frame, explanation);
    if (!is_secret) put_change(frame, stage, cell);
    const std::vector<std::string> lines = explanation_lines(evaluation, explanation);
    put_wrapped_text(body(frame), lines.front());
    if (!explanation.is_hidden && !tells && explanation.steps.empty()) {
        if (explanation.terms.front().label == "tanh") put_arithmetic(frame, lines[1]);
        if (explanation.is_softmax) {
            put_softmax_arithmetic(frame, explanation);
        } else if (explanation.terms.size() == 1) {
            put_short_arithmetic(frame, explanation);
        }
    }
    if (is_phone) {
        ImGui::Dummy({1, 4});
        put_breadcrumb(frame);
    }
    if (tells) put_blank_arithmetic(frame, is_secret);
    const bool can_edit = can_type_over(frame.state.inputs, stage) && !locks_control(frame.state.view, "edit");
    if (can_edit && !is_secret) put_edit_field(frame, explanation.cell, explanation.shown);
    put_target_field(frame, cell);

    const bool is_weight_like = stage_info(stage).columns == Axis::key_token && !stage_info(stage).is_signed;
    if (is_weight_like) put_row_bars(frame, stage, cell);
    if (!explanation.is_hidden && !tells) put_sections(frame, cell, explanation);
    put_code(frame);
}

// With this many tokens, full lists help nobody and sums take long to write out.
bool is_long(const Shown& shown) {
    return shown.evaluation.num_tokens() > kManyTokens;
}

// Nothing is pinned or pointed at: what the stage is, and what to do.
void put_stage(UiFrame& frame) {
    const StageWords words =
        stage_words(frame.state.view.stage, layer_parts(frame.state.inputs), frame.state.inputs.goal);
    if (frame.layout != LayoutKind::phone) {
        put_breadcrumb(frame);
        put_wrapped_text(mono(frame), words.formula);
        put_wrapped_text(small(frame), words.meaning);
        ImGui::Dummy({1, 6});
    }
    if (frame.is_folded && shows_welcome(frame)) {
        put_wrapped_text(body(frame), welcome_words(frame));
        put_ways_on(frame);
        return;
    }
    if (frame.evaluation.is_empty()) return;  // there is nothing to click
    const char* what =
        frame.state.view.view == ViewKind::lines ? "token to see the weights of its row" : "cell to see its arithmetic";
    put_wrapped_text(body(frame), concat(frame.is_touch ? "Tap a " : "Click a ", what, "."));
    if (!frame.memory.may_load) return;
    if (!frame.is_folded && !is_long(frame)) put_example(frame);
    if (frame.layout != LayoutKind::phone) put_code(frame);  // a phone's sheet has one line here
}

}  // namespace

void draw_inspector(UiFrame& frame) {
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(6, 4));
    // Not at once: their code arrives after the first picture.
    const bool helps_to_find = is_long(frame) && frame.memory.may_load;
    if (helps_to_find) put_token_search(frame);
    const std::optional<Cell> cell = explained_cell(frame);
    if (tells_of_blank(frame.state, frame.state.view.stage)) {
        put_blank_remark(frame);
    } else if (cell) {
        const bool is_of_all = shows_combined(frame.evaluation, frame.state.view);
        is_of_all ? put_combined(frame, *cell) : put_explanation(frame, *cell);
    } else if (!frame.state.view.select.empty()) {
        put_selection(frame);
    } else {
        put_stage(frame);
    }
    // Even with nothing pinned: it leads to cells worth pinning.
    if (helps_to_find && has_row_stats(frame.state.view.stage) && !shows_combined(frame.evaluation, frame.state.view) &&
        !is_blank(frame.state, frame.state.view.stage))
        put_strongest(frame);
    put_parameter_popup(frame);
    ImGui::PopStyleVar();
}

}  // namespace attn
