// Looks a cell up among the stages and single numbers that are left blank.
#include "playground/link/blanks.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/attention/attention.h"
#include "core/words/embeddings.h"
#include "playground/state/shapes.h"

namespace attn {
namespace {

// Two stages that have the same numbers, cell by cell or in another order.
struct Copy {
    TensorId one, other;
};

std::vector<Copy> copies_in(const Inputs& inputs) {
    std::vector<Copy> copies = {{scores_before_mask(layer_parts(inputs)), TensorId::masked_scores},
                                {TensorId::context, TensorId::merged}};
    if (inputs.init == Init::none) {
        for (const TensorId role : {TensorId::queries, TensorId::keys, TensorId::values})
            copies.push_back({TensorId::embeddings, role});
    }
    const AttentionSettings settings = {.num_heads = inputs.num_heads,
                                        .scale = inputs.scale,
                                        .temperature = static_cast<float>(inputs.temperature),
                                        .rotary = inputs.rotary()};
    if (score_divisor(settings, inputs.d_out / inputs.num_heads) == 1)
        copies.push_back({TensorId::scores, TensorId::scaled_scores});
    if (inputs.mask_at == MaskAt::after_raw) copies.push_back({TensorId::unmasked_weights, TensorId::weights});
    return copies;
}

constexpr float kBlank = std::numeric_limits<float>::quiet_NaN();

}  // namespace

std::set<TensorId> copies_of(const Inputs& inputs, const std::set<TensorId>& stages) {
    std::set<TensorId> all = stages;
    if (all.empty()) return all;
    const std::vector<Copy> copies = copies_in(inputs);
    for (std::size_t before = 0; before != all.size();) {
        before = all.size();
        for (const Copy& copy : copies) {
            if (all.contains(copy.one)) all.insert(copy.other);
            if (all.contains(copy.other)) all.insert(copy.one);
        }
    }
    return all;
}

Blanks::Blanks(const PlaygroundState& state) {
    if (state.view.check.empty() && state.view.hide.empty()) return;
    head_dim_ = state.inputs.d_out / state.inputs.num_heads;
    if (state.inputs.num_kv_heads != 0) readers_ = state.inputs.num_heads / state.inputs.num_kv_heads;
    stages_ = copies_of(state.inputs, state.view.check);
    for (const StageInfo& info : stage_table()) {
        if (hides_stage(state.view, info.id)) stages_.insert(info.id);
    }
    for (const HiddenValue& value : hidden_values(state.view)) {
        values_.push_back({.value = value, .copies = copies_of(state.inputs, {value.stage})});
    }
    // Where single numbers are left blank, a check asks for those and shows the others.
    std::erase_if(stages_, [&](TensorId stage) { return !hides_stage(state.view, stage) && has_values_of(stage); });
    if (empty()) return;
    std::string names;
    for (const TensorId stage : stages_) names += std::string(tensor_name(stage)) + ",";
    for (const std::string& name : state.view.hide) names += name + ",";
    name_ = fnv1a64(names);
}

bool Blanks::has(TensorId stage, int head, int row, int column) const {
    if (has_stage(stage)) return true;
    const auto fits = [](int pattern, int index) { return pattern < 0 || pattern == index; };
    return std::any_of(values_.begin(), values_.end(), [&](const Pattern& pattern) {
        if (!pattern.copies.contains(stage)) return false;
        // The same number in the stage that the pattern names: heads side by side, or one by one.
        const bool is_split = stage_info(stage).has_heads;
        const bool wants_split = stage_info(pattern.value.stage).has_heads;
        int pattern_head = head;
        int pattern_column = column;
        if (is_split && !wants_split) {
            pattern_column = head * head_dim_ + column;
            pattern_head = 0;
        } else if (!is_split && wants_split) {
            pattern_head = column / head_dim_;
            pattern_column = column % head_dim_;
        }
        const int readers = ::attn::has_kv_heads(pattern.value.stage) ? readers_ : 1;
        const int hidden_head = pattern.value.head < 0 ? pattern.value.head : pattern.value.head / readers;
        return fits(hidden_head, pattern_head / readers) && fits(pattern.value.row, row) &&
               fits(pattern.value.column, pattern_column);
    });
}

bool Blanks::has_values_of(TensorId stage) const {
    const auto is_in = [&](const Pattern& pattern) { return pattern.copies.contains(stage); };
    return std::any_of(values_.begin(), values_.end(), is_in);
}

bool Blanks::touches(TensorId stage) const {
    return has_stage(stage) || has_values_of(stage);
}

void Blanks::take_out(Matrix& shown, TensorId stage, int head) const {
    if (empty() || !touches(stage)) return;
    for (int i = 0; i < static_cast<int>(shown.shape(0)); ++i) {
        for (int c = 0; c < static_cast<int>(shown.shape(1)); ++c) {
            if (!std::isinf(shown(i, c)) && has(stage, head, i, c)) shown(i, c) = kBlank;
        }
    }
}

}  // namespace attn
