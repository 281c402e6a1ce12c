// The curve, the strip and the next words without a picture.
#include "views/learn/learn_text.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "core/ground/check.h"
#include "playground/link/recipe_keys.h"
#include "playground/numbers/stage_labels.h"
#include "playground/text/format.h"
#include "views/learn/loss_curve.h"

namespace attn {
namespace {

TextTable table_of_losses(const LossCurve& curve, const FilmStrip& strip, const Evaluation& evaluation) {
    TextTable table{"Loss", {"step", "loss"}, {}};
    for (const StripFrame& frame : strip.frames)
        table.rows.push_back(
            {concat(frame.step, frame.step == curve.step ? " (shown)" : ""), shown_number(frame.loss)});
    if (curve.bound > 0) table.rows.push_back({"bound", bound_in_numbers(evaluation)});
    return table;
}

// The rows of a map that are read out.
std::set<int> rows_in_text(const FilmStrip& strip, std::size_t k, int num_tokens) {
    constexpr int kFew = 16;  // tokens, of which all rows are read
    std::set<int> rows;
    for (const Place& cell : strip.painted[k]) rows.insert(cell.row);
    for (int i = 0; num_tokens <= kFew && i < num_tokens; ++i) rows.insert(i);
    return rows;
}

TextTable table_of_map(const FilmStrip& strip, std::size_t k, const StripFrame& frame, const Evaluation& evaluation) {
    const int num_tokens = evaluation.num_tokens();
    TextTable table;
    table.title =
        concat("Head ", strip.heads[k] + 1, ", weights at step ", frame.step, ", loss ", shown_number(frame.loss));
    table.columns.emplace_back("query");
    const int num_columns = std::min(num_tokens, kMirrorCells);
    for (int j = 0; j < num_columns; ++j) table.columns.push_back(token_text(evaluation, j));
    for (const int i : rows_in_text(strip, k, num_tokens)) {
        std::vector<std::string>& row = table.rows.emplace_back();
        row.push_back(token_text(evaluation, i));
        for (int j = 0; j < num_columns; ++j) {
            const float weight = frame.weights[k](i, j);
            const bool is_painted = std::ranges::find(strip.painted[k], Place{i, j}) != strip.painted[k].end();
            row.push_back(std::isinf(weight)
                              ? "masked"
                              : concat(shown_number(static_cast<double>(weight)), is_painted ? " (target)" : ""));
        }
    }
    return table;
}

TextTable table_of_next_words(const NextWords& words, double loss) {
    TextTable table;
    table.title = concat("The next word: its probability and its loss. ", mean_in_words(words, loss));
    table.columns = {"position", "wanted", "probability", "loss"};
    const std::size_t num_words = std::min<std::size_t>(words.vocabulary.size(), kMirrorCells);
    for (std::size_t v = 0; v < num_words; ++v) table.columns.push_back(concat("of ", words.vocabulary[v]));
    for (const NextWord& word : words.positions) {
        if (table.rows.size() == kMirrorCells) break;
        std::vector<std::string>& row = table.rows.emplace_back();
        row.push_back(concat(word.position, " ", word.token));
        if (word.wanted) {
            const auto wanted = static_cast<std::size_t>(*word.wanted);
            row.insert(row.end(),
                       {words.vocabulary[wanted], shown_number(word.probabilities[wanted]), shown_number(word.loss)});
        } else {
            row.insert(row.end(), {"the end", "", ""});
        }
        for (std::size_t v = 0; v < num_words; ++v) row.push_back(shown_number(word.probabilities[v]));
    }
    return table;
}

}  // namespace

bool has_nothing_to_learn(const Inputs& inputs) {
    return inputs.goal == GoalKind::none || (inputs.goal == GoalKind::pattern && inputs.targets.empty());
}

std::string_view no_goal_in_words(const Inputs& inputs) {
    if (inputs.goal == GoalKind::pattern)
        return "No head was told where to look yet. Paint targets on the maps, or choose the goal next. Then the loss "
               "and the maps are shown here, step by step.";
    return "There is no goal yet. Paint targets on the maps, or choose the goal next. Then the loss and the maps are "
           "shown here, step by step.";
}

std::vector<TextTable> tables_of_learn(const PlaygroundState& state, const Evaluator& evaluator) {
    const Evaluation& shown = evaluator.shown();
    if (has_nothing_to_learn(state.inputs) || !shown.run)
        return {{std::string(no_goal_in_words(state.inputs)), {}, {}}};
    const LossCurve curve = loss_curve(state.inputs, shown);
    EarlierWeights earlier;
    want_strip(earlier, state, shown);
    const bool is_quick =
        std::min<double>(curve.step, latest_strip_step(state.inputs)) * step_cost(state.inputs) <= kMaxTextCost;
    while (is_quick && !earlier.advance(std::numeric_limits<std::int64_t>::max() / 2)) continue;
    const FilmStrip strip = film_strip(earlier, state, shown, std::nullopt);
    std::vector<TextTable> tables = {table_of_losses(curve, strip, shown)};
    for (const std::string& words : {bound_in_words(shown), standstill_in_words(curve)}) {
        if (!words.empty()) tables.front().title += concat(". ", words);
    }
    if (state.inputs.goal == GoalKind::next) tables.push_back(table_of_next_words(next_words(shown), curve.shown()));
    for (std::size_t k = 0; k < strip.heads.size(); ++k) {
        for (const StripFrame& frame : strip.frames) {
            if (!frame.weights.empty()) tables.push_back(table_of_map(strip, k, frame, shown));
        }
    }
    return tables;
}

std::string announcement_of_learn(const PlaygroundState& state, const Evaluation& evaluation) {
    if (has_nothing_to_learn(state.inputs) || !evaluation.run) return std::string(no_goal_in_words(state.inputs));
    return loss_in_words(loss_curve(state.inputs, evaluation));
}

}  // namespace attn
