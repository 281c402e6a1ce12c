#include "share/opening/import_tensor.h"
#include "core/fast/attend.h"
#include "share/opening/array_block.h"
#include "share/opening/open_file.h"

#include <catch_amalgamated.hpp>
#include <cmath>
#include <limits>

#include "playground/link/legal.h"
#include "playground/link/state_url.h"
#include "playground/numbers/evaluation.h"
#include "playground/random_states.h"
#include "share/exports/data_files.h"
#include "share/opening/place_tensors.h"

namespace attn {
namespace {

using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::StartsWith;

// An array of this shape counting up in eighths.
NumberArray counting(std::vector<std::int64_t> shape) {
    std::int64_t count = 1;
    for (const std::int64_t length : shape) count *= length;
    NumberArray array = {.shape = std::move(shape), .numbers = {}};
    for (std::int64_t i = 0; i < count; ++i) array.numbers.push_back(static_cast<double>(i + 1) / 8);
    return array;
}

PlaygroundState state_of(std::string_view link) {
    return read_link(link).state;
}

FileOffer offered(std::string_view name, const NumberArray& array, const PlaygroundState& state) {
    const Result<FileOffer> offer = offer_array(name, array, state);
    INFO(name << ": " << offer.error());
    REQUIRE(offer);
    REQUIRE_FALSE(offer->choices.empty());
    for (const FileChoice& choice : offer->choices) {
        PlaygroundState again = choice.state;
        CHECK(clamp_to_legal(again).empty());
        CHECK(again == choice.state);
    }
    return *offer;
}

std::string refusal(std::string_view name, const NumberArray& array, const PlaygroundState& state) {
    const Result<FileOffer> offer = offer_array(name, array, state);
    REQUIRE_FALSE(offer);
    return offer.error();
}

std::vector<std::string> labels(const FileOffer& offer) {
    std::vector<std::string> labels;
    for (const FileChoice& choice : offer.choices) labels.push_back(choice.label);
    return labels;
}

AttentionProblem problem_of(const PlaygroundState& state, int sentence = 0) {
    return *evaluate(state.inputs, sentence).problem;
}

// Whether the tensor holds the array's numbers in their order.
template <class Tensor>
bool holds(const Tensor& tensor, const NumberArray& array) {
    return std::equal(tensor.begin(), tensor.end(), array.numbers.begin(), array.numbers.end(),
                      [](float a, double b) { return static_cast<double>(a) == b; });
}

TEST_CASE("an array with a name and the right shape is taken over without asking", "[import]") {
    const PlaygroundState state = state_of("text=a+b+c&pos=none&d_in=5&d_out=4&heads=2&bias=1");
    const auto [name, rows, columns] = GENERATE(table<std::string, int, int>({{"w_query.npy", 5, 4},
                                                                              {"W_k.csv", 5, 4},
                                                                              {"w_value", 5, 4},
                                                                              {"w_out.npy", 4, 4},
                                                                              {"b_query.npy", 1, 4},
                                                                              {"b_out", 1, 4},
                                                                              {"x.npy", 3, 5},
                                                                              {"queries.npy", 3, 4},
                                                                              {"values", 3, 4}}));
    const NumberArray array = counting({rows, columns});
    const FileOffer offer = offered(name, array, state);
    INFO(name << ": " << offer.question);
    CHECK(offer.is_certain);
    REQUIRE(offer.choices.size() == 1);
    const PlaygroundState& after = offer.choices[0].state;
    CHECK(after.inputs.d_in == 5);
    CHECK(after.inputs.d_out == 4);
    const AttentionProblem problem = problem_of(after);
    const Projections& learned = problem.projections;
    const AttentionTrace trace = attend(problem);
    const bool is_there = holds(learned.w_query, array) || holds(learned.w_key, array) ||
                          holds(learned.w_value, array) || holds(learned.w_out, array) ||
                          holds(learned.b_query, array) || holds(learned.b_out, array) ||
                          holds(problem.embeddings, array) || problem.typed_roles.size() == 12;
    CHECK(is_there);
}

TEST_CASE("nn.Linear's weight is transposed", "[import]") {
    const PlaygroundState state = state_of("text=a+b&d_in=3&d_out=2&heads=1");
    const FileOffer offer = offered("W_query.weight.npy", counting({2, 3}), state);
    CHECK(offer.is_certain);
    const Matrix w_query = problem_of(offer.choices[0].state).projections->w_query;
    CHECK(w_query(0, 0) == 0.125F);
    CHECK(w_query(1, 0) == 0.25F);
    CHECK(w_query(0, 1) == 0.5F);
    // A square one too: only its name tells.
    const PlaygroundState square = state_of("text=a+b&d_in=2&d_out=2&heads=1");
    CHECK(problem_of(offered("att.W_key.weight", counting({2, 2}), square).choices[0].state).projections->w_key(1, 0) ==
          0.25F);
    CHECK(problem_of(offered("W_key", counting({2, 2}), square).choices[0].state).projections->w_key(0, 1) == 0.25F);
}

TEST_CASE("a shape that does not fit is asked about, with both shapes", "[import]") {
    const PlaygroundState state = state_of("text=a+b+c&pos=none&d_in=8&d_out=4&heads=4");
    const FileOffer offer = offered("w_query.npy", counting({6, 3}), state);
    CHECK_FALSE(offer.is_certain);
    CHECK(offer.question == "\"w_query.npy\" holds (6, 3) numbers, and w_query, (d_in, d_out), is (8, 4) here.");
    CHECK(labels(offer) == std::vector<std::string>{"as w_query, d_in becomes 6, d_out becomes 3, heads become 3"});
    const PlaygroundState& after = offer.choices[0].state;
    CHECK(holds(problem_of(after).projections->w_query, counting({6, 3})));
    CHECK(problem_of(after).projections->w_key.shape(0) == 6);

    // Another tensor that it fits as it is.
    const FileOffer other = offered("w_query.npy", counting({4, 4}), state);
    CHECK(labels(other) == std::vector<std::string>{"as w_query, d_in becomes 4", "as w_out"});
    CHECK_FALSE(other.is_certain);
}

TEST_CASE("an array without a name is asked about, unless it fits one tensor only", "[import]") {
    const PlaygroundState state = state_of("text=a+b+c&pos=none&d_in=8&d_out=4&heads=2");
    const FileOffer several = offered("numbers.npy", counting({8, 4}), state);
    CHECK_FALSE(several.is_certain);
    CHECK_THAT(several.question, StartsWith("\"numbers.npy\" holds (8, 4) numbers. What are they?"));
    CHECK(labels(several) == std::vector<std::string>{"as w_query", "as w_key", "as w_value", "as X, d_in becomes 4"});
    const FileOffer one = offered("numbers.npy", counting({3, 8}), state);
    CHECK(one.is_certain);
    CHECK(labels(one) == std::vector<std::string>{"as X"});
    const FileOffer turned = offered("numbers.npy", counting({4, 8}), state);
    CHECK_FALSE(turned.is_certain);
    CHECK_THAT(labels(turned)[1], StartsWith("as w_query, transposed"));
    const FileOffer none = offered("numbers.npy", counting({5, 7}), state);
    CHECK_FALSE(none.is_certain);
    CHECK(labels(none) == std::vector<std::string>{"as X, d_in becomes 7",
                                                   "as w_query, d_in becomes 5, d_out becomes 7, heads become 1",
                                                   "as w_key, d_in becomes 5, d_out becomes 7, heads become 1",
                                                   "as w_value, d_in becomes 5, d_out becomes 7, heads become 1"});
}

TEST_CASE("X says what becomes of rows without tokens, and of positions", "[import]") {
    const FileOffer few = offered("x.npy", counting({2, 4}), state_of("text=a+b+c+d+e&pos=none&d_in=4"));
    CHECK_FALSE(few.is_certain);
    CHECK_THAT(few.question, ContainsSubstring("5 tokens") && ContainsSubstring("the last 3 count as 0"));
    const FileOffer many = offered("x.npy", counting({7, 4}), state_of("text=a+b&pos=none&d_in=4"));
    CHECK_THAT(many.question, ContainsSubstring("the last 5 rows would not be used"));

    const NumberArray x = counting({2, 4});
    const FileOffer with_positions = offered("x.npy", x, state_of("text=a+b&pos=sin&d_in=4&edit=x[0,0]=9"));
    CHECK_FALSE(with_positions.is_certain);
    REQUIRE(labels(with_positions) == std::vector<std::string>{"as X", "as X, and the positions are added to it"});
    CHECK(holds(problem_of(with_positions.choices[0].state).embeddings, x));
    CHECK_THAT(with_positions.choices[0].notes.at(0), ContainsSubstring("pos set to none"));
    const AttentionProblem added = problem_of(with_positions.choices[1].state);
    CHECK(added.embeddings(0, 1) == 0.25F + 1);  // cos(0) is added
    const FileOffer with_learned = offered("x.npy", x, state_of("text=a+b&pos=learned&d_in=4"));
    REQUIRE(labels(with_learned) == labels(with_positions));
    CHECK(holds(problem_of(with_learned.choices[0].state).embeddings, x));
    CHECK_FALSE(holds(problem_of(with_learned.choices[1].state).embeddings, x));
}

TEST_CASE("the other sentences of a batch keep their vectors", "[import]") {
    for (const char* link : {"text=a+b&text=c+d+e&pos=none&d_in=4&sentence=2",
                             "text=a+b&text=c+d+e&pos=none&d_in=4&sentence=2&embed=typed&x=1,2,3,4;5,6,7,8"}) {
        const PlaygroundState state = state_of(link);
        const NumberArray x = counting({3, 4});
        const PlaygroundState after = offered("x.npy", x, state).choices[0].state;
        CHECK(holds(problem_of(after, 1).embeddings, x));
        CHECK(problem_of(after, 0).embeddings == problem_of(state, 0).embeddings);
    }
}

TEST_CASE("a mask holds 0 and 1, a row and a column a token", "[import]") {
    const PlaygroundState state = state_of("text=a+b+c&pos=none");
    const NumberArray mask = {.shape = {3, 3}, .numbers = {0, 0, 1, 1, 0, 1, 0, 0, 0}};
    const FileOffer offer = offered("mask.npy", mask, state);
    CHECK(offer.is_certain);
    const PlaygroundState& after = offer.choices[0].state;
    const Flags hidden = problem_of(after).hidden;
    CHECK(std::equal(hidden.begin(), hidden.end(), mask.numbers.begin()));
    CHECK(after.inputs.edits.size() == 2);  // the rest is the causal mask's already
    CHECK_THAT(
        refusal("mask.npy", {.shape = {3, 3}, .numbers = std::vector<double>(9, 0.5)}, state_of("text=a+b+c&d_in=4")),
        ContainsSubstring("0.5"));
    const FileOffer wrong = offered("mask.npy", counting({4, 4}), state_of("text=a+b+c&d_in=4&d_out=4"));
    CHECK_THAT(wrong.question, ContainsSubstring("mask cannot be (4, 4)"));
    CHECK_FALSE(wrong.is_certain);
}

// Whether key j is hidden from query i in the state of a choice.
Flags hidden_in(const FileChoice& choice) {
    return problem_of(choice.state).hidden;
}

TEST_CASE("whether the ones of a mask hide or let through is asked where both can be meant", "[import]") {
    const PlaygroundState state = state_of("text=a+b+c&pos=none&mask=none");
    const std::vector<double> lower = {1, 0, 0, 1, 1, 0, 1, 1, 1};
    const std::vector<double> upper = {0, 1, 1, 0, 0, 1, 0, 0, 0};
    const auto* name = GENERATE("mask.npy", "attn_mask.npy");
    for (const bool is_boolean : {false, true}) {
        CAPTURE(name, is_boolean);
        // torch.tril(torch.ones(3, 3)): read as here, the last token would see nothing.
        const FileOffer visible = offered(name, {.shape = {3, 3}, .numbers = lower, .is_boolean = is_boolean}, state);
        CHECK_FALSE(visible.is_certain);
        REQUIRE(visible.choices.size() >= 2);
        CHECK_THAT(visible.choices[0].label, StartsWith("as mask: 1 lets it through"));
        CHECK_THAT(visible.choices[1].label, StartsWith("as mask: 1 hides the key"));
        CHECK(std::ranges::equal(hidden_in(visible.choices[0]), upper));
    }
    const FileOffer hidden = offered("mask.npy", {.shape = {3, 3}, .numbers = upper, .is_boolean = true}, state);
    CHECK_FALSE(hidden.is_certain);
    REQUIRE(hidden.choices.size() == 2);
    CHECK_THAT(hidden.choices[0].label, StartsWith("as mask: 1 hides the key"));
    CHECK(std::ranges::equal(hidden_in(hidden.choices[0]), upper));
    CHECK(offered("mask.npy", {.shape = {3, 3}, .numbers = upper}, state).is_certain);  // as files of this program are
}

TEST_CASE("an archive with a mask of true and false asks the same", "[import]") {
    const PlaygroundState state = state_of("text=a+b&pos=none&mask=none&d_in=2&d_out=2&heads=1");
    const std::vector<NamedArray> arrays = {
        {.name = "w_query", .array = {.shape = {2, 2}, .numbers = {1, 2, 3, 4}}},
        {.name = "mask", .array = {.shape = {2, 2}, .numbers = {1, 0, 1, 1}, .is_boolean = true}}};
    const Result<FileOffer> offer = offer_arrays("both.npz", arrays, state);
    REQUIRE(offer);
    CHECK_FALSE(offer->is_certain);
    REQUIRE(offer->choices.size() == 2);
    CHECK_THAT(offer->choices[0].label, ContainsSubstring("lets it through"));
    CHECK(std::ranges::equal(hidden_in(offer->choices[0]), std::vector<int>{0, 1, 0, 0}));
    for (const FileChoice& choice : offer->choices) CHECK(problem_of(choice.state).projections->w_query(1, 0) == 3);
}

TEST_CASE("tensors that are switched off are switched on", "[import]") {
    const FileOffer bias = offered("b_key.npy", counting({4}), state_of("text=a+b&d_out=4&bias=0"));
    CHECK(labels(bias) == std::vector<std::string>{"as b_key, the biases are switched on", "as b_out"});
    CHECK_FALSE(bias.is_certain);
    CHECK(holds(problem_of(bias.choices[0].state).projections->b_key, counting({4})));
    const FileOffer simple = offered("w_query.npy", counting({4, 4}), state_of("text=a+b&init=none&d_in=4"));
    CHECK_THAT(labels(simple)[0], ContainsSubstring("init becomes torch.linear"));
    CHECK(holds(problem_of(simple.choices[0].state).projections->w_query, counting({4, 4})));
}

TEST_CASE("what makes latents switches them on, and is no wider than d_out", "[import]") {
    const PlaygroundState state = state_of("text=a+b&d_in=8&d_out=4");
    const FileOffer down = offered("W_DKV.npy", counting({8, 3}), state);
    CHECK(labels(down) == std::vector<std::string>{"as w_down_kv, latent becomes 3"});
    const AttentionProblem problem = problem_of(down.choices[0].state);
    CHECK(holds(problem.projections->w_down_kv, counting({8, 3})));
    CHECK(problem.projections->w_key.shape(0) == 3);
    CHECK(labels(offered("w_down_query.npy", counting({8, 2}), state)) ==
          std::vector<std::string>{"as w_down_query, latent_queries becomes 2"});
    CHECK_THAT(refusal("w_down_kv.npy", counting({8, 5}), state),
               ContainsSubstring("latent is at most d_out, which is 4"));
    // With a latent w_key has as many rows as the latent has numbers.
    const PlaygroundState with_latent = state_of("text=a+b&d_in=8&d_out=4&latent=3");
    CHECK(labels(offered("w_key.npy", counting({3, 4}), with_latent))[0] == "as w_key");
}

TEST_CASE("what makes position keys switches the rotary part on, beside a latent", "[import]") {
    const PlaygroundState state = state_of("text=a+b&d_in=8&d_out=4&heads=2&latent=3");
    const FileOffer keys = offered("W_KR.npy", counting({8, 4}), state);
    REQUIRE_FALSE(keys.choices.empty());
    CHECK_THAT(labels(keys)[0], ContainsSubstring("as w_key_rope"));
    const AttentionProblem problem = problem_of(keys.choices[0].state);
    CHECK(holds(problem.projections->w_key_rope, counting({8, 4})));
    CHECK(problem.rope_dim() == 4);
    const FileOffer queries = offered("w_query_rope.npy", counting({8, 12}), state);
    CHECK(problem_of(queries.choices[0].state).rope_dim() == 6);
}

TEST_CASE("numbers that stand there already are no edits", "[import]") {
    const PlaygroundState state = state_of("text=a+b&d_in=3&d_out=2&heads=1&edit=w_query[0,0]=5");
    const Matrix w_query = problem_of(state).projections->w_query;
    NumberArray array = {.shape = {3, 2}, .numbers = {}};
    array.numbers.assign(w_query.begin(), w_query.end());
    CHECK(offered("w_query.npy", array, state).choices[0].state == state);
}

TEST_CASE("what cannot be used is refused with a sentence that says where", "[import][bad-input]") {
    const PlaygroundState state = state_of("text=a+b&pos=none&d_in=4&d_out=4");
    NumberArray array = counting({2, 4});
    array.numbers[6] = std::numeric_limits<double>::quiet_NaN();
    CHECK(refusal("x.npy", array, state) == "\"x.npy\" has NaN at row 1, column 2: only finite numbers can be used.");
    array.numbers[6] = -std::numeric_limits<double>::infinity();
    CHECK_THAT(refusal("x.npy", array, state), ContainsSubstring("minus infinity at row 1, column 2"));
    array.numbers[6] = 1e39;
    CHECK_THAT(refusal("x.npy", array, state), ContainsSubstring("too large for a float"));
    CHECK_THAT(refusal("x.npy", counting({2, 3, 4}), state), ContainsSubstring("(2, 3, 4)"));
    CHECK_THAT(refusal("x.npy", counting({1, 1, 1, 4}), state), ContainsSubstring("(1, 1, 1, 4)"));
    CHECK_THAT(refusal("x.npy", {.shape = {0, 4}, .numbers = {}}, state), ContainsSubstring("no number"));
    CHECK_THAT(refusal("x.npy", {.shape = {}, .numbers = {1}}, state), ContainsSubstring("()"));
    CHECK_THAT(refusal("x.npy", counting({2, 1025}), state),
               ContainsSubstring("(2, 1025)") && ContainsSubstring("1,024"));
    CHECK_THAT(refusal("x.npy", counting({2049, 4}), state), ContainsSubstring("2,048 rows"));
    CHECK_THAT(refusal("x.npy", counting({2000, 200}), state), ContainsSubstring("262,144"));
    CHECK_THAT(refusal("w_key.npy", counting({200, 200}), state), ContainsSubstring("20,000"));
    CHECK(offered("x.npy", counting({1, 2, 4}), state).is_certain);
    CHECK(refusal("x.npy", {.shape = {4194304, 1}, .numbers = {}}, state) ==
          "\"x.npy\" is (4194304, 1): no matrix here has more than 2,048 rows.");
    CHECK(why_no_tensor("x.npy", std::vector<std::int64_t>{1, 7, 2049}) ==
          "\"x.npy\" is (1, 7, 2049): no matrix here has more than 2,048 columns.");
    CHECK(why_no_tensor("x.npy", std::vector<std::int64_t>{2048, 2048}).empty());
}

// NaN, which huge numbers lead to, is the same as NaN.
bool is_same(const Matrix& a, const Matrix& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](float left, float right) { return left == right || (std::isnan(left) && std::isnan(right)); });
}

// Of an archive that write_state_npz made.
Result<FileOffer> offer_npz(const PlaygroundState& from, const PlaygroundState& to) {
    const Result<std::string> bytes = write_state_npz(from, evaluate(from.inputs, from.view.sentence));
    REQUIRE(bytes);
    return open_file({.name = "a.npz", .bytes = *bytes}, to);
}

TEST_CASE("sink logits switch sinks on, and there is one a head", "[import][sink]") {
    const PlaygroundState state = state_of("text=a+b+c&heads=2&mask_at=raw");
    const FileOffer offer = offered("sink_logits.npy", counting({2}), state);
    const Inputs& inputs = offer.choices.at(0).state.inputs;
    CHECK(inputs.sink_logits);
    CHECK(inputs.mask_at == MaskAt::before);
    CHECK(evaluate(inputs, 0).problem->projections->sink_logits(1) == 0.25F);
    CHECK_THAT(refusal("sink_logits.npy", counting({3}), state),
               ContainsSubstring("it has one number a head, and there are 2"));
}

TEST_CASE("weights of a norm switch norms on, and are as many as a head has columns", "[import][norm]") {
    const PlaygroundState state = state_of("text=a+b+c&heads=2&d_out=4");
    for (const auto& [name, tensor] :
         {std::pair("q_norm.weight.npy", TensorId::q_norm), std::pair("k_norm.npy", TensorId::k_norm)}) {
        const FileOffer offer = offered(name, counting({2}), state);
        const Inputs& inputs = offer.choices.at(0).state.inputs;
        CHECK(inputs.qk_norm);
        const Projections learned = evaluate(inputs, 0).problem->projections;
        CHECK(numbers_of(learned, tensor)[1] == 0.25F);
        CHECK(numbers_of(learned, tensor == TensorId::q_norm ? TensorId::k_norm : TensorId::q_norm)[1] == 1);
    }
    CHECK(offered("q_norm.npy", counting({3}), state).choices.at(0).state.inputs.d_out == 6);  // two heads of 3
    CHECK_THAT(refusal("q_norm.npy", counting({2}), state_of("text=a+b+c&heads=2&d_out=4&latent=2")),
               ContainsSubstring("what is made of a latent is not normed"));
}

TEST_CASE("an archive of one state gives another the same numbers", "[import][property]") {
    int num_taken = 0;
    for (std::uint32_t seed = 0; seed < 80; ++seed) {
        test::Dice dice(seed);
        PlaygroundState from = test::random_state(dice);
        from.view.check.clear();
        from.view.hide.clear();
        from.inputs.texts = {"a small step for a cat"};
        from.inputs.dropout = 0;
        from.inputs.mask_at = MaskAt::before;
        from.inputs.init = Init::torch_rand;
        clamp_to_legal(from);
        std::erase_if(from.inputs.edits, [](const Edit& edit) { return edit.tensor < TensorId::w_query; });
        const int num_learned = from.inputs.d_out * (3 * from.inputs.d_in + from.inputs.d_out);
        if (num_learned > 15000) continue;  // kMaxEdits, with the mask's
        PlaygroundState to = from;
        to.inputs.seed ^= 77;
        to.inputs.edits.clear();
        to.inputs.embed = EmbeddingKind::hash;
        to.inputs.mask = Mask::none;
        INFO(write_link(from));
        const Result<FileOffer> offer = offer_npz(from, to);
        INFO(offer.error());
        REQUIRE(offer);
        CHECK(offer->is_certain);
        ++num_taken;
        const Evaluation a = evaluate(from.inputs, 0), b = evaluate(offer->choices[0].state.inputs, 0);
        CHECK(a.problem->embeddings == b.problem->embeddings);
        CHECK(a.problem->hidden == b.problem->hidden);
        CHECK(is_same(a.trace.merged, b.trace.merged));
        CHECK(is_same(a.trace.output, b.trace.output));
    }
    CHECK(num_taken > 40);
}

TEST_CASE("an archive of other sizes is asked about", "[import]") {
    const PlaygroundState from = state_of("text=a+b&d_in=6&d_out=3&heads=1");
    const Result<FileOffer> offer = offer_npz(from, state_of("text=a+b"));
    REQUIRE(offer);
    CHECK_FALSE(offer->is_certain);
    CHECK_THAT(offer->question, ContainsSubstring("X (2, 6)") && ContainsSubstring("Here d_in is 8, d_out is 4."));
    CHECK_THAT(offer->choices[0].label, ContainsSubstring("d_in becomes 6, d_out becomes 3, heads become 1"));
    CHECK(evaluate(offer->choices[0].state.inputs, 0).trace.output == evaluate(from.inputs, 0).trace.output);

    const Result<FileOffer> longer = offer_npz(from, state_of("text=a+b+c&d_in=6&d_out=3&heads=1"));
    REQUIRE(longer);
    CHECK_FALSE(longer->is_certain);
    std::string notes;
    for (const std::string& note : longer->choices[0].notes) notes += note + "\n";
    CHECK_THAT(notes, ContainsSubstring("another length: \"mask\""));
    CHECK_THAT(notes, ContainsSubstring("\"queries\""));
}

TEST_CASE("the sentences of a batch find their arrays by number", "[import]") {
    const PlaygroundState from = state_of("text=a+b&text=c+d+e");
    PlaygroundState to = from;
    to.inputs.embed_seed = 4;
    const Result<FileOffer> offer = offer_npz(from, to);
    REQUIRE(offer);
    for (int s = 0; s < 2; ++s) {
        CHECK(evaluate(offer->choices[0].state.inputs, s).trace.output == evaluate(from.inputs, s).trace.output);
    }
    const Result<FileOffer> single = offer_npz(from, state_of("text=a+b"));
    REQUIRE(single);
    CHECK(evaluate(single->choices[0].state.inputs, 0).trace.output == evaluate(from.inputs, 0).trace.output);
}

TEST_CASE("arrays of one archive that contradict each other are refused", "[import][bad-input]") {
    const std::vector<NpzArray> arrays = {{.name = "w_query", .shape = {2, 2}, .numbers = {1, 2, 3, 4}},
                                          {.name = "w_key", .shape = {1, 2}, .numbers = {1, 2}}};
    const Result<FileOffer> offer = open_file({.name = "a.npz", .bytes = write_npz(arrays)}, state_of("text=a"));
    REQUIRE_FALSE(offer);
    CHECK_THAT(offer.error(), ContainsSubstring("w_key is (1, 2)") && ContainsSubstring("w_query is (2, 2)") &&
                                  ContainsSubstring("d_in cannot be both"));
}

}  // namespace
}  // namespace attn
