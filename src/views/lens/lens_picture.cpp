// Rounds each line once and lets whole numbers add up, as the column of votes does.
#include "views/lens/lens_picture.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <utility>

#include "core/ground/check.h"
#include "model/explain/explain_model.h"
#include "playground/numbers/explanation_lines.h"
#include "playground/text/format.h"
#include "playground/text/notes.h"
#include "scene/kit/figure_text.h"
#include "views/model/model_text.h"

namespace attn {
namespace {

constexpr double kMostPrintedLogit = 1e9;

// The places of the largest products, the first of equals first.
std::vector<std::size_t> largest_products(std::span<const Term> products) {
    std::vector<std::size_t> order(products.size());
    std::iota(order.begin(), order.end(), 0);
    const auto count = static_cast<std::ptrdiff_t>(std::min(order.size(), static_cast<std::size_t>(kShownProducts)));
    std::ranges::partial_sort(order, order.begin() + count, [&](std::size_t a, std::size_t b) {
        const double first = std::abs(products[a].product()), second = std::abs(products[b].product());
        return first != second ? first > second : a < b;
    });
    order.erase(order.begin() + count, order.end());
    return order;
}

}  // namespace

LensWindow lens_window(int row, int num_tokens, int most) {
    const int count = std::min(num_tokens, most);
    return {.first = std::clamp(row - count / 2, 0, num_tokens - count), .count = count};
}

bool asks_for_lens_sum(const Model& model, int token) {
    const LinearWeights& head = model.weights.unembedding;
    const int column = head.first_output + token;
    return head.weight->asks_for_columns(column, 1, column + 1);
}

std::optional<LensSum> lens_sum(const ModelRun& run, int layer, int row, int token, std::optional<int> channel) {
    const Model& model = run.model();
    const Explanation logit = explain_lens_logit(run, layer, row, token);
    const ExplainedStep& products = logit.steps.front();
    LensSum sum = {.layer = layer, .row = row, .token = token, .lines = {}, .formula = logit.formula, .norm = {}};
    double rest = 0;
    bool is_printable = std::abs(static_cast<double>(logit.shown)) < kMostPrintedLogit;  // not NaN either
    const auto add = [&](std::string label, double value) {
        is_printable = is_printable && std::abs(value) < kMostPrintedLogit;
        sum.lines.push_back({.label = std::move(label), .thousandths = is_printable ? std::llround(value * 1000) : 0});
    };
    const bool has_bias = products.terms.back().label == "bias";
    const std::span<const Term> terms = std::span(products.terms).first(products.terms.size() - (has_bias ? 1 : 0));
    const std::vector<std::size_t> largest = largest_products(terms);
    for (const std::size_t k : largest) {
        add(concat("channel ", k), terms[k].product());
        sum.lines.back().channel = static_cast<int>(k);
        sum.lines.back().x = terms[k].a.value;
        sum.lines.back().weight = terms[k].b.value;
    }
    for (std::size_t k = 0; k < terms.size(); ++k)
        if (std::ranges::find(largest, k) == largest.end()) rest += terms[k].product();
    if (terms.size() > largest.size()) {
        const auto others = static_cast<std::int64_t>(terms.size() - largest.size());
        add(concat("the other ", counted(others, "channel")), rest);
    }
    if (has_bias) add("bias", products.terms.back().product());
    double before = products.value;
    for (const ExplainedStep& step : std::span(logit.steps).subspan(1)) {
        if (step.name == "tanh") continue;
        const bool is_cap = step.name == "logits" && model.config.logit_cap > 0;
        add(is_cap ? concat("soft cap at ", exact_number(static_cast<double>(model.config.logit_cap)))
                   : concat("times ", exact_number(static_cast<double>(model.config.logit_scale))),
            step.value - before);
        before = step.value;
    }
    if (!is_printable) return std::nullopt;
    sum.shown = logit.shown;
    sum.logit = std::llround(static_cast<double>(logit.shown) * 1000);
    sum.rounding = sum.logit;
    for (const LensLine& line : sum.lines) sum.rounding -= line.thousandths;
    const auto is_shown = [&](int one) { return std::ranges::find(largest, static_cast<std::size_t>(one)); };
    sum.channel = channel && is_shown(*channel) != largest.end() ? *channel : static_cast<int>(largest.front());
    sum.norm = lines_of_steps(explain_lens_channel(run, layer, row, sum.channel));
    return sum;
}

std::optional<int> LensDrawing::word_of_sum() const {
    const LensCell* cell = open_cell();
    if (cell == nullptr || !cell->is_number()) return std::nullopt;
    return word ? word : std::optional(cell->words.front().token);
}

std::string LensDrawing::word_of(int token) const {
    return word_of_token(tokenizer, token);
}

std::string lens_layer_name(int layer, int num_layers) {
    if (layer == 0) return "the embeddings";
    return concat("layer ", layer, layer == num_layers ? " (the last)" : "");
}

std::vector<std::string> lens_in_words(const Model& model) {
    const ModelConfig& config = model.config;
    const bool has_norm = !config.norms_sums() && config.norm != NormKind::none;
    const std::string asked = has_norm ? "the last norm and the unembedding" : "the unembedding";
    std::vector<std::string> words = {
        concat("Each cell asks ", asked, ", which were trained for the stream after the last layer only, what they ",
               "would say of an earlier stream. It is not what the model “has decided” there: the layers above ",
               "read the stream otherwise. The last row is exactly the model’s own answer.")};
    if (config.norms_sums())
        words.emplace_back(
            "This model has no last norm: each layer ends in a norm of its own, and the stream goes on as it is.");
    else if (!has_norm)
        words.emplace_back("This model has no norms: the stream goes to the unembedding as it is.");
    if (model.weights.head_dense.is_there())
        words.emplace_back("Its head transforms a stream (dense, activation, norm) before the unembedding; here, too.");
    if (config.mask != Mask::causal)
        words.emplace_back("It sees both sides of a position: the word is the one for that position, not the next.");
    return words;
}

std::string lens_place(const Model& model, std::string_view word) {
    return concat(model.config.mask == Mask::causal ? "after “" : "at “", isolated(std::string(word)), "”");
}

std::string lens_softmax_in_words(const LensCell& cell) {
    return concat("probability: e^(logit − ", after_minus(cell.softmax.most), ") / ", shown_number(cell.softmax.sum));
}

std::string lens_rank_in_words(const LensRank& rank) {
    return concat(probability_in_words(static_cast<double>(rank.word.probability)), ", rank ",
                  with_thousands(rank.rank));
}

}  // namespace attn
