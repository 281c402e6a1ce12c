// Names: `at_x` is the gradient at x. Rows are tokens.
#include "model/learn/gradients_reference.h"

#include <array>
#include <cmath>
#include <span>

#include "core/ground/check.h"
#include "core/learn/nudge.h"
#include "core/operations/values.h"
#include "model/layers/activations.h"
#include "model/layers/forward_reference.h"
#include "model/layers/layer_work.h"

namespace attn {
namespace {

Model model_in_floats(const LearnedLayout& layout, std::span<const float> numbers) {
    Result<Model> model = model_of_numbers(layout, numbers, "F32");
    ATTN_CHECK(bool(model), model.error());
    return std::move(*model);
}

ModelInput input_of(const TextBatch& batch, int text) {
    const std::span<const int> ids = batch.text(text);
    return {.ids = std::vector<int>(ids.begin(), ids.end() - 1)};
}

Matrix rounded(const MatrixD& x) {
    Matrix result = unset<Matrix>(x.shape(0), x.shape(1));
    for (std::size_t i = 0; i < x.size(); ++i) result.data()[i] = static_cast<float>(x.data()[i]);
    return result;
}

// One text's way back.
class TextBackward {
public:
    TextBackward(const LearnedLayout& layout, std::span<const float> numbers, const Model& model, double weight,
                 std::vector<double>& gradients)
        : layout_(layout), numbers_(numbers), model_(model), weight_(weight), gradients_(gradients) {}

    void run(const ModelInput& input, std::span<const int> ids, const ReferenceForward& forward) {
        const LearnedShape& shape = layout_.shape();
        const int T = input.num_tokens();
        // logits = final rows times the transposed embeddings; their gradient is probability minus wish.
        MatrixD at_final = zeros<MatrixD>(T, shape.width);
        for (int i = 0; i < T; ++i) {
            for (int v = 0; v < shape.vocabulary; ++v) {
                const double wish = v == ids[static_cast<std::size_t>(i) + 1] ? 1 : 0;
                const double at_logit = (forward.probabilities(i, v) - wish) * weight_;
                for (int c = 0; c < shape.width; ++c) {
                    at_final(i, c) += at_logit * number(layout_.token_embedding, v * shape.width + c);
                    add(layout_.token_embedding, v * shape.width + c, at_logit * forward.final_stream(i, c));
                }
            }
        }
        const MatrixD& last = forward.layers.empty() ? forward.final_stream : forward.layers.back().after;
        MatrixD at_stream = through_norm(last, at_final, layout_.final_norm);
        for (std::size_t l = forward.layers.size(); l-- > 0;) {
            through_mlp(l, forward.layers[l], at_stream);
            through_attention(l, forward.layers[l], at_stream);
        }
        for (int i = 0; i < T; ++i) {
            for (int c = 0; c < shape.width; ++c) {
                add(layout_.token_embedding, input.ids[static_cast<std::size_t>(i)] * shape.width + c, at_stream(i, c));
                if (layout_.position_embedding) add(*layout_.position_embedding, i * shape.width + c, at_stream(i, c));
            }
        }
    }

private:
    double number(std::size_t begin, int place) const {
        return static_cast<double>(numbers_[begin + static_cast<std::size_t>(place)]);
    }
    void add(std::size_t begin, int place, double gradient) {
        gradients_[begin + static_cast<std::size_t>(place)] += gradient;
    }

    // y = n w + b, n = (x - mean) / sqrt(variance + eps); of an RMS norm the mean counts as 0, and b is.
    MatrixD through_norm(const MatrixD& x, const MatrixD& at_y, const LearnedNorm& norm) {
        const int width = length(x, 1);
        const bool has_mean = norm.bias.has_value();
        MatrixD at_x = zeros<MatrixD>(length(x, 0), width);
        for (int i = 0; i < length(x, 0); ++i) {
            double mean = 0, variance = 0, sum = 0, sum_of_products = 0;
            for (int c = 0; c < width && has_mean; ++c) mean += x(i, c) / width;
            for (int c = 0; c < width; ++c) variance += (x(i, c) - mean) * (x(i, c) - mean) / width;
            const double scale = 1 / std::sqrt(variance + layout_.shape().norm_eps);
            for (int c = 0; c < width; ++c) {
                const double n = (x(i, c) - mean) * scale, at_n = at_y(i, c) * number(norm.weight, c);
                add(norm.weight, c, at_y(i, c) * n);
                if (has_mean) add(*norm.bias, c, at_y(i, c));
                sum += has_mean ? at_n : 0;
                sum_of_products += at_n * n;
            }
            for (int c = 0; c < width; ++c) {
                const double n = (x(i, c) - mean) * scale, at_n = at_y(i, c) * number(norm.weight, c);
                at_x(i, c) = scale * (at_n - sum / width - n * sum_of_products / width);
            }
        }
        return at_x;
    }

    // y = x w + b.
    MatrixD through_linear(const MatrixD& x, const MatrixD& at_y, const LearnedLinear& by) {
        MatrixD at_x = zeros<MatrixD>(length(x, 0), length(x, 1));
        for (int i = 0; i < length(x, 0); ++i) {
            for (int c = 0; c < length(at_y, 1); ++c) {
                if (by.bias) add(*by.bias, c, at_y(i, c));
                for (int k = 0; k < length(x, 1); ++k) {
                    const std::size_t place = by.at(static_cast<std::size_t>(k), static_cast<std::size_t>(c));
                    at_x(i, k) += at_y(i, c) * number(place, 0);
                    add(place, 0, x(i, k) * at_y(i, c));
                }
            }
        }
        return at_x;
    }

    // GELU is x s, s = 1 / (1 + e^(-2u)), u = sqrt(2 / pi) (x + 0.044715 x^3).
    static double gelu_slope(double x) {
        const double root = std::sqrt(2 / std::acos(-1.0));
        const double s = 1 / (1 + std::exp(-2 * root * (x + 0.044715 * x * x * x)));
        return s + x * s * (1 - s) * 2 * root * (1 + 3 * 0.044715 * x * x);
    }

    // SiLU is x s, s = 1 / (1 + e^-x).
    static double silu_slope(double x) {
        const double s = 1 / (1 + std::exp(-x));
        return s + x * s * (1 - s);
    }

    // after = middle + mlp(norm(middle)): what comes back goes both ways. A gated MLP hands on silu(gate) times sums.
    void through_mlp(std::size_t l, const ReferenceLayer& layer, MatrixD& at_stream) {
        const LearnedLayer& at = layout_.layers[l];
        MatrixD at_hidden = through_linear(layer.mlp_hidden, at_stream, at.mlp_out);
        MatrixD at_up = at_hidden;
        for (std::size_t k = 0; k < at_hidden.size(); ++k) {
            const double sum = layer.mlp_sums.data()[k];
            if (at.mlp_up) {
                const double gate = layer.mlp_gate.data()[k];
                at_up.data()[k] *= silu(gate);
                at_hidden.data()[k] *= sum * silu_slope(gate);
            } else {
                at_hidden.data()[k] *= gelu_slope(sum);
            }
        }
        MatrixD at_input = through_linear(layer.mlp_input, at_hidden, at.mlp_in);
        if (at.mlp_up) add_to(at_input, through_linear(layer.mlp_input, at_up, *at.mlp_up));
        add_to(at_stream, through_norm(layer.middle, at_input, at.norm_2));
    }

    void through_attention(std::size_t l, const ReferenceLayer& layer, MatrixD& at_stream) {
        const LearnedLayer& at = layout_.layers[l];
        AttentionProblem problem = layer_problem(model_, static_cast<int>(l), rounded(layer.before));
        if (!layout_.position_embedding) {
            // Turned queries and keys stand there as typed numbers, which nothing goes back through: turned here.
            problem.typed_roles.clear();
            problem.settings.rotary = {.is_on = true,
                                       .pairs = RotaryPairs::halves,
                                       .base = layout_.shape().rope_base,
                                       .shift = 0,
                                       .own_dim = 0};
        }
        LayerValues of = layer_values(problem);
        add_gradients_from_output(problem, at_stream, of);
        const auto width = static_cast<std::size_t>(layout_.shape().width);
        for (std::size_t part = 0; part < 3; ++part) {
            constexpr std::array kMatrices = {TensorId::grad_w_query, TensorId::grad_w_key, TensorId::grad_w_value};
            constexpr std::array kBiases = {TensorId::grad_b_query, TensorId::grad_b_key, TensorId::grad_b_value};
            const CubeD &w = of.of(kMatrices[part]), &b = of.of(kBiases[part]);
            // One product for all three, or the part's own.
            const bool is_one = at.qkv.size() == 1;
            add_linear(is_one ? at.qkv.front() : at.qkv[part], is_one ? part * width : 0, w, b);
        }
        add_linear(at.out, 0, of.of(TensorId::grad_w_out), of.of(TensorId::grad_b_out));
        add_to(at_stream, through_norm(layer.before, of.matrix(TensorId::grad_embeddings), at.norm_1));
    }

    // Gradients of the columns from `first` on, and of their biases.
    void add_linear(const LearnedLinear& to, std::size_t first, const CubeD& at_w, const CubeD& at_b) {
        for (int c = 0; c < length(at_w, 2); ++c) {
            const std::size_t output = first + static_cast<std::size_t>(c);
            if (to.bias) add(*to.bias + output, 0, at_b(0, 0, c));
            for (int k = 0; k < length(at_w, 1); ++k) add(to.at(static_cast<std::size_t>(k), output), 0, at_w(0, k, c));
        }
    }

    static void add_to(MatrixD& sum, const MatrixD& more) {
        for (std::size_t k = 0; k < sum.size(); ++k) sum.data()[k] += more.data()[k];
    }

    const LearnedLayout& layout_;
    std::span<const float> numbers_;
    const Model& model_;
    double weight_;
    std::vector<double>& gradients_;
};

}  // namespace

ModelGradients model_gradients_reference(const LearnedLayout& layout, std::span<const float> numbers,
                                         const TextBatch& batch) {
    const Model model = model_in_floats(layout, numbers);
    ModelGradients result{.loss = 0, .gradients = std::vector<double>(layout.num_numbers(), 0.0)};
    const double weight = 1.0 / (batch.num_texts * batch.num_tokens);
    for (int text = 0; text < batch.num_texts; ++text) {
        const std::span<const int> ids = batch.text(text);
        const ModelInput input = input_of(batch, text);
        const ReferenceForward forward = forward_reference(model, input);
        for (int i = 0; i < batch.num_tokens; ++i)
            result.loss += surprise(forward, i, ids[static_cast<std::size_t>(i) + 1]) * weight;
        TextBackward(layout, numbers, model, weight, result.gradients).run(input, ids, forward);
    }
    return result;
}

double model_loss_reference(const LearnedLayout& layout, std::span<const float> numbers, const TextBatch& batch) {
    const Model model = model_in_floats(layout, numbers);
    double loss = 0;
    for (int text = 0; text < batch.num_texts; ++text) {
        const ReferenceForward forward = forward_reference(model, input_of(batch, text));
        for (int i = 0; i < batch.num_tokens; ++i)
            loss += surprise(forward, i, batch.text(text)[static_cast<std::size_t>(i) + 1]);
    }
    return loss / (batch.num_texts * batch.num_tokens);
}

ModelNudge nudge_number(const LearnedLayout& layout, std::span<const float> numbers, const TextBatch& batch,
                        std::size_t place) {
    std::vector<float> moved(numbers.begin(), numbers.end());
    const double number = static_cast<double>(moved.at(place));
    const auto up = static_cast<float>(number + kNudge), down = static_cast<float>(number - kNudge);
    ModelNudge nudge;
    nudge.epsilon = (static_cast<double>(up) - static_cast<double>(down)) / 2;
    moved[place] = up;
    nudge.up = model_loss_reference(layout, moved, batch);
    moved[place] = down;
    nudge.down = model_loss_reference(layout, moved, batch);
    return nudge;
}

}  // namespace attn
