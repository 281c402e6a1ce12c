// One sentence about what the picture shows now, and one about a lesson's step.
#include "views/words/announcement.h"
#include "core/explain/stage_numbers.h"

#include <cmath>

#include "core/attention/masking.h"
#include "core/ground/check.h"
#include "playground/check/check_me.h"
#include "playground/lessons/lessons.h"
#include "playground/lessons/prediction.h"
#include "playground/lessons/step_words.h"
#include "playground/link/blanks.h"
#include "playground/link/choice_labels.h"
#include "playground/link/key_table.h"
#include "playground/numbers/heads_together.h"
#include "playground/numbers/stage_labels.h"
#include "playground/state/cell_window.h"
#include "playground/state/view_table.h"
#include "playground/text/format.h"
#include "views/cache/cache_text.h"
#include "views/door/shown_door.h"
#include "views/journey/journey_picture.h"
#include "views/learn/learn_text.h"
#include "views/lens/shown_lens.h"
#include "views/lines/targets.h"
#include "views/model/shown_model.h"
#include "views/patch/patch_picture.h"
#include "views/stage/place_words.h"

namespace attn {
namespace {

std::string counted(int number, const std::string& noun) {
    return concat(number, " ", noun, number == 1 ? "" : "s");
}

// "woman to portrait" for a query and a key, "woman, channel 3" for a channel.
std::string place_of(const Evaluation& evaluation, const StageInfo& stage, const Cell& cell) {
    if (stage.columns != Axis::key_token || stage.rows != Axis::token)
        return place_text(evaluation, stage.id, cell.row, cell.column, ", ");
    const std::vector<Token>& tokens = evaluation.tokens.tokens;
    return tokens[static_cast<std::size_t>(cell.row)].text + " to " +
           tokens[static_cast<std::size_t>(cell.column)].text;
}

std::string value_of(const Evaluation& evaluation, TensorId stage, const Cell& cell) {
    const AttentionProblem& problem = *evaluation.problem;
    const bool is_hidden = stage_info(stage).columns == Axis::key_token && problem.hidden(cell.row, cell.column);
    if (is_hidden && is_masked_stage(stage)) return "masked";
    const Vector row = stage_row(problem, evaluation.trace, stage, cell.head, cell.row);
    return shown_number(static_cast<double>(row(cell.column)));
}

std::string chosen_numbers(const PlaygroundState& state, const Evaluation& evaluation) {
    const StageInfo& stage = stage_info(state.view.stage);
    const std::string title(stage.title);
    const bool is_of_all = shows_combined(evaluation, state.view);
    const auto head_part = [&](int head) { return stage.has_heads ? concat(", head ", head + 1) : std::string(); };
    if (is_of_all) {
        const std::string all = concat(combined_title(state.view.combine, evaluation.sizes.num_heads), ", ", title);
        const std::optional<Cell>& cell = state.view.cell;
        if (!cell) return concat(all, ": ", counted(evaluation.num_tokens(), "token"));
        const Explanation explanation =
            explain_combined(evaluation, stage.id, state.view.combine, cell->row, cell->column);
        const Blanks blanks(state);
        bool is_cell_blank = false;
        for (int h = 0; h < evaluation.sizes.num_heads; ++h) {
            is_cell_blank = is_cell_blank || blanks.has(stage.id, h, cell->row, cell->column);
        }
        const std::string value =
            explanation.is_hidden ? "masked" : shown_number(static_cast<double>(explanation.shown));
        return concat(all, ", ", place_of(evaluation, stage, *cell), ": ", is_cell_blank ? "blank" : value);
    }
    if (const std::optional<Cell>& cell = state.view.cell)
        return concat(title, head_part(cell->head), ", ", place_of(evaluation, stage, *cell), ": ",
                      Blanks(state).has(stage.id, cell->head, cell->row, cell->column)
                          ? "blank"
                          : value_of(evaluation, stage.id, *cell));
    const std::string tokens = counted(evaluation.num_tokens(), "token");
    if (!stage.has_heads) return concat(title, ": ", tokens);
    if (state.view.head) return concat(title, head_part(*state.view.head), ": ", tokens);
    return concat(title, ": ", counted(state.inputs.num_heads, "head"), ", ", tokens);
}

// What stands blank while it is asked for. The cell that is asked for is told by its field, which has the focus.
[[gnu::noinline]] std::string numbers_asked_for(const PlaygroundState& state, const Evaluation& evaluation) {
    PlaygroundState whole = state;
    whole.view.cell.reset();
    return chosen_numbers(whole, evaluation) + (is_asked(state, state.view.stage)
                                                    ? ": blank, for you to fill in"
                                                    : ": not shown, as it tells of blank ones");
}

// "; target: brush should look at artist" of a pinned cell that is one; of heads that are put together nothing is said.
std::string target_part(const PlaygroundState& state, const Evaluation& evaluation) {
    const StageInfo& stage = stage_info(state.view.stage);
    const std::optional<Cell>& cell = state.view.cell;
    const bool may_be = cell && stage.has_heads && stage.columns == Axis::key_token;
    if (!may_be || shows_combined(evaluation, state.view)) return {};
    const TargetPair pair = {.query = cell->row, .key = cell->column};
    if (find_target(state.inputs.targets, target_cell(state, cell->head, pair)) == nullptr) return {};
    return "; target: " + target_sentence(evaluation, cell->head, pair);
}

// ", rows 3 to 9, columns 0 to 6 enlarged"; empty if all is shown.
std::string enlarged_part(const View& view, const Evaluation& evaluation) {
    const Extent extent = extent_of(evaluation.sizes, view.stage);
    const CellWindow window = shown_window(view, extent);
    if (view.view != ViewKind::matrix || window == whole_window(extent)) return {};
    return concat(", rows ", window.first_row, " to ", window.last_row, ", columns ", window.first_column, " to ",
                  window.last_column, " enlarged");
}

// ". Step 200: loss 0.0123"; empty where nothing is trained.
// Not inlined: it comes with a later part of the page.
[[gnu::noinline]] std::string training_part(const Evaluation& evaluation) {
    return concat(". Step ", evaluation.run->num_steps(), ": loss ", shown_number(evaluation.run->loss()));
}

// Not inlined, likewise.
[[gnu::noinline]] std::string announcement_of_models_view(const PlaygroundState& state, const Evaluation& evaluation) {
    if (state.view.view == ViewKind::lens) return announcement_of_lens(state);
    if (state.view.view == ViewKind::journey) return announcement_of_journey(state);
    if (state.view.view == ViewKind::patch) return announcement_of_patch(state);
    return announcement_of_model(state, evaluation);
}

}  // namespace

std::string announcement_of(const PlaygroundState& state, const Evaluation& evaluation) {
    if (evaluation.is_empty()) return "No words yet: type a sentence.";
    if (!state.view.check.empty() && shows_blank(state)) return numbers_asked_for(state, evaluation);
    if (state.view.view == ViewKind::learn && !shows_blank(state)) return announcement_of_learn(state, evaluation);
    if (state.view.view == ViewKind::cache && !shows_blank(state)) return announcement_of_cache(state, evaluation);
    if (state.view.view == ViewKind::door && !shows_blank(state)) return announcement_of_door(state, evaluation);
    if (view_info(state.view.view).is_of_model() && !shows_blank(state)) {
        const std::string said = announcement_of_models_view(state, evaluation);
        if (!said.empty()) return said;
    }
    std::string picture =
        chosen_numbers(state, evaluation) + target_part(state, evaluation) + enlarged_part(state.view, evaluation);
    if (state.view.view == ViewKind::split) picture += concat("; shape ", state.view.phase + 1, " of ", kNumPhases);
    return evaluation.run ? picture + training_part(evaluation) : picture;
}

std::string announcement_of(const Progress& progress) {
    const std::string heads = counted(progress.num_heads, "head");
    if (!progress.is_stopped) return concat("Computing ", heads, ".");
    return concat("Stopped: ", progress.num_heads_done, " of ", heads, " are computed.");
}

// Not inlined, because it comes with a later part of the page.
[[gnu::noinline]] std::string change_announcement_of(const Inputs& before, const Inputs& after) {
    PlaygroundState from, to;
    from.inputs = before;
    to.inputs = after;
    from.inputs.texts = to.inputs.texts;
    constexpr int kMostNamed = 3;
    int count = 0;
    std::string words;
    for (const KeyInfo& info : key_table()) {
        const std::vector<std::string> values = info.write(to);
        if (!info.decides_numbers || values == info.write(from)) continue;
        const bool is_short = values.size() == 1 && info.kind != KeyKind::list && info.kind != KeyKind::text;
        std::string value = is_short ? values[0] : "changed";
        if (info.kind == KeyKind::flag) value = value == "1" ? "on" : "off";
        if (info.key == "kv_heads") value = concat(after.num_kv_heads == 0 ? after.num_heads : after.num_kv_heads);
        if (info.kind == KeyKind::choice) value = choice_label(info.key, values[0]);
        words += concat(count == 0 ? "" : " ", info.label, ": ", value, ".");
        ++count;
    }
    return count > kMostNamed ? concat(count, " settings changed.") : words;
}

std::string step_announcement_of(const PlaygroundState& state, const Evaluation& evaluation) {
    const View& view = state.view;
    const Lesson* lesson = lesson_of(view);
    if (lesson == nullptr) return {};
    const LessonStep& step = *step_of(view);
    const PredictionRow* const asked = asked_row(view);
    return concat(lesson->title, ", step ", view.step + 1, " of ", lesson->steps.size(), ": ", step.title, ". ",
                  joined(step_words(state, evaluation)), asked == nullptr ? "" : concat(" ", asked->question));
}

}  // namespace attn
