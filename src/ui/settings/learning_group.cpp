// The settings of training: the goal, its targets, and the recipe.
#include "ui/settings/learning_group.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "core/ground/check.h"
#include "playground/link/hiding.h"
#include "playground/link/recipe_keys.h"
#include "playground/numbers/recipe.h"
#include "playground/state/state_edits.h"
#include "playground/text/format.h"
#include "ui/frame/layout.h"
#include "ui/kit/setting_rows.h"
#include "ui/kit/widgets.h"
#include "ui/learn/learn_actions.h"
#include "ui/learn/playing.h"
#include "ui/lines/target_tools.h"
#include "ui/settings/variant_rows.h"

namespace attn {
namespace {

// "1e-3", "2e-3", "5e-3", "1e-2", ...: the rates a press leads to.
double round_rate(int place) {
    constexpr std::array kDigits = {"1e", "2e", "5e"};
    const int tens = static_cast<int>(std::floor(place / 3.0));
    return *parse_number(concat(kDigits[static_cast<std::size_t>(place - 3 * tens)], tens));
}

// The round rates below and above.
Steps rate_steps(double rate) {
    constexpr int kFirst = -27, kLast = 27;  // kMinRate, kMaxRate
    Steps steps;
    for (int place = kFirst; place <= kLast; ++place) {
        const double value = round_rate(place);
        if (value < rate * (1 - 1e-9)) steps.less = exact_number(value);
        if (value > rate * (1 + 1e-9) && !steps.more) steps.more = exact_number(value);
    }
    return steps;
}

Steps step_steps(const Inputs& inputs) {
    Steps steps;
    if (inputs.steps > 0) steps.less = concat(inputs.steps - 1);
    if (inputs.steps < most_steps(inputs)) steps.more = concat(inputs.steps + 1);
    return steps;
}

// What `train` stands for when it is empty, whatever the goal.
std::set<TensorId> all_matrices(Inputs inputs) {
    inputs.goal = GoalKind::next;
    const std::vector<TensorId> tensors = trainable_tensors(inputs);
    std::set<TensorId> all(tensors.begin(), tensors.end());
    all.erase(TensorId::embeddings);
    return all;
}

void set_learns(Inputs& inputs, TensorId tensor, bool learns) {
    const std::set<TensorId> all = all_matrices(inputs);
    if (inputs.train.empty()) inputs.train = all;
    if (learns) {
        inputs.train.insert(tensor);
    } else {
        inputs.train.erase(tensor);
    }
    if (inputs.train == all) inputs.train.clear();
}

// One switch for each tensor that can learn. The last one that does stays on: without any, the key means all.
void put_learners(UiFrame& frame) {
    if (hides_control(frame.state.view, "train")) return;
    const Inputs& inputs = frame.state.inputs;
    const std::set<TensorId> train = inputs.train.empty() ? all_matrices(inputs) : inputs.train;
    const std::vector<TensorId> tensors = trainable_tensors(inputs);
    const auto count = std::ranges::count_if(tensors, [&](TensorId tensor) { return train.contains(tensor); });
    for (const TensorId tensor : tensors) {
        const bool learns = train.contains(tensor);
        SettingRow row(frame, "train", concat(editable_name(tensor), " learns"));
        row.place_control(toggle_width(frame));
        ImGui::BeginDisabled(learns && count == 1);
        if (toggle(frame, concat("train=", editable_name(tensor)), learns, concat(editable_name(tensor), " learns")))
            set_learns(frame.next.inputs, tensor, !learns);
        ImGui::EndDisabled();
    }
}

// The actions for which the bar under the picture has no room.
void put_actions(UiFrame& frame) {
    if (!shows_part(frame, "training")) return;
    {
        SettingRow row(frame, "steps", "steps a frame");
        row.place_control(speed_width(frame), true);
        put_speed(frame);
    }
    put_keep_button(frame);
    put_compare_button(frame);
}

// The painting tools, if the view has something to paint on.
void put_targets(UiFrame& frame) {
    const View& view = frame.state.view;
    const bool is_of_cells = view.view == ViewKind::matrix || view.view == ViewKind::numbers;
    const bool has_keys = stage_info(view.stage).columns == Axis::key_token;
    const bool can_paint = view.view == ViewKind::lines || (is_of_cells && has_keys);
    if (can_paint && !frame.evaluation.is_empty())
        put_target_tools(frame, is_of_cells, ImGui::GetContentRegionAvail().x);
}

// Not inlined: without a goal it comes with a later part of the page.
[[gnu::noinline]] void put_recipe(UiFrame& frame) {
    const Inputs& inputs = frame.state.inputs;
    choice_row(frame, "optimizer");
    number_row(frame, "rate", exact_number(inputs.rate), rate_steps(inputs.rate));
    if (inputs.goal == GoalKind::next) put_cap_row(frame, "logit_cap", inputs.logit_cap);
    number_row(frame, "steps", concat(inputs.steps), step_steps(inputs));
    put_learners(frame);
    if (frame.layout != LayoutKind::wide || frame.is_folded || saves_height(frame)) put_actions(frame);
}

}  // namespace

void put_learning_rows(UiFrame& frame) {
    const View& view = frame.state.view;
    const Inputs& inputs = frame.state.inputs;
    choice_row(frame, "goal");
    // Predicting the next word needs an output as wide as the words' vectors, so choosing it sets d_out too.
    const bool brings_width = inputs.d_out != inputs.d_in && !locks_control(view, "d_out");
    if (brings_width && frame.next.inputs.goal == GoalKind::next && inputs.goal != GoalKind::next)
        frame.next.inputs.d_out = inputs.d_in;
    if (brings_width && !hides_control(view, "goal") && inputs.goal != GoalKind::next) {
        put_remark(frame, concat("next takes d_out ", inputs.d_in));
    }
    if (inputs.goal != GoalKind::next) put_targets(frame);
    if (has_goal(inputs)) put_recipe(frame);
}

}  // namespace attn
