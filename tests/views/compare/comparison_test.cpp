// B beside A: what a link keeps of it, what differs, and the difference of the numbers.
#include "playground/link/other_link.h"
#include "views/compare/compare_words.h"

#include <catch_amalgamated.hpp>
#include <limits>

#include "core/ground/check.h"
#include "playground/link/legal.h"
#include "playground/link/state_url.h"
#include "playground/random_states.h"
#include "views/words/view_text.h"

using namespace attn;
using namespace attn::test;

namespace {

std::string legal(std::string_view link) {
    Notes notes;
    return legal_compare(link, notes);
}

Comparison compared(std::string_view a, std::string_view b, TensorId stage, int head_a = 0, int head_b = 0) {
    return compare(evaluate(read_link(a).state.inputs, 0), evaluate(read_link(b).state.inputs, 0), stage, head_a,
                   head_b);
}

}  // namespace

TEST_CASE("a link keeps of B what decides its numbers, its sentence and its head", "[compare]") {
    CHECK(legal("") == "");
    CHECK(legal("seed=7") == "v=1&seed=7");
    CHECK(legal("https://host.example/page#seed=7&heads=1") == "v=1&heads=1&seed=7");
    CHECK(legal("seed=7&view=lines&stage=context&theme=dark&hide=legend&cell=1,2,1&check=all&score=1/2") ==
          "v=1&seed=7");
    CHECK(legal("text=a&text=b&sentence=2&head=2") == "v=1&text=a&text=b&sentence=2&head=2");
    CHECK(legal("compare=v%3D1%26seed%3D9&seed=7") == "v=1&seed=7");
    CHECK(legal("%63ompare=seed%3D9&seed=7") == "v=1&seed=7");  // the key's own percent-encoding
}

TEST_CASE("what had to be changed in B is noted as B's", "[compare][bad-input]") {
    Notes notes;
    CHECK(legal_compare("heads=3", notes) == legal("heads=2"));
    REQUIRE(notes.size() == 1);
    CHECK(notes[0].starts_with("B: heads set to 2: 4 channels"));
    CHECK(read_link("view=compare&compare=heads%3D3").notes == notes);

    notes.clear();
    CHECK(legal_compare("nonsense", notes) == "v=1");
    CHECK(notes.size() == 1);

    notes.clear();
    CHECK(legal_compare("text=" + std::string(kMaxCompareBytes, 'x'), notes) == "");
    CHECK(notes == Notes{"B left out: its link is longer than 1 MiB"});
    notes.clear();
    std::string umlauts = "text=";  // short enough as they are, too long once they are percent-encoded
    while (umlauts.size() < kMaxCompareBytes / 12) umlauts += "\xC3\xA4";
    std::string many;
    for (int k = 0; k < 11; ++k) many += umlauts + "&";
    CHECK(legal_compare(many, notes) == "");
    CHECK(notes == Notes{"B left out: its link is longer than 1 MiB"});
}

TEST_CASE("a B inside B inside B is not read", "[compare][bad-input]") {
    std::string link = "seed=1";
    for (int depth = 0; depth < 400; ++depth) link = "compare=" + link;
    CHECK(legal(link) == "v=1");
    Notes notes;
    CHECK(legal_compare("compare=compare%3Dheads%253D3", notes) == "v=1");
    CHECK(notes.empty());  // nobody looked at the three heads
}

TEST_CASE("B is legal and canonical, whatever bytes were typed", "[compare][property][bad-input]") {
    Dice dice(31);
    for (int n = 0; n < 300; ++n) {
        PlaygroundState state = random_state(dice);
        clamp_to_legal(state);
        const std::string typed = dice.coin() ? write_link(state) : dice.bytes(40);
        const std::string once = legal(typed);
        CAPTURE(n, typed);
        Notes notes;
        CHECK(legal_compare(once, notes) == once);
        CHECK(notes.empty());

        PlaygroundState with_b = state;
        with_b.view.compare = typed;
        clamp_to_legal(with_b);
        CHECK(read_link(write_link(with_b)).state == with_b);
    }
}

TEST_CASE("B has the numbers of the state it was made from", "[compare]") {
    const PlaygroundState state = read_link("text=a+b&text=c+d+e&sentence=2&head=2&seed=9&edit=w_key[0,0]=3").state;
    const PlaygroundState other = read_link(link_as_other(state)).state;
    CHECK(other.inputs == state.inputs);
    CHECK(other.view.sentence == 1);
    CHECK(other.view.head == 1);
    CHECK(other.view.compare.empty());
}

TEST_CASE("A and B swap numbers, not how they are looked at", "[compare]") {
    PlaygroundState state = read_link("seed=5&head=2&view=compare&stage=context&compare=seed%3D6%26heads%3D1").state;
    const PlaygroundState before = state;
    swap_with_other(state);
    CHECK(state.inputs.seed == 6);
    CHECK(state.inputs.num_heads == 1);
    CHECK(state.view.head == std::nullopt);
    CHECK(state.view.stage == TensorId::context);
    CHECK(state.view.compare == "v=1&seed=5&head=2");
    swap_with_other(state);
    CHECK(state == before);
}

TEST_CASE("the quick choices change what they say and nothing else", "[compare]") {
    const auto of = [](std::string_view link, std::string_view name) -> std::string {
        for (const QuickOther& other : quick_others(read_link(link).state)) {
            if (other.name == name) return other.link;
        }
        return "absent";
    };
    CHECK(of("seed=5", "seed") == "v=1&seed=6");
    CHECK(of("seed=18446744073709551615", "seed") == "v=1&seed=0");
    CHECK(of("init=none&d_out=8", "seed") == "absent");
    CHECK(of("", "typed") == "absent");
    CHECK(of("edit=w_key[0,0]=3&seed=5", "typed") == "v=1&seed=5");
    CHECK(of("", "sentence") == "absent");
    CHECK(of("text=a&text=b", "sentence") == "v=1&text=a&text=b&sentence=2");
    CHECK(of("text=a&text=b&sentence=2", "sentence") == "v=1&text=a&text=b");
    CHECK(of("head=2", "heads") == "v=1&heads=1");
    CHECK(of("heads=1", "heads") == "v=1");
    CHECK(of("heads=1&d_out=5", "heads") == "absent");
    CHECK(of("", "mask_at") == "v=1&mask_at=after");
    CHECK(of("mask_at=raw", "mask_at") == "v=1");
    CHECK(of("", "pos_shift") == "absent");
    CHECK(of("pos=rope", "pos_shift") == "v=1&pos=rope&pos_shift=100");
    CHECK(of("pos=rope&pos_shift=7", "pos_shift") == "v=1&pos=rope");
    CHECK(of("pos=rope", "rope_pairs") == "v=1&pos=rope&rope_pairs=neighbours");
    CHECK(of("pos=rope&rope_pairs=neighbours", "rope_pairs") == "v=1&pos=rope");
}

TEST_CASE("a sentence that is slid turns all queries and keys, and its scores differ by rounding alone", "[compare]") {
    const auto slid = [](TensorId stage) { return compared("pos=rope", "pos=rope&pos_shift=100", stage); };
    for (const TensorId turned : {TensorId::rotated_queries, TensorId::rotated_keys}) {
        const Comparison comparison = slid(turned);
        CHECK_FALSE(comparison.is_rounding());
        CHECK(comparison.largest > 0.1F);
    }
    for (const TensorId same : {TensorId::queries, TensorId::keys}) CHECK(slid(same).largest == 0);
    for (const TensorId stage : {TensorId::scores, TensorId::weights}) CHECK(slid(stage).is_rounding());
    // Other pairs are other numbers, in the scores too.
    const Comparison pairs = compared("pos=rope&heads=1", "pos=rope&heads=1&rope_pairs=neighbours", TensorId::scores);
    CHECK_FALSE(pairs.is_rounding());
}

TEST_CASE("the differing keys in words", "[compare]") {
    const auto words = [](std::string_view a, std::string_view b) {
        return differences_in_words(read_link(a).state, read_link(b).state);
    };
    using Words = std::vector<std::string>;
    CHECK(words("seed=5", "seed=5&theme=dark&view=lines").empty());
    CHECK(words("", "seed=124") == Words{"seed 124 instead of 123"});
    CHECK(words("", "bias=1&mask=none") == Words{"mask none instead of causal", "bias on instead of off"});
    CHECK(words("text=a", "text=b") == Words{"sentence \"b\" instead of \"a\""});
    CHECK(words("text=a", "text=a&text=b") == Words{"sentence: 2 instead of 1"});
    CHECK(words("edit=w_key[0,0]=3", "") == Words{"edits: 0 instead of 1"});
    CHECK(words("edit=w_key[0,0]=3", "edit=w_key[0,0]=4") == Words{"other edits"});
    CHECK(words("", "head=1").empty());  // the first head is compared without a choice
    CHECK(words("", "head=2") == Words{"head 2 instead of 1"});
}

TEST_CASE("a difference is a - b, cell by cell", "[compare]") {
    const Comparison comparison = compared("seed=1", "seed=2", TensorId::weights);
    REQUIRE(comparison.reason.empty());
    float largest = 0;
    for (int i = 0; i < 11; ++i) {
        for (int j = 0; j < 11; ++j) {
            const float difference = comparison.difference(i, j);
            if (j > i) {
                CHECK(difference == -std::numeric_limits<float>::infinity());
                continue;
            }
            CHECK(difference == comparison.a(i, j) - comparison.b(i, j));
            largest = std::max(largest, std::abs(difference));
        }
    }
    CHECK(largest > 0);
    CHECK(comparison.largest == largest);
    CHECK(comparison.has_same_tokens);
    CHECK(comparison_in_words(comparison).starts_with("largest difference "));
    for (int i = 0; i < 11; ++i) {
        for (int j = 0; j <= i; ++j) {
            if (std::abs(comparison.difference(i, j)) != largest) continue;
            const auto& tokens = evaluate(Inputs(), 0).tokens.tokens;
            CHECK(comparison.largest_at == concat("“", tokens[i].text, "” → “", tokens[j].text, "”"));
        }
    }
    CHECK(compared("text=a+b", "text=c+d", TensorId::weights).largest_at.starts_with("row 1, column "));
    CHECK(compared("text=a", "text=a&seed=2&d_out=1", TensorId::merged).reason.size() > 0);
    CHECK(compared("text=a&d_out=1&heads=1", "text=a&seed=2&d_out=1&heads=1", TensorId::merged).largest_at ==
          "“a”, channel 0");
}

TEST_CASE("equal numbers are told from numbers that are equal up to rounding", "[compare]") {
    CHECK(comparison_in_words(compared("", "", TensorId::weights)) == "equal: every difference is 0");
    // The mask after the softmax gives the same weights: another order of the same arithmetic.
    const Comparison rounded = compared("mask_at=before", "mask_at=after", TensorId::weights);
    CHECK(rounded.largest > 0);
    CHECK(comparison_in_words(rounded).ends_with(": float rounding"));
    CHECK_FALSE(comparison_in_words(compared("mask_at=before", "mask_at=raw", TensorId::weights))
                    .ends_with(": float rounding"));
}

TEST_CASE("a difference that is rounding takes no colour, any other the whole scale", "[compare]") {
    const Comparison rounded = compared("mask_at=before", "mask_at=after", TensorId::weights);
    REQUIRE(rounded.largest > 0);
    CHECK(rounded.is_rounding());
    CHECK(rounded.end_of_colors() == rounded.largest_number);
    const Comparison seeds = compared("seed=1", "seed=2", TensorId::scores);
    CHECK_FALSE(seeds.is_rounding());
    CHECK(seeds.end_of_colors() == seeds.largest);
    CHECK(compared("", "", TensorId::scores).is_rounding());
}

TEST_CASE("a key that only one of them hides counts as a weight of 0, and as no score", "[compare]") {
    const Comparison weights = compared("mask=none", "mask=causal", TensorId::weights);
    CHECK(weights.difference(0, 1) == weights.a(0, 1));
    CHECK(weights.num_not_numbers == 0);
    const Comparison scores = compared("mask=none", "mask=causal", TensorId::masked_scores);
    CHECK(std::isnan(scores.difference(0, 1)));
    CHECK(scores.difference(1, 0) == 0);
    CHECK(scores.num_not_numbers == 55);
    CHECK(comparison_in_words(scores) ==
          "55 cells hidden in one of the two, or not finite; every other difference is 0");
}

TEST_CASE("where there is no difference a sentence says why", "[compare]") {
    CHECK(compared("text=a+b", "text=a+b+c", TensorId::weights).reason ==
          "A is (2, 2) and B is (3, 3): only matrices of one shape can be subtracted.");
    CHECK(compared("", "heads=1", TensorId::context).reason ==
          "A is (11, 2) and B is (11, 4): only matrices of one shape can be subtracted.");
    CHECK(compared("", "text=", TensorId::weights).reason == "The sentence of B is empty: it has no numbers.");
    CHECK(compared("", "out=0", TensorId::output).reason == "B has no output: its settings leave this step out.");
    CHECK(compared("dropout=.5", "", TensorId::dropped_weights).b.size() == 0);
    CHECK_FALSE(compared("text=a+b", "text=c+d", TensorId::weights).has_same_tokens);
}

TEST_CASE("heads of one state can be compared with each other", "[compare]") {
    const Comparison comparison = compared("", "", TensorId::weights, 0, 1);
    CHECK(comparison.largest > 0);
    CHECK(compared("", "", TensorId::merged, 0, 1).largest == 0);  // a stage without heads
}

TEST_CASE("the comparison is told as text", "[compare]") {
    const PlaygroundState state = read_link("view=compare&stage=context&compare=seed%3D124").state;
    Evaluator evaluator;
    evaluator.update(state);
    const std::vector<TextTable> tables = tables_of_view(state, evaluator);
    REQUIRE(tables.size() == 3);
    CHECK(tables[0].title == "A, context");
    CHECK(tables[1].title == "B, context: seed 124 instead of 123");
    CHECK(tables[2].title.starts_with("A − B: largest difference "));
    CHECK(tables[2].columns == std::vector<std::string>{"", "channel 0", "channel 1"});
    CHECK(tables[2].rows.size() == 11);
    CHECK(tables[2].rows[1][0] == "artist");
    const PlaygroundState alone = read_link("view=compare").state;
    evaluator.update(alone);
    CHECK(tables_of_view(alone, evaluator).empty());
}

TEST_CASE("the words of a comparison are those of its maps", "[compare]") {
    const Evaluation a = evaluate(read_link("text=a+b&heads=2&edit=queries[0,0]=50").state.inputs, 0);
    const Evaluation b = evaluate(read_link("text=a+b+c&heads=2&seed=124").state.inputs, 0);
    const Evaluation like_b = evaluate(read_link("text=a+b&heads=2&seed=124").state.inputs, 0);
    const Comparison one_shape = compare(a, like_b, TensorId::queries, 0, 1);
    const Compared queries = {
        .a = a, .b = like_b, .info = stage_info(TensorId::queries), .comparison = one_shape, .head_a = 0, .head_b = 1};
    CHECK(queries.matrices().size() == 3);
    CHECK(queries.title(0) == "A · Head 1");
    CHECK(queries.title(1) == "B · Head 2");
    CHECK(queries.title(2) == "A − B");
    CHECK_FALSE(queries.is_cut(0));  // one scale, to the largest of both
    CHECK(queries.range(0).high == 50);
    CHECK(queries.is_cut(2) == (one_shape.largest > one_shape.end_of_colors()));
    CHECK(queries.place_in_words(Place{0, 0}).starts_with("a · channel 0: A 50"));
    CHECK(queries.place_in_words(Place{0, 0}).find(", A − B ") != std::string::npos);
    CHECK(queries.place_in_words(Place{2, 0}).empty());
    CHECK(queries.place_in_words(std::nullopt).empty());

    const Comparison two_shapes = compare(a, b, TensorId::weights, 0, 0);
    const Compared weights = {.a = a, .b = b, .info = stage_info(TensorId::weights), .comparison = two_shapes};
    CHECK(weights.matrices().size() == 2);
    CHECK(weights.place_in_words(Place{0, 1}) == concat("a → b: A masked, B ", compared_value(two_shapes.b, {0, 1})));
    CHECK(compared_value(two_shapes.a, {0, 2}) == "not there");
    CHECK(weights.label(1, true, 2) == "c");
    CHECK(weights.label(2, true, 2) == "2");  // other words: a place
}

TEST_CASE("one difference far above the others is beyond the colours", "[compare]") {
    const Evaluation a =
        evaluate(read_link("text=a+b+c+d+e+f+g+h+i+j+k+l&d_out=8&edit=queries[0,0]=50").state.inputs, 0);
    const Evaluation b = evaluate(read_link("text=a+b+c+d+e+f+g+h+i+j+k+l&d_out=8&seed=124").state.inputs, 0);
    const Comparison comparison = compare(a, b, TensorId::queries, 0, 0);
    const Compared compared = {.a = a, .b = b, .info = stage_info(TensorId::queries), .comparison = comparison};
    CHECK(compared.is_cut(2));
    CHECK(compared.range(2).high < 40);
}
