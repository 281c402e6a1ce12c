// Walks from what is asked back to what is given.
#include "share/worksheet/sheet_needs.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "core/explain/stage_numbers.h"
#include "core/graph/dims.h"
#include "core/ground/check.h"
#include "core/operations/layer_rows.h"
#include "playground/check/check_course.h"
#include "playground/check/withheld.h"
#include "playground/link/hiding.h"
#include "playground/state/shapes.h"
#include "playground/text/notes.h"

namespace attn {
namespace {

std::set<int> all_to(int count) {
    std::set<int> indices;
    for (int i = 0; i < count; ++i) indices.insert(indices.end(), i);
    return indices;
}

// The stages that somebody asks for by their name; those with the same numbers are asked for only once.
std::set<TensorId> asked_stages(const PlaygroundState& state) {
    std::set<TensorId> stages = state.view.check;
    for (const HiddenValue& value : hidden_values(state.view)) stages.insert(value.stage);
    return stages;
}

class Needs {
public:
    Needs(const PlaygroundState& state, const Evaluation& evaluation)
        : evaluation_(evaluation), problem_(*evaluation.problem), blanks_(with_withheld(state)) {
        for (const FoundRow& row : forward_rows(problem_)) rows_.push_back(row);
        if (state.inputs.goal == GoalKind::none) return;
        for (const FoundRow& row : backward_rows(problem_)) rows_.push_back(row);
    }

    void ask(const Question& question) {
        const TensorId stage = question.stage;
        const Extent extent = extent_of(evaluation_.sizes, stage);
        SheetTable& table = table_of(to_fill_, stage, question.head);
        if (table.rows.insert(question.row).second) need(stage, question.head, question.row);
        table.columns = all_to(extent.columns);
    }

    SheetTask take(std::vector<Question> asked) {
        SheetTask task{.asked = std::move(asked), .to_fill = {}, .given = {}, .computed = {}};
        for (auto& [key, table] : to_fill_) {
            if (task.computed.empty() || task.computed.back() != table.tensor) task.computed.push_back(table.tensor);
            task.to_fill.push_back(std::move(table));
        }
        for (auto& [key, table] : given_) task.given.push_back(std::move(table));
        return task;
    }

private:
    // Matrices and biases before the stage that is made of them, stages in the order in which they are computed.
    using Key = std::tuple<int, TensorId, int>;  // the head last
    using Tables = std::map<Key, SheetTable>;

    int place_of(TensorId tensor) const {
        for (std::size_t n = 0; n < rows_.size(); ++n) {
            const FoundRow& row = rows_[n];
            if (row.result == tensor) return 2 * static_cast<int>(n) + 1;
            const auto reads = [&](const std::optional<TensorId>& operand) { return operand == tensor; };
            if (!is_stage(tensor) && std::ranges::any_of(row.operands, reads)) return 2 * static_cast<int>(n);
        }
        return 0;
    }

    SheetTable& table_of(Tables& tables, TensorId tensor, int head) {
        const auto [place, is_new] = tables.try_emplace({place_of(tensor), tensor, head});
        if (is_new) place->second = {.tensor = tensor, .head = head, .rows = {}, .columns = {}};
        return place->second;
    }

    // Rows name operands that a layer may lack: vectors of positions, gradients that no way back reaches. Hidden keys
    // are marked where they are, so no mask is given.
    bool is_there(TensorId tensor) const {
        using enum TensorId;
        if (is_stage(tensor)) return has_stage(problem_, tensor);
        if (tensor == token_vectors) return evaluation_.parts.token_vectors.size() != 0;
        if (tensor == positions) return evaluation_.parts.positions.size() != 0;
        return tensor != mask;
    }

    // What row `row` of `stage` is made of.
    void need(TensorId stage, int head, int row) {
        for (const FoundRow& found : rows_) {
            if (found.result != stage) continue;
            for (std::size_t n = 0; n < found.operands.size(); ++n) {
                if (found.operands[n]) need_operand(found, n, head, row);
            }
        }
    }

    void need_operand(const FoundRow& found, std::size_t n, int head, int row) {
        const TensorId tensor = *found.operands[n];
        if (!is_there(tensor)) return;
        const Extent extent = extent_of(evaluation_.sizes, tensor);
        const bool is_of_stage = is_stage(tensor);
        const bool is_merged = found.operation == Operation::merge;
        const bool is_other = is_of_stage && n > 0 && found.operation != Operation::drop;  // keys, values, latents
        const bool has_rows = dims_of(tensor).rows == Dim::tokens;
        for (int h = 0; h < (is_merged ? evaluation_.sizes.num_heads : 1); ++h) {
            int own = is_merged ? h : dims_of(tensor).matrices != Dim::one ? head : 0;
            if (has_kv_heads(tensor)) own = problem_.kv_head(own) * problem_.heads_per_kv_head();
            for (const int i : is_other || !has_rows || is_gradient(found.result) ? all_to(extent.rows) : std::set{row})
                need_row(tensor, own, i, extent.columns);
        }
    }

    void need_row(TensorId tensor, int head, int row, int num_columns) {
        bool is_blank = false;
        for (int c = 0; c < num_columns && is_stage(tensor); ++c)
            is_blank = is_blank || blanks_.has(tensor, head, row, c);
        SheetTable& table = table_of(is_blank ? to_fill_ : given_, tensor, head);
        if (!table.rows.insert(row).second) return;
        table.columns = all_to(num_columns);
        if (is_blank) need(tensor, head, row);
    }

    const Evaluation& evaluation_;
    const AttentionProblem& problem_;
    const Blanks blanks_;
    std::vector<FoundRow> rows_;
    Tables to_fill_, given_;
};

// Of a matrix that is cut into heads only the columns that the heads of the task own.
void leave_out_other_heads(SheetTask& task, const AttentionProblem& problem, const Sizes& sizes) {
    for (const FoundRow& row : forward_rows(problem)) {
        if (row.operation != Operation::project || dims_of(row.result).matrices == Dim::one) continue;
        const int width = extent_of(sizes, row.result).columns;
        std::set<int> columns;
        for (const SheetTable& table : task.to_fill) {
            if (table.tensor != row.result) continue;
            const int head = has_kv_heads(row.result) ? problem.kv_head(table.head) : table.head;
            for (int c = 0; c < width; ++c) columns.insert(head * width + c);
        }
        if (columns.empty()) continue;
        for (SheetTable& table : task.given) {
            if (row.operands[1] == table.tensor || row.operands[2] == table.tensor) table.columns = columns;
        }
    }
}

}  // namespace

double number_of(const Evaluation& evaluation, const SheetTable& table, int row, int column) {
    using enum TensorId;
    const AttentionProblem& problem = *evaluation.problem;
    const TensorId tensor = table.tensor;
    if (is_stage(tensor))
        return static_cast<double>(stage_number(problem, evaluation.trace, tensor, table.head, row, column));
    if (tensor == keep_mask) return evaluation.trace.keep(table.head, row, column) != 0 ? 1 : 0;
    if (tensor == vocabulary) return static_cast<double>(problem.goal.vocabulary(row, column));
    if (tensor == token_vectors) return static_cast<double>(evaluation.parts.token_vectors(row, column));
    if (tensor == positions) return static_cast<double>(evaluation.parts.positions(row, column));
    return static_cast<double>(row_of_learned(*problem.projections, tensor, row)[static_cast<std::size_t>(column)]);
}

std::vector<Question> asked_cells(const PlaygroundState& state, const Evaluation& evaluation) {
    if (evaluation.is_empty()) return {};
    if (is_exercise(state.view) && !state.view.check.empty()) return asked_questions(state, evaluation);
    const Blanks blanks(state);
    std::vector<Question> asked;
    const std::set<TensorId> stages = asked_stages(state);
    for (const TensorId stage : present_stages(state.inputs)) {
        if (!stages.contains(stage) || is_block_stage(stage)) continue;
        for (const Question& question : questions_of(evaluation, stage, blanks)) asked.push_back(question);
    }
    return asked;
}

double answer_of(const Evaluation& evaluation, const Question& question) {
    return static_cast<double>(stage_number(*evaluation.problem, evaluation.trace, question.stage, question.head,
                                            question.row, question.column));
}

Result<SheetTask> sheet_task(const PlaygroundState& state, const Evaluation& evaluation) {
    const auto refuse = [](std::string sentence) { return Result<SheetTask>::failure(std::move(sentence)); };
    if (evaluation.is_empty()) return refuse("The sentence is empty, so there is nothing to work out.");
    std::vector<Question> asked = asked_cells(state, evaluation);
    if (asked.empty()) {
        for (const TensorId stage : asked_stages(state)) {
            if (is_block_stage(stage) && is_present(state.inputs, stage))
                return refuse(concat("A worksheet gives what a number is made of, and ", tensor_name(stage),
                                     " is made around the attention of a model: ask for a stage of the attention."));
            if (is_present(state.inputs, stage) && questions_of(evaluation, stage).empty())
                return refuse(concat(too_many_questions(evaluation, stage), "."));
        }
        return refuse(
            "Nothing is asked for here: press Check me, or leave numbers blank, as check=weights or "
            "hide=weights[1,2,*] in a link.");
    }
    return sheet_task_of(state, evaluation, std::move(asked));
}

Result<SheetTask> sheet_task_of(const PlaygroundState& state, const Evaluation& evaluation,
                                std::vector<Question> asked) {
    ATTN_CHECK(!asked.empty(), "a sheet that asks for nothing");
    Needs needs(state, evaluation);
    for (const Question& question : asked) needs.ask(question);
    SheetTask task = needs.take(std::move(asked));
    leave_out_other_heads(task, *evaluation.problem, evaluation.sizes);
    std::size_t num_numbers = 0;
    for (const std::vector<SheetTable>* tables : {&task.given, &task.to_fill}) {
        for (const SheetTable& table : *tables) num_numbers += table.rows.size() * table.columns.size();
    }
    if (num_numbers > kMostSheetNumbers)
        return Result<SheetTask>::failure(
            concat("The worksheet would have ", with_thousands(static_cast<std::int64_t>(num_numbers)),
                   " numbers, and at most ", with_thousands(kMostSheetNumbers),
                   " fit on paper that somebody reads: ask for fewer rows, or take a shorter sentence or "
                   "fewer channels."));
    return task;
}

}  // namespace attn
