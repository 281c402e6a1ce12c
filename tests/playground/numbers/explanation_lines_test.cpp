// Explanations in words: the formula, the numbers, the result.
#include "playground/numbers/explanation_lines.h"

#include <catch_amalgamated.hpp>

#include "playground/link/legal.h"
#include "playground/link/state_url.h"
#include "playground/random_states.h"
#include "playground/text/format.h"

using namespace attn;
using namespace attn::test;

namespace {

using Lines = std::vector<std::string>;

Lines lines_for(std::string_view link, TensorId stage, int head, int row, int column) {
    const Evaluation evaluation = evaluate(read_link(link).state.inputs, 0);
    return explanation_lines(
        evaluation, explain(*evaluation.problem, evaluation.trace, evaluation.parts, stage, head, row, column));
}

// Two tokens with vectors (1, 2) and (3, 4), every matrix the identity: numbers a reader can check in the head.
const std::string kSimple = "text=a+b&embed=typed&pos=none&x=1,2;3,4&init=identity&d_out=2&heads=1&out=0";

}  // namespace

// Latents, layers without matrices or output projection, and dropout were explained by the formula of a plain layer.
TEST_CASE("the formula of a gradient names the tensors that its terms are from, in their order",
          "[explanation][learn]") {
    const std::string variant =
        GENERATE("", "latent=3", "latent_queries=2", "pos=rope&latent=3&rope_dim=2", "out=0", "init=none&d_in=8",
                 "dropout=0.3", "kv_heads=1", "pos=rope", "pos=alibi", "score_cap=0.5", "score_cap=0.5&pos=alibi",
                 "logit_cap=0.5", "qk_norm=1", "qk_norm=1&pos=rope");
    const Evaluation evaluation =
        evaluate(read_link("text=a+b+c&d_out=8&heads=2&goal=next&" + variant).state.inputs, 0);
    for (const TensorId stage :
         {TensorId::grad_output, TensorId::grad_merged, TensorId::grad_values, TensorId::grad_query_latents,
          TensorId::grad_latents, TensorId::grad_embeddings, TensorId::grad_w_query, TensorId::grad_w_key,
          TensorId::grad_w_value, TensorId::grad_w_down_kv, TensorId::grad_w_query_rope, TensorId::grad_w_out}) {
        if (!has_stage(*evaluation.problem, stage)) continue;
        const Explanation explanation =
            explain(*evaluation.problem, evaluation.trace, evaluation.parts, stage, 0, 0, 0);
        const std::string formula = explanation_lines(evaluation, explanation)[0];
        CAPTURE(variant, tensor_name(stage), formula);
        std::size_t at = formula.find(" = ");
        TensorId last = stage;
        for (const Term& term : explanation.terms) {
            const TensorId gradient = is_gradient(term.a.source.tensor) ? term.a.source.tensor : term.b.source.tensor;
            if (!is_gradient(gradient) || gradient == last) continue;
            last = gradient;
            at = formula.find(tensor_name(gradient), at);
            REQUIRE(at != std::string::npos);
            for (const Factor& factor : {term.a, term.b}) {
                const TensorId tensor = factor.source.tensor;
                const std::string name(tensor == TensorId::embeddings ? "X" : tensor_name(tensor));
                if (factor.has_source) CHECK_THAT(formula, Catch::Matchers::ContainsSubstring(name));
            }
        }
    }
}

TEST_CASE("the heading of terms names one pair of tensors, or none where there are several", "[explanation]") {
    const auto heading = [](const std::string& link, TensorId stage) {
        const Evaluation evaluation = evaluate(read_link(link).state.inputs, 0);
        return terms_heading(explain(*evaluation.problem, evaluation.trace, evaluation.parts, stage, 0, 0, 0).terms);
    };
    CHECK(heading("text=a+b&d_out=8&goal=next", TensorId::output) == "8 PRODUCTS: merged × w_out + b_out");
    CHECK(heading("text=a+b&d_out=8&goal=next", TensorId::grad_embeddings) == "24 PRODUCTS");
    CHECK(heading("text=a+b&d_out=8&goal=next", TensorId::grad_w_key) == "2 PRODUCTS: embeddings × grad_keys");
    CHECK(heading("text=a+b", TensorId::embeddings) == "2 PARTS THAT ARE ADDED");
}

TEST_CASE("with a sink the row sum has its exponential, and the sink says what it takes", "[explanation][sink]") {
    // Row 0 sees itself: a scaled score of 5 / √2 = 3.5355.
    const std::string link = kSimple + "&sink_logits=1&edit=sink_logits[0]=3";
    CHECK(lines_for(link, TensorId::weights, 0, 0, 0) ==
          Lines{"weight = exp(score − row max) / row sum, the sink's exponential in the sum", "row max = 3.5355",
                "row sum = 1.0000 + 0.5854 = 1.5854", "= exp(3.5355 − 3.5355) / row sum", "= 1.0000 / 1.5854",
                "= 0.6308"});
    CHECK(lines_for(link, TensorId::sink_weights, 0, 0, 0) ==
          Lines{"sink's share = exp(sink logit − row max) / row sum", "row max = 3.5355",
                "row sum = 1.0000 + 0.5854 = 1.5854", "= exp(3.0000 − 3.5355) / row sum", "= 0.5854 / 1.5854",
                "= 0.3692"});
}

TEST_CASE("each stage says its formula, its numbers and its result", "[explanation]") {
    CHECK(lines_for(kSimple, TensorId::embeddings, 0, 1, 0) == Lines{"embedding = token vector", "= 3.0000"});
    CHECK(lines_for(kSimple, TensorId::queries, 0, 1, 0) ==
          Lines{"query = X · w_query", "= 3.0000 × 1.0000 + 4.0000 × 0", "= 3.0000"});
    CHECK(lines_for(kSimple, TensorId::scores, 0, 1, 0) ==
          Lines{"score = query · key", "= 3.0000 × 1.0000 + 4.0000 × 2.0000", "= 11.0000"});
    CHECK(lines_for(kSimple, TensorId::scaled_scores, 0, 1, 0) ==
          Lines{"scaled score = score / √head_dim", "= 11.0000 / 1.4142", "= 7.7782"});
    CHECK(lines_for(kSimple + "&temperature=2", TensorId::scaled_scores, 0, 1, 0)[0] ==
          "scaled score = score / (√head_dim × temperature)");
    CHECK(lines_for(kSimple + "&scale=none", TensorId::scaled_scores, 0, 1, 0) ==
          Lines{"scaled score = score / 1", "= 11.0000"});
    CHECK(lines_for(kSimple, TensorId::masked_scores, 0, 1, 0) ==
          Lines{"masked score = scaled score: the key is visible", "= 7.7782"});
    CHECK(lines_for(kSimple, TensorId::context, 0, 0, 1) ==
          Lines{"context = weights · values", "= 1.0000 × 2.0000", "= 2.0000"});
    CHECK(lines_for(kSimple, TensorId::merged, 0, 0, 1) == Lines{"merged = context of head 1, channel 1", "= 2.0000"});
    CHECK(lines_for(kSimple + "&out=1&edit=b_out[0]=5", TensorId::output, 0, 0, 0) ==
          Lines{"output = merged · w_out + b_out", "= 1.0000 × 1.0000 + 2.0000 × 0 + 5.0000", "= 6.0000"});
}

TEST_CASE("a weight shows exponent, row maximum and row sum", "[explanation]") {
    // Scores of row 1 without mask and scale: 11 and 25.
    CHECK(lines_for(kSimple + "&scale=none&mask=none&temperature=10", TensorId::weights, 0, 1, 0) ==
          Lines{"weight = exp(score − row max) / row sum", "row max = 2.5000", "row sum = 0.2466 + 1.0000 = 1.2466",
                "= exp(1.1000 − 2.5000) / row sum", "= 0.2466 / 1.2466", "= 0.1978"});
}

TEST_CASE("a mask after the softmax says what it left, or that it left it so", "[explanation]") {
    const std::string link = kSimple + "&scale=none&temperature=10";
    CHECK(lines_for(link + "&mask_at=after", TensorId::unmasked_weights, 0, 0, 1) ==
          Lines{"softmax = exp(score − row max) / row sum", "row max = 1.1000", "row sum = 0.5488 + 1.0000 = 1.5488",
                "= exp(1.1000 − 1.1000) / row sum", "= 1.0000 / 1.5488", "= 0.6457"});
    CHECK(lines_for(link + "&mask_at=after", TensorId::weights, 0, 1, 0) ==
          Lines{"weight = softmax / what is left of the row", "what is left = 0.1978 + 0.8022 = 1.0000",
                "= 0.1978 / 1.0000", "= 0.1978"});
    CHECK(lines_for(link + "&mask_at=raw", TensorId::weights, 0, 0, 0) ==
          Lines{"weight = softmax of the whole row: the key is visible", "= 0.3543"});
    CHECK(lines_for(link + "&mask_at=raw", TensorId::weights, 0, 0, 1) ==
          Lines{"weight = 0: \"b\" comes after \"a\", so its key is hidden after the softmax"});
}

TEST_CASE("a typed query is said to be typed", "[explanation]") {
    const std::string init = GENERATE("", "&init=none");
    CHECK(lines_for(kSimple + init + "&edit=queries[1,0]=7", TensorId::queries, 0, 1, 0) ==
          Lines{"query = the number set here by hand", "= 7.0000"});
}

TEST_CASE("hidden keys say why", "[explanation]") {
    CHECK(lines_for(kSimple, TensorId::masked_scores, 0, 0, 1) ==
          Lines{"masked score = −∞: \"b\" comes after \"a\", so its key is hidden"});
    CHECK(lines_for(kSimple + "&edit=mask[1,0]=1", TensorId::weights, 0, 1, 0) ==
          Lines{"weight = 0: the mask hides this key, and exp(−∞) is 0"});
}

TEST_CASE("a turned number says its angle, a biased score its slope", "[explanation][rotary][alibi]") {
    const std::string rope = "text=a+b&embed=typed&pos=rope&x=1,2;3,4&init=identity&d_out=2&heads=1&out=0";
    CHECK(lines_for(rope, TensorId::rotated_queries, 0, 1, 0) ==
          Lines{"rotated query = query · cos(angle) − its partner in channel 1 · sin(angle)",
                "angle = position 1 / 10000^(0/2) = 1.0000 radians", "= 3.0000 × 0.5403 + 4.0000 × −0.8415",
                "= −1.7450"});
    CHECK(lines_for(rope + "&pos_shift=2", TensorId::rotated_keys, 0, 1, 1)[0] ==
          "rotated key = key · cos(angle) + its partner in channel 0 · sin(angle)");
    CHECK(lines_for(rope + "&pos_shift=2", TensorId::rotated_keys, 0, 1, 1)[1] ==
          "angle = position 3 / 10000^(0/2) = 3.0000 radians");
    CHECK(lines_for(rope, TensorId::scores, 0, 1, 0)[0] == "score = rotated query · rotated key");
    const std::string alibi = "text=a+b&embed=typed&pos=alibi&x=1,2;3,4&init=identity&d_out=2&heads=2&scale=none&out=0";
    CHECK(lines_for(alibi, TensorId::biased_scores, 0, 1, 0) ==
          Lines{"biased score = scaled score − slope of head 1 · distance", "= 3.0000 + −0.0625", "= 2.9375"});
    CHECK(lines_for(alibi, TensorId::masked_scores, 0, 1, 0)[0] == "masked score = biased score: the key is visible");
}

TEST_CASE("a capped score says its cap, there and on the way back", "[explanation][score_cap]") {
    const std::string link = kSimple + "&scale=none&score_cap=10";
    // Score 3 · 1 + 4 · 2 = 11: 10 tanh(1.1).
    CHECK(lines_for(link, TensorId::capped_scores, 0, 1, 0) == Lines{"capped score = cap · tanh(scaled score / cap)",
                                                                     "tanh(11.0000 / 10) = 0.8005",
                                                                     "= 0.8005 × 10.0000", "= 8.0050"});
    CHECK(lines_for(link, TensorId::masked_scores, 0, 1, 0)[0] == "masked score = capped score: the key is visible");
    CHECK(lines_for(link + "&pos=alibi", TensorId::biased_scores, 0, 1, 0) ==
          Lines{"biased score = capped score − slope of head 1 · distance", "= 8.0050 + −0.0039", "= 8.0011"});
    const std::string goal = link + "&goal=pattern&target=1>0";
    CHECK(lines_for(goal, TensorId::grad_scaled_scores, 0, 1, 0)[0] ==
          "gradient of scaled_scores = grad_capped_scores · (1 - (capped_scores / cap)²)");
    CHECK(lines_for(goal, TensorId::grad_capped_scores, 0, 1, 0)[0] ==
          "gradient of capped_scores = grad_masked_scores");
    const std::string next = kSimple + "&goal=next&d_in=2&logit_cap=2";
    CHECK(lines_for(next, TensorId::capped_logits, 0, 0, 0)[0] == "capped logit = cap · tanh(logit / cap)");
    CHECK(lines_for(next, TensorId::probabilities, 0, 0, 0)[0] ==
          "probability = exp(capped logit − row max) / row sum");
    CHECK(lines_for(next, TensorId::grad_capped_logits, 0, 0, 0)[0] ==
          "gradient of capped_logits = (probability − 1 for the word that follows) / positions");
    CHECK(lines_for(next, TensorId::grad_logits, 0, 0, 0)[0] ==
          "gradient of logits = grad_capped_logits · (1 - (capped_logits / cap)²)");
}

TEST_CASE("a normed number says its root mean square, and its gradient the average", "[explanation][norm]") {
    const std::string link = kSimple + "&scale=none&qk_norm=1&edit=q_norm[1]=0.5";
    CHECK(lines_for(link, TensorId::normed_queries, 0, 1, 1) ==
          Lines{"normed query = query · q_norm / rms",
                "rms = √((3.0000 × 3.0000 + 4.0000 × 4.0000) / 2 + 1e-6) = 3.5355", "= 4.0000 × 0.5000 / 3.5355",
                "= 0.5657"});
    CHECK(lines_for(link, TensorId::scores, 0, 1, 0)[0] == "score = normed query · normed key");
    CHECK(lines_for(link + "&pos=rope", TensorId::rotated_queries, 0, 1, 0)[0] ==
          "rotated query = normed query · cos(angle) − its partner in channel 1 · sin(angle)");
    const std::string goal = link + "&goal=pattern&target=1>0";
    const Lines back = lines_for(goal, TensorId::grad_queries, 0, 1, 1);
    CHECK(back[0] == "gradient of queries = (gradient of the normed query · q_norm − query · average) / rms");
    CHECK(back[2].starts_with("average = ("));
    CHECK(back[2].find(") / (2 · rms) = ") != std::string::npos);
    CHECK(back[3].starts_with("= ("));
    CHECK(back[3].ends_with(") / 3.5355"));
    CHECK(lines_for(goal + "&pos=rope", TensorId::grad_normed_queries, 0, 1, 0)[0] ==
          "gradient of normed queries = gradient of the rotated query · cos(angle) + its partner in channel 1 · "
          "sin(angle)");
}

TEST_CASE("the way from a score to the softmax adds up, with ALiBi too", "[explanation][alibi]") {
    const auto text_for = [](const std::string& link) {
        const Inputs inputs = read_link(link).state.inputs;
        return scaling_text(inputs, evaluate(inputs, 0),
                            {.tensor = TensorId::weights, .head = 0, .row = 2, .column = 0});
    };
    const std::string link = "text=a+b+c&embed=typed&x=1,2;3,4;1,0&init=identity&d_out=2&out=0";
    CHECK(text_for(link + "&heads=1&pos=none") == "÷ √2");
    // Two heads: slopes 1/16 and 1/256, and two tokens from c to a. Its score is 1 · 1, the sum 1 − 2/16.
    CHECK(text_for(link + "&heads=2&pos=alibi&scale=none") == "÷ 1 + −0.0625 × 2.0000");
    CHECK(text_for(link + "&heads=1&pos=none&score_cap=50") == "÷ √2, capped at 50");
    CHECK(lines_for(link + "&heads=2&pos=alibi&scale=none", TensorId::masked_scores, 0, 2, 0).back() == "= 0.8750");
}

TEST_CASE("a key outside the window is said to be", "[explanation]") {
    CHECK(lines_for(kSimple + "&mask_window=1", TensorId::weights, 0, 1, 0) ==
          Lines{"weight = 0: \"a\" lies outside the window of 1 key of \"b\", so its key is hidden, and exp(−∞) is 0"});
    CHECK(lines_for(kSimple + "&mask=none&mask_window=1", TensorId::masked_scores, 0, 0, 1) ==
          Lines{"masked score = −∞: \"b\" lies outside the window of 1 key of \"a\", so its key is hidden"});
    CHECK(lines_for(kSimple + "&mask_window=1&mask_sinks=1&edit=mask[1,0]=1", TensorId::masked_scores, 0, 1, 0) ==
          Lines{"masked score = −∞: the mask hides this key"});
}

TEST_CASE("a later key that only an edit hides is not said to be later", "[explanation]") {
    CHECK(lines_for(kSimple + "&mask=none&edit=mask[0,1]=1", TensorId::weights, 0, 0, 1) ==
          Lines{"weight = 0: the mask hides this key, and exp(−∞) is 0"});
}

TEST_CASE("dropout and its absence are told", "[explanation]") {
    const std::string link = kSimple + "&mask=none&dropout=0.5";
    const Evaluation evaluation = evaluate(read_link(link).state.inputs, 0);
    bool has_kept = false, has_dropped = false;
    for (int i = 0; i < 2; ++i) {
        for (int j = 0; j < 2; ++j) {
            const Lines lines = lines_for(link, TensorId::dropped_weights, 0, i, j);
            const bool is_kept = evaluation.trace.keep(0, i, j) != 0;
            has_kept = has_kept || is_kept;
            has_dropped = has_dropped || !is_kept;
            CHECK(lines[0] == (is_kept ? "dropped weight = weight × 1 / (1 − dropout)"
                                       : "dropped weight = 0: dropout drops this weight"));
            CHECK((lines.back() == "= 0") == !is_kept);
        }
    }
    CHECK((has_kept && has_dropped));
    CHECK(lines_for(link, TensorId::context, 0, 0, 0)[0] == "context = dropped weights · values");
}

TEST_CASE("without matrices queries are X", "[explanation]") {
    CHECK(lines_for(kSimple + "&init=none", TensorId::keys, 0, 1, 1) ==
          Lines{"key = X: there are no matrices", "= 4.0000"});
}

TEST_CASE("the embedding's parts are named", "[explanation]") {
    CHECK(lines_for("text=cat", TensorId::embeddings, 0, 0, 0)[0] == "embedding = hashed vector of \"cat\" + position");
    CHECK(lines_for("text=cat&pos=learned", TensorId::embeddings, 0, 0, 0)[0] ==
          "embedding = hashed vector of \"cat\" + learned position");
    CHECK(lines_for("text=cat&embed=ngrams&pos=none", TensorId::embeddings, 0, 0, 0)[0] ==
          "embedding = hashed vectors of \"cat\" and its 5 n-grams");
    CHECK(lines_for("text=cat&edit=x[0,0]=7", TensorId::embeddings, 0, 0, 0) ==
          Lines{"embedding = the number set here by hand", "= 7.0000"});
}

TEST_CASE("a long sum leaves out its middle and counts it", "[explanation]") {
    const Lines nine = lines_for("text=a&d_in=9", TensorId::queries, 0, 0, 0);
    CHECK(nine[1].find("… (2 more) …") != std::string::npos);
    CHECK(std::count(nine[1].begin(), nine[1].end(), '+') == 7);
    const Lines eight = lines_for("text=a&d_in=8", TensorId::queries, 0, 0, 0);
    CHECK(eight[1].find("more") == std::string::npos);
    CHECK(std::count(eight[1].begin(), eight[1].end(), '+') == 7);
}

TEST_CASE("every cell of random states has lines that end with the number shown", "[explanation][property]") {
    Dice dice(31);
    for (int n = 0; n < 60; ++n) {
        PlaygroundState state = random_state(dice);
        state.inputs.d_in = std::min(state.inputs.d_in, 12);
        state.inputs.d_out = std::min(state.inputs.d_out, 12);
        clamp_to_legal(state);
        const Evaluation evaluation = evaluate(state.inputs, state.view.sentence);
        if (evaluation.is_empty()) continue;
        CAPTURE(write_link(state));
        for (const TensorId stage : present_stages(state.inputs)) {
            const Extent extent = extent_of(evaluation.sizes, stage);
            const CellRef cell{stage, stage_info(stage).has_heads ? dice.below(state.inputs.num_heads) : 0,
                               dice.below(extent.rows), dice.below(extent.columns)};
            const Explanation why = explain(*evaluation.problem, evaluation.trace, evaluation.parts, stage, cell.head,
                                            cell.row, cell.column);
            const Lines lines = explanation_lines(evaluation, why);
            REQUIRE_FALSE(lines.empty());
            if (!why.is_hidden) CHECK(lines.back() == "= " + shown_number(static_cast<double>(why.shown)));
            CHECK_FALSE(cell_title(evaluation, cell).empty());
        }
    }
}

TEST_CASE("a cell's title says where it stands", "[explanation]") {
    const Evaluation evaluation = evaluate(read_link("text=a+tree").state.inputs, 0);
    CHECK(cell_title(evaluation, {TensorId::weights, 1, 1, 0}) == "weights, head 2, query 1 \"tree\", key 0 \"a\"");
    CHECK(cell_title(evaluation, {TensorId::output, 0, 0, 3}) == "output, token 0 \"a\", channel 3");
}
