// Each formula as its paper writes it, one loop for each index.
#include "model/layers/forward_reference.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "core/attention/attention.h"
#include "core/attention/score_changes.h"
#include "core/ground/check.h"
#include "model/layers/edited_layer.h"

namespace attn {
namespace {

VectorD vector_of(const ModelTensor& tensor) {
    std::vector<float> floats(static_cast<std::size_t>(tensor.num_numbers()));
    tensor.copy(0, floats);
    VectorD result = zeros<VectorD>(floats.size());
    std::copy(floats.begin(), floats.end(), result.begin());
    return result;
}

// x . w + b.
MatrixD multiply(const MatrixD& x, const LinearWeights& linear) {
    const Matrix w = linear.matrix();
    const Vector b = linear.bias_vector();
    MatrixD y = zeros<MatrixD>(length(x, 0), linear.outputs);
    for (int i = 0; i < length(x, 0); ++i) {
        for (int k = 0; k < linear.inputs; ++k) {
            for (int c = 0; c < linear.outputs; ++c) y(i, c) += x(i, k) * static_cast<double>(w(k, c));
        }
        for (int c = 0; c < length(b, 0); ++c) y(i, c) += static_cast<double>(b(c));
    }
    return y;
}

// Norms `size` numbers from `first` on, each with its weight and bias.
void norm_part(NormKind kind, double eps, const NormWeights& weights, std::span<double> x) {
    if (kind == NormKind::none) return;
    const auto size = static_cast<double>(x.size());
    double mean = 0;
    for (const double one : x) mean += kind == NormKind::layer ? one / size : 0;
    double variance = 0;
    for (const double one : x) variance += (one - mean) * (one - mean) / size;
    for (double& one : x) one = (one - mean) / std::sqrt(variance + eps);
    if (weights.weight != nullptr) {
        const VectorD weight = vector_of(*weights.weight);
        for (std::size_t c = 0; c < x.size(); ++c) x[c] *= static_cast<double>(weights.offset) + weight(c);
    }
    if (weights.bias != nullptr) {
        const VectorD bias = vector_of(*weights.bias);
        for (std::size_t c = 0; c < x.size(); ++c) x[c] += bias(c);
    }
}

MatrixD norm(const ModelConfig& config, const NormWeights& weights, MatrixD x) {
    for (int i = 0; i < length(x, 0); ++i) norm_part(config.norm, config.norm_eps, weights, row_of(x, i));
    return x;
}

MatrixD sum_of(const MatrixD& a, const MatrixD& b) {
    MatrixD sum = a;
    for (std::size_t i = 0; i < sum.size(); ++i) sum.data()[i] += b.data()[i];
    return sum;
}

double plainly_activated(Activation activation, double x) {
    switch (activation) {
        case Activation::gelu_tanh:
            return x / 2 * (1 + std::tanh(std::sqrt(2 / std::acos(-1.0)) * (x + 0.044715 * x * x * x)));
        case Activation::gelu_exact:
            return x / 2 * std::erfc(-x / std::sqrt(2.0));
        case Activation::relu:
            return std::max(x, 0.0);
        case Activation::silu:
            return x / (1 + std::exp(-x));
    }
    return x;
}

MatrixD rows_of_tokens(const Model& model, const ModelInput& input) {
    const ModelConfig& config = model.config;
    const int T = input.num_tokens();
    MatrixD x = zeros<MatrixD>(T, config.width);
    const auto add = [&](const ModelTensor* table, int i, int row) {
        if (table == nullptr) return;
        std::vector<float> numbers(static_cast<std::size_t>(config.width));
        table->copy(std::int64_t{row} * config.width, numbers);
        for (int c = 0; c < config.width; ++c) x(i, c) += static_cast<double>(numbers[static_cast<std::size_t>(c)]);
    };
    int next = config.first_position;
    for (int i = 0; i < T; ++i) {
        const int id = input.ids[static_cast<std::size_t>(i)];
        add(model.weights.token_embedding, i, id);
        for (double& one : row_of(x, i)) one *= static_cast<double>(config.embedding_scale);
        const int position = id == config.padding_token ? config.first_position - 1 : next++;
        if (config.positions == PositionKind::learned) add(model.weights.position_embedding, i, position);
        add(model.weights.type_embedding, i, input.types.empty() ? 0 : input.types[static_cast<std::size_t>(i)]);
    }
    if (model.weights.embedding_norm.weight != nullptr) x = norm(config, model.weights.embedding_norm, x);
    return x;
}

// What queries and keys are made of.
MatrixD with_positions(const Model& model, const MatrixD& x) {
    if (model.config.positions != PositionKind::queries_and_keys) return x;
    MatrixD sum = x;
    const VectorD positions = vector_of(*model.weights.position_embedding);
    for (std::size_t i = 0; i < sum.size(); ++i) sum.data()[i] += positions(i);
    return sum;
}

CubeD cut(const MatrixD& x, int num_heads) {
    const int head_dim = length(x, 1) / num_heads;
    CubeD heads = zeros<CubeD>(num_heads, length(x, 0), head_dim);
    for (int h = 0; h < num_heads; ++h) {
        for (int i = 0; i < length(x, 0); ++i) {
            for (int c = 0; c < head_dim; ++c) heads(h, i, c) = x(i, h * head_dim + c);
        }
    }
    return heads;
}

// All numbers of a token's queries or keys together.
void norm_tokens(const ModelConfig& config, const NormWeights& weights, CubeD& heads) {
    const int head_dim = length(heads, 2);
    std::vector<double> token(heads.size() / heads.shape(1));
    for (int i = 0; i < length(heads, 1); ++i) {
        for (std::size_t c = 0; c < token.size(); ++c) token[c] = heads(c / head_dim, i, c % head_dim);
        norm_part(NormKind::rms, config.norm_eps, weights, token);
        for (std::size_t c = 0; c < token.size(); ++c) heads(c / head_dim, i, c % head_dim) = token[c];
    }
}

// Queries or keys: normed and turned where the model does that.
CubeD placed(const ModelConfig& config, int layer, const NormWeights& weights, CubeD heads) {
    const RopeScaling& rope = config.rope_of(layer);
    const int head_dim = config.head_dim, half = rope.dim / 2;
    const bool has_halves = config.pairs == RotaryPairs::halves;
    const std::vector<double> frequencies = rope_frequencies(rope, length(heads, 1));
    if (config.query_key_norm == QueryKeyNorm::whole) norm_tokens(config, weights, heads);
    for (int h = 0; h < length(heads, 0); ++h) {
        for (int i = 0; i < length(heads, 1); ++i) {
            if (config.query_key_norm == QueryKeyNorm::heads) {
                norm_part(NormKind::rms, config.norm_eps, weights,
                          {&heads(h, i, 0), static_cast<std::size_t>(head_dim)});
            }
            if (!config.turns(layer)) continue;
            for (int c = 0; c < half; ++c) {
                const double angle = i * frequencies[static_cast<std::size_t>(c)];
                const double cosine = rope.length * std::cos(angle), sine = rope.length * std::sin(angle);
                const int first = has_halves ? c : 2 * c, second = has_halves ? c + half : first + 1;
                const double x = heads(h, i, first), y = heads(h, i, second);
                heads(h, i, first) = x * cosine - y * sine;
                heads(h, i, second) = x * sine + y * cosine;
            }
        }
    }
    return heads;
}

// (T, T), 1 where a key is hidden from a query.
Flags hidden_keys(const ModelConfig& config, const ModelInput& input, int number) {
    const int T = input.num_tokens(), window = config.windows[static_cast<std::size_t>(number)];
    Flags hidden = zeros<Flags>(T, T);
    for (int i = 0; i < T; ++i) {
        for (int j = 0; j < T; ++j) {
            const bool is_later = config.mask == Mask::causal && j > i;
            hidden(i, j) = is_later || (window != 0 && std::abs(i - j) >= window);
        }
    }
    edit_mask(number, input.edits, hidden);
    return hidden;
}

// What somebody typed over queries, keys or values.
void type_over(int number, const ModelInput& input, TensorId role, CubeD& heads) {
    const int head_dim = length(heads, 2);
    for (const LayerEdit& edit : input.edits) {
        if (edit.layer != number || edit.tensor != role) continue;
        heads(edit.column / head_dim, edit.row, edit.column % head_dim) = static_cast<double>(edit.value);
    }
}

void weigh_and_mix(const ModelConfig& config, const Flags& hidden, ReferenceLayer& layer) {
    const int T = length(layer.query, 1);
    const double scale = config.scale == Scale::none ? 1 : std::sqrt(config.head_dim);
    const double divisor = scale * static_cast<double>(config.temperature);
    const auto cap = static_cast<double>(config.score_cap);
    const bool is_alibi = config.positions == PositionKind::alibi;
    layer.scaled_scores = layer.capped_scores = layer.weights = zeros<CubeD>(config.num_heads, T, T);
    layer.context = zeros<CubeD>(config.num_heads, T, config.head_dim);
    for (int h = 0; h < config.num_heads; ++h) {
        const int shared = h / (config.num_heads / config.num_kv_heads);
        for (int i = 0; i < T; ++i) {
            double most = -std::numeric_limits<double>::infinity();
            for (int j = 0; j < T; ++j) {
                double score = 0;
                for (int c = 0; c < config.head_dim; ++c) score += layer.query(h, i, c) * layer.key(shared, j, c);
                layer.scaled_scores(h, i, j) = score / divisor;
                layer.capped_scores(h, i, j) = cap > 0 ? cap * std::tanh(score / divisor / cap) : score / divisor;
                if (is_alibi) layer.capped_scores(h, i, j) -= alibi_slope(h, config.num_heads) * std::abs(i - j);
                if (hidden(i, j) == 0) most = std::max(most, layer.capped_scores(h, i, j));
            }
            double sum = 0;
            for (int j = 0; j < T; ++j) {
                if (hidden(i, j) != 0) continue;
                layer.weights(h, i, j) = std::exp(layer.capped_scores(h, i, j) - most);
                sum += layer.weights(h, i, j);
            }
            for (int j = 0; j < T; ++j) {
                layer.weights(h, i, j) /= sum;
                for (int c = 0; c < config.head_dim; ++c)
                    layer.context(h, i, c) += layer.weights(h, i, j) * layer.value(shared, j, c);
            }
        }
    }
}

void switch_off(const ModelInput& input, int number, CubeD& context) {
    const int T = length(context, 1);
    for (int h = 0; h < length(context, 0); ++h) {
        if (!input.is_off(number, h)) continue;
        for (int c = 0; c < length(context, 2); ++c) {
            double mean = 0;
            for (int i = 0; i < T; ++i) mean += context(h, i, c) / T;
            for (int i = 0; i < T; ++i) context(h, i, c) = input.off_by == OffBy::mean ? mean : 0;
        }
    }
}

MatrixD merge(const CubeD& context) {
    const int head_dim = length(context, 2);
    MatrixD merged = zeros<MatrixD>(length(context, 1), length(context, 0) * head_dim);
    for (int i = 0; i < length(merged, 0); ++i) {
        for (int c = 0; c < length(merged, 1); ++c) merged(i, c) = context(c / head_dim, i, c % head_dim);
    }
    return merged;
}

// What the input's patches of one kind and of one layer take over.
template <typename Take>
void take_over(const ModelInput& input, PatchOf of, int number, const Take& take) {
    for (const Patch& patch : input.patches)
        if (patch.of == of && patch.layer == number) take(patch.head, patch.row);
}

ReferenceLayer compute_layer(const Model& model, const ModelInput& input, const ReferenceForward& other, int number,
                             const MatrixD& before) {
    const ModelConfig& config = model.config;
    const EditedWeights edited(model, number, input.edits);
    const LayerWeights& weights = edited.weights();
    ReferenceLayer layer;
    layer.before = before;
    layer.attention_input = config.norms_inputs() ? norm(config, weights.norm_1, before) : before;
    for (const LayerEdit& edit : input.edits) {
        if (edit.layer == number && edit.tensor == TensorId::embeddings)
            layer.attention_input(edit.row, edit.column) = static_cast<double>(edit.value);
    }
    const MatrixD placed_input = with_positions(model, layer.attention_input);
    layer.query =
        placed(config, number, weights.query_norm, cut(multiply(placed_input, weights.query), config.num_heads));
    layer.key = placed(config, number, weights.key_norm, cut(multiply(placed_input, weights.key), config.num_kv_heads));
    layer.value = cut(multiply(layer.attention_input, weights.value), config.num_kv_heads);
    type_over(number, input, TensorId::queries, layer.query);
    type_over(number, input, TensorId::keys, layer.key);
    type_over(number, input, TensorId::values, layer.value);
    weigh_and_mix(config, hidden_keys(config, input, number), layer);
    switch_off(input, number, layer.context);
    const auto of_other = [&]() -> const ReferenceLayer& { return other.layers[static_cast<std::size_t>(number)]; };
    take_over(input, PatchOf::head, number, [&](int h, int i) {
        for (int c = 0; c < config.head_dim; ++c) layer.context(h, i, c) = of_other().context(h, i, c);
    });
    take_over(input, PatchOf::weights, number, [&](int h, int i) {
        for (int c = 0; c < config.head_dim; ++c) {
            double sum = 0;
            for (int j = 0; j < std::min(length(layer.value, 1), length(of_other().weights, 2)); ++j)
                sum += of_other().weights(h, i, j) * layer.value(h / (config.num_heads / config.num_kv_heads), j, c);
            layer.context(h, i, c) = sum;
        }
    });
    layer.attention_added = multiply(merge(layer.context), weights.out);
    if (config.norms_outputs()) {
        layer.attention_out = layer.attention_added;
        layer.attention_added = norm(config, weights.out_norm_1, layer.attention_out);
    }
    layer.middle = sum_of(before, layer.attention_added);
    if (config.norms_sums()) layer.middle = norm(config, weights.norm_1, layer.middle);
    layer.after = layer.middle;
    if (config.mlp_width == 0) return layer;

    const MatrixD& stream = config.is_parallel ? before : layer.middle;
    layer.mlp_input = config.norms_inputs() ? norm(config, weights.norm_2, stream) : stream;
    layer.mlp_sums = layer.mlp_hidden = multiply(layer.mlp_input, weights.mlp_in);
    if (weights.mlp_gate.is_there()) layer.mlp_gate = multiply(layer.mlp_input, weights.mlp_gate);
    for (std::size_t i = 0; i < layer.mlp_hidden.size(); ++i) {
        double& x = layer.mlp_hidden.data()[i];
        x = config.is_gated ? plainly_activated(config.activation, layer.mlp_gate.data()[i]) * x
                            : plainly_activated(config.activation, x);
    }
    layer.mlp_added = multiply(layer.mlp_hidden, weights.mlp_out);
    if (config.norms_outputs()) {
        layer.mlp_out = layer.mlp_added;
        layer.mlp_added = norm(config, weights.out_norm_2, layer.mlp_out);
    }
    take_over(input, PatchOf::mlp, number, [&](int /*head*/, int i) {
        std::ranges::copy(row_of(of_other().mlp_added, i), row_of(layer.mlp_added, i).begin());
    });
    layer.after = sum_of(layer.middle, layer.mlp_added);
    if (config.norms_sums()) layer.after = norm(config, weights.norm_2, layer.after);
    return layer;
}

}  // namespace

ReferenceForward forward_reference(const Model& model, const ModelInput& input) {
    const ModelConfig& config = model.config;
    ReferenceForward result;
    MatrixD stream = rows_of_tokens(model, input);
    const ReferenceForward other = input.other.empty() ? ReferenceForward() : forward_reference(model, input.other[0]);
    for (int number = 0; number < config.num_layers; ++number) {
        take_over(input, PatchOf::stream, number, [&](int /*head*/, int i) {
            const MatrixD& taken = other.layers[static_cast<std::size_t>(number)].before;
            std::ranges::copy(row_of(taken, i), row_of(stream, i).begin());
        });
        result.layers.push_back(compute_layer(model, input, other, number, stream));
        stream = result.layers.back().after;
    }
    result.final_stream = config.norms_sums() ? stream : norm(config, model.weights.final_norm, stream);
    if (!model.weights.unembedding.is_there()) return result;
    MatrixD& head = result.logit_input = result.final_stream;
    if (model.weights.head_dense.is_there()) {
        head = multiply(head, model.weights.head_dense);
        for (double& x : elements(head)) x = plainly_activated(config.head_activation, x);
        head = norm(config, model.weights.head_norm, head);
    }
    result.logits = multiply(head, model.weights.unembedding);
    const auto cap = static_cast<double>(config.logit_cap);
    for (double& x : elements(result.logits)) {
        x *= static_cast<double>(config.logit_scale);
        if (cap > 0) x = cap * std::tanh(x / cap);
    }
    result.probabilities = result.logits;
    for (int i = 0; i < length(result.logits, 0); ++i) {
        const std::span<double> row = row_of(result.probabilities, i);
        const double most = *std::max_element(row.begin(), row.end());
        double sum = 0;
        for (double& x : row) sum += x = std::exp(x - most);
        for (double& x : row) x /= sum;
    }
    return result;
}

double surprise(const ReferenceForward& forward, int row, int token) {
    double most = forward.logits(row, 0), sum = 0;
    for (int v = 0; v < length(forward.logits, 1); ++v) most = std::max(most, forward.logits(row, v));
    for (int v = 0; v < length(forward.logits, 1); ++v) sum += std::exp(forward.logits(row, v) - most);
    return most + std::log(sum) - forward.logits(row, token);
}

}  // namespace attn
