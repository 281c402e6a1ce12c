// One table, and where in a trace each row's numbers are.
#include "model/layers/model_stages.h"

#include <algorithm>
#include <array>

#include "core/explain/stage_numbers.h"
#include "core/ground/check.h"

namespace attn {
namespace {

constexpr std::array kStages = {
    ModelStageInfo{"before", "(T, width)", "the residual stream that comes into the layer"},
    ModelStageInfo{"embeddings", "(T, width)", "what the attention works on: the stream after its norm"},
    ModelStageInfo{"queries", "(heads, T, head_dim)", "what each token asks for", true, TensorId::queries},
    ModelStageInfo{"keys", "(kv_heads, T, head_dim)", "what each token answers to", true, TensorId::keys},
    ModelStageInfo{"values", "(kv_heads, T, head_dim)", "what each token hands on", true, TensorId::values},
    ModelStageInfo{"scores", "(heads, T, T)", "queries times keys", true, TensorId::scores},
    ModelStageInfo{"scaled_scores", "(heads, T, T)", "divided, where the model divides", true, TensorId::scaled_scores},
    ModelStageInfo{"masked_scores", "(heads, T, T)", "hidden keys at minus infinity", true, TensorId::masked_scores},
    ModelStageInfo{"weights", "(heads, T, T)", "the softmax of each row", true, TensorId::weights},
    ModelStageInfo{"context", "(heads, T, head_dim)", "weights times values", true, TensorId::context},
    ModelStageInfo{"merged", "(T, heads * head_dim)", "the heads side by side; those that are off replaced"},
    ModelStageInfo{"attention_added", "(T, width)", "what the attention adds to the stream"},
    ModelStageInfo{"middle", "(T, width)", "the stream between attention and MLP"},
    ModelStageInfo{"mlp_input", "(T, width)", "what the MLP works on: the stream after its norm"},
    ModelStageInfo{"mlp_gate", "(T, mlp_width)", "what opens and closes each of the sums"},
    ModelStageInfo{"mlp_sums", "(T, mlp_width)", "the MLP's first product"},
    ModelStageInfo{"mlp_hidden", "(T, mlp_width)", "the sums after the activation"},
    ModelStageInfo{"mlp_added", "(T, width)", "what the MLP adds to the stream"},
    ModelStageInfo{"after", "(T, width)", "the residual stream that goes out of the layer"},
    ModelStageInfo{"final_stream", "(T, width)", "the stream after the last layer and the last norm", false},
    ModelStageInfo{"logit_input", "(T, width)", "the final stream after BERT's dense layer, activation and norm",
                   false},
    ModelStageInfo{"logits", "(T, vocabulary)", "how much each token is voted for as the next", false},
    ModelStageInfo{"probabilities", "(T, vocabulary)", "the softmax of each row of logits", false}};

struct MatrixOfTrace {
    std::string_view name;
    Matrix LayerTrace::* matrix;
};
constexpr std::array kMatrices = {MatrixOfTrace{"before", &LayerTrace::before},
                                  MatrixOfTrace{"merged", &LayerTrace::merged},
                                  MatrixOfTrace{"attention_added", &LayerTrace::attention_added},
                                  MatrixOfTrace{"middle", &LayerTrace::middle},
                                  MatrixOfTrace{"mlp_input", &LayerTrace::mlp_input},
                                  MatrixOfTrace{"mlp_gate", &LayerTrace::mlp_gate},
                                  MatrixOfTrace{"mlp_sums", &LayerTrace::mlp_sums},
                                  MatrixOfTrace{"mlp_hidden", &LayerTrace::mlp_hidden},
                                  MatrixOfTrace{"mlp_added", &LayerTrace::mlp_added},
                                  MatrixOfTrace{"after", &LayerTrace::after}};

}  // namespace

std::span<const ModelStageInfo> model_stage_table() {
    return kStages;
}

const ModelStageInfo* model_stage_of_name(std::string_view name) {
    const auto found = std::find_if(kStages.begin(), kStages.end(), [&](const auto& one) { return one.name == name; });
    return found == kStages.end() ? nullptr : &*found;
}

std::string find_stage_problem(const Model& model, const ModelStageInfo& stage) {
    const bool is_over_words = stage.name == "logits" || stage.name == "probabilities";
    if (is_over_words && !model.weights.unembedding.is_there())
        return concat("This model has no ", stage.name, ": its files have no head.");
    if (stage.name == "logit_input" && !model.weights.head_dense.is_there())
        return "This model has no stage logit_input: its logits are made of final_stream.";
    return "";
}

const ModelStageInfo& model_stage_of(TensorId attention) {
    const auto found =
        std::find_if(kStages.begin(), kStages.end(), [&](const auto& one) { return one.attention == attention; });
    ATTN_CHECK(found != kStages.end(), tensor_name(attention), " is no stage of a model");
    return *found;
}

const Matrix* layer_matrix(const LayerTrace& trace, const ModelStageInfo& stage) {
    if (stage.name == "embeddings") return &trace.problem.embeddings;
    const auto found =
        std::find_if(kMatrices.begin(), kMatrices.end(), [&](const auto& one) { return one.name == stage.name; });
    if (found == kMatrices.end() || (trace.*found->matrix).size() == 0) return nullptr;
    return &(trace.*found->matrix);
}

NamedNumbers named_matrix(std::string_view name, const Matrix& matrix) {
    return {.name = std::string(name),
            .shape = {length(matrix, 0), length(matrix, 1)},
            .numbers = {matrix.begin(), matrix.end()}};
}

std::optional<NamedNumbers> layer_stage(const LayerTrace& trace, const ModelStageInfo& stage) {
    const AttentionProblem& problem = trace.problem;
    if (stage.attention) {
        if (!has_stage(problem, *stage.attention)) return std::nullopt;
        const bool is_shared = has_kv_heads(*stage.attention);
        const int num_heads = is_shared ? problem.num_kv_heads() : problem.settings.num_heads;
        NamedNumbers result{.name = std::string(stage.name), .shape = {}, .numbers = {}};
        for (int h = 0; h < num_heads; ++h) {
            const int reader = is_shared ? h * problem.heads_per_kv_head() : h;
            const Matrix matrix = stage_matrix(problem, trace.attention, *stage.attention, reader);
            result.numbers.insert(result.numbers.end(), matrix.begin(), matrix.end());
            result.shape = {num_heads, length(matrix, 0), length(matrix, 1)};
        }
        return result;
    }
    const Matrix* matrix = layer_matrix(trace, stage);
    return matrix == nullptr ? std::nullopt : std::optional(named_matrix(stage.name, *matrix));
}

}  // namespace attn
