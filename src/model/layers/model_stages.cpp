// Which rows of the stage table there are, and where in a trace their numbers are.
#include "model/layers/model_stages.h"

#include <algorithm>
#include <array>
#include <limits>

#include "core/explain/stage_numbers.h"
#include "core/ground/check.h"

namespace attn {
namespace {

constexpr std::array kModelStages = {
    TensorId::before,        TensorId::embeddings,    TensorId::queries,         TensorId::keys,
    TensorId::values,        TensorId::scores,        TensorId::scaled_scores,   TensorId::capped_scores,
    TensorId::biased_scores, TensorId::masked_scores, TensorId::weights,         TensorId::context,
    TensorId::merged,        TensorId::attention_out, TensorId::attention_added, TensorId::middle,
    TensorId::mlp_input,     TensorId::mlp_gate,      TensorId::mlp_sums,        TensorId::mlp_hidden,
    TensorId::mlp_out,       TensorId::mlp_added,     TensorId::after,           TensorId::final_stream,
    TensorId::logit_input,   TensorId::logits,        TensorId::probabilities};

}  // namespace

std::span<const TensorId> model_stages() {
    return kModelStages;
}

std::optional<TensorId> model_stage_of_name(std::string_view name) {
    const std::optional<TensorId> stage = stage_of_name(name);
    return stage && std::ranges::find(kModelStages, *stage) != kModelStages.end() ? stage : std::nullopt;
}

std::string find_stage_problem(const Model& model, TensorId stage) {
    if (is_over_words(stage) && !model.weights.unembedding.is_there())
        return concat("This model has no ", tensor_name(stage), ": its files have no head.");
    if (stage == TensorId::logit_input && !model.weights.head_dense.is_there())
        return "This model has no stage logit_input: its logits are made of final_stream.";
    return "";
}

const Matrix* layer_matrix(const LayerTrace& trace, TensorId stage) {
    if (stage == TensorId::embeddings) return &trace.problem.embeddings;
    const Matrix* matrix = stage == TensorId::merged ? &trace.merged : block_matrix(trace, stage);
    return matrix == nullptr || matrix->size() == 0 ? nullptr : matrix;
}

TensorId stage_of_patch(PatchOf of) {
    if (of == PatchOf::stream) return TensorId::before;
    return of == PatchOf::mlp ? TensorId::mlp_added : TensorId::attention_added;
}

NamedNumbers named_matrix(TensorId stage, const Matrix& matrix) {
    return {.name = std::string(tensor_name(stage)),
            .shape = {length(matrix, 0), length(matrix, 1)},
            .numbers = {matrix.begin(), matrix.end()}};
}

std::optional<NamedNumbers> layer_stage(const LayerTrace& trace, TensorId stage) {
    const AttentionProblem& problem = trace.problem;
    if (!stage_info(stage).has_heads) {
        const Matrix* matrix = layer_matrix(trace, stage);
        return matrix == nullptr ? std::nullopt : std::optional(named_matrix(stage, *matrix));
    }
    if (!has_stage(problem, stage)) return std::nullopt;
    const bool is_shared = has_kv_heads(stage);
    const int num_heads = is_shared ? problem.num_kv_heads() : problem.settings.num_heads;
    NamedNumbers result{.name = std::string(tensor_name(stage)), .shape = {}, .numbers = {}};
    for (int h = 0; h < num_heads; ++h) {
        const int reader = is_shared ? h * problem.heads_per_kv_head() : h;
        const Matrix matrix = stage_matrix(problem, trace.attention, stage, reader);
        result.numbers.insert(result.numbers.end(), matrix.begin(), matrix.end());
        result.shape = {num_heads, length(matrix, 0), length(matrix, 1)};
    }
    return result;
}

std::vector<NamedNumbers> end_stages(const Model& model, const Matrix& final_stream, std::span<const TensorId> wanted) {
    std::vector<NamedNumbers> found;
    std::optional<Matrix> logits;  // probabilities are made of them, too
    for (const TensorId stage : wanted) {
        if (is_of_layer(stage) || !find_stage_problem(model, stage).empty()) continue;
        if (stage == TensorId::final_stream) found.push_back(named_matrix(stage, final_stream));
        if (stage == TensorId::logit_input) found.push_back(named_matrix(stage, logit_input(model, final_stream)));
        if (!is_over_words(stage)) continue;
        if (!logits) {
            LogitsWork work(model, final_stream);
            work.advance(std::numeric_limits<std::int64_t>::max());
            logits = work.logits();
        }
        found.push_back(named_matrix(stage, *logits));
        if (stage == TensorId::logits) continue;
        std::vector<float>& numbers = found.back().numbers;
        numbers.clear();
        for (int i = 0; i < length(*logits, 0); ++i) {
            const std::vector<float> row = probabilities_of(row_of(*logits, i));
            numbers.insert(numbers.end(), row.begin(), row.end());
        }
    }
    return found;
}

}  // namespace attn
