// Painting by hand and by preset.
#include "playground/state/targets.h"

#include <algorithm>
#include <tuple>

#include "core/ground/check.h"
#include "playground/state/state_edits.h"

namespace attn {
namespace {

auto place_of(const TargetCell& target) {
    return std::tuple(target.sentence, target.head, target.query, target.key);
}

bool comes_before(const TargetCell& a, const TargetCell& b) {
    return place_of(a) < place_of(b);
}

bool is_same_cell(const TargetCell& a, const TargetCell& b) {
    return place_of(a) == place_of(b);
}

void begin_goal(Inputs& inputs) {
    if (inputs.goal != GoalKind::none) return;
    inputs.goal = GoalKind::pattern;
    inputs.steps = 0;
}

void end_goal(Inputs& inputs) {
    if (inputs.goal != GoalKind::pattern || !inputs.targets.empty()) return;
    inputs.goal = GoalKind::none;
    inputs.steps = 0;
}

std::optional<int> last_of(const std::vector<std::string>& tokens, std::string_view word) {
    const auto found = std::find(tokens.rbegin(), tokens.rend(), word);
    if (found == tokens.rend()) return std::nullopt;
    return static_cast<int>(tokens.rend() - found) - 1;
}

// The nearest token before `query` with the same text.
std::optional<int> same_before(const std::vector<std::string>& tokens, int query) {
    for (int key = query - 1; key >= 0; --key) {
        if (tokens[static_cast<std::size_t>(key)] == tokens[static_cast<std::size_t>(query)]) return key;
    }
    return std::nullopt;
}

// Which key each query of a head is asked for; `place` is the head's among those that are painted.
std::vector<TargetCell> cells_of(TargetPreset preset, const std::vector<std::string>& tokens, int place,
                                 bool is_alone) {
    std::vector<TargetCell> cells;
    const auto add = [&](int query, int key) {
        TargetCell& cell = cells.emplace_back();
        cell.query = query;
        cell.key = key;
    };
    if (preset == TargetPreset::readings) {
        const std::optional<int> brush = last_of(tokens, "brush");
        const std::optional<int> artist = last_of(tokens, "artist");
        const std::optional<int> woman = last_of(tokens, "woman");
        if (!brush || !artist || !woman) return {};
        if (place == 0) add(*brush, *artist);
        if (place == 1 || is_alone) add(*brush, *woman);
        if (is_alone) {
            for (TargetCell& cell : cells) cell.share = 0.5;
        }
        return cells;
    }
    for (int query = 0; query < static_cast<int>(tokens.size()); ++query) {
        if (preset == TargetPreset::first) add(query, 0);
        if (preset == TargetPreset::itself) add(query, query);
        if (preset == TargetPreset::before && query > 0) add(query, query - 1);
        if (preset != TargetPreset::same) continue;
        if (const std::optional<int> key = same_before(tokens, query)) add(query, *key);
    }
    return cells;
}

}  // namespace

bool hides_key(const Inputs& inputs, int sentence, int query, int key) {
    const Edit* edit = find_edit(inputs, TensorId::mask, sentence, query, key);
    if (edit != nullptr) return edit->value != 0;
    return (inputs.mask == Mask::causal && key > query) || inputs.window().hides(query, key);
}

bool hides_by_window_or_hand(const Inputs& inputs) {
    return inputs.mask_window != 0 || std::ranges::any_of(inputs.edits, [&](const Edit& edit) {
               return edit.layer == inputs.layer && edit.tensor == TensorId::mask && edit.value != 0;
           });
}

const TargetCell* find_target(const std::vector<TargetCell>& targets, const TargetCell& cell) {
    const auto place = std::lower_bound(targets.begin(), targets.end(), cell, comes_before);
    return place != targets.end() && is_same_cell(*place, cell) ? &*place : nullptr;
}

double share_of_row(const std::vector<TargetCell>& targets, const TargetCell& cell) {
    const TargetCell* target = find_target(targets, cell);
    if (target == nullptr) return 0;
    TargetCell first = cell;
    first.key = 0;
    double sum = 0;
    for (auto t = std::lower_bound(targets.begin(), targets.end(), first, comes_before);
         t != targets.end() && t->sentence == cell.sentence && t->head == cell.head && t->query == cell.query; ++t)
        sum += t->share;
    return target->share / sum;
}

Painted paint_target(Inputs& inputs, const TargetCell& cell) {
    if (hides_key(inputs, cell.sentence, cell.query, cell.key)) return Painted::hidden;
    std::vector<TargetCell>& targets = inputs.targets;
    const auto place = std::lower_bound(targets.begin(), targets.end(), cell, comes_before);
    if (place != targets.end() && is_same_cell(*place, cell)) {
        *place = cell;
    } else if (targets.size() >= kMaxTargets) {
        return Painted::full;
    } else {
        targets.insert(place, cell);
    }
    begin_goal(inputs);
    return Painted::yes;
}

bool erase_target(Inputs& inputs, const TargetCell& cell) {
    const auto num_erased =
        std::erase_if(inputs.targets, [&](const TargetCell& target) { return is_same_cell(target, cell); });
    if (num_erased > 0) end_goal(inputs);
    return num_erased > 0;
}

void erase_targets(Inputs& inputs, int sentence, int first, int end) {
    std::erase_if(inputs.targets, [&](const TargetCell& target) {
        return target.sentence == sentence && target.head >= first && target.head < end;
    });
    end_goal(inputs);
}

std::string_view preset_title(TargetPreset preset) {
    switch (preset) {
        case TargetPreset::before:
            return "token before";
        case TargetPreset::first:
            return "first";
        case TargetPreset::itself:
            return "itself";
        case TargetPreset::same:
            return "same word earlier";
        case TargetPreset::readings:
            return "two readings";
    }
    return "";
}

std::string_view preset_meaning(TargetPreset preset) {
    switch (preset) {
        case TargetPreset::before:
            return "each token should look at the one before it";
        case TargetPreset::first:
            return "each token should look at the first one";
        case TargetPreset::itself:
            return "each token should look at itself";
        case TargetPreset::same:
            return "each word that stood in the sentence before should look at its nearest earlier place";
        case TargetPreset::readings:
            return "brush should look at artist in one head and at woman in the other; a single head is asked for "
                   "both, half and half";
    }
    return "";
}

std::vector<TargetCell> preset_targets(const Inputs& inputs, TargetPreset preset, int sentence,
                                       const std::vector<std::string>& tokens, int first, int end) {
    std::vector<TargetCell> targets;
    for (int head = first; head < end && targets.size() < kMaxTargets; ++head) {
        for (TargetCell cell : cells_of(preset, tokens, head - first, end - first == 1)) {
            cell.sentence = sentence;
            cell.head = head;
            if (!hides_key(inputs, sentence, cell.query, cell.key)) targets.push_back(cell);
        }
    }
    std::ranges::sort(targets, comes_before);
    targets.resize(std::min(targets.size(), kMaxTargets));
    return targets;
}

std::string why_no_targets(TargetPreset preset) {
    std::string_view why = "the mask hides all of these cells";
    if (preset == TargetPreset::before) why = "no token has another before it here that it can see";
    if (preset == TargetPreset::same) why = "no word occurs twice in this sentence";
    if (preset == TargetPreset::readings)
        why = "it takes a sentence with artist, woman and brush, where brush can see both";
    return concat("target: nothing is painted, ", why);
}

void put_preset(Inputs& inputs, const std::vector<TargetCell>& targets, int first, int end) {
    ATTN_CHECK(!targets.empty(), "a preset of no targets");
    const int sentence = targets.front().sentence;
    std::erase_if(inputs.targets, [&](const TargetCell& target) {
        return target.sentence == sentence && target.head >= first && target.head < end;
    });
    const std::size_t room = kMaxTargets - std::min(inputs.targets.size(), kMaxTargets);
    inputs.targets.insert(inputs.targets.end(), targets.begin(),
                          targets.begin() + static_cast<std::ptrdiff_t>(std::min(room, targets.size())));
    std::ranges::sort(inputs.targets, comes_before);
    begin_goal(inputs);
}

}  // namespace attn
