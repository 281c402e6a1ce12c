// The two reshapes of a weight split: where each number stands, before and after.
#include "views/split/weight_split.h"

#include <catch_amalgamated.hpp>
#include <set>

#include "core/ground/check.h"
#include "playground/link/state_url.h"
#include "views/words/view_text.h"

using namespace attn;

namespace {

constexpr Sizes kSizes = {.num_tokens = 3, .d_in = 6, .d_out = 6, .num_heads = 2};

template <class Use>
void for_each_element(const Sizes& sizes, const Use& use) {
    for (int token = 0; token < sizes.num_tokens; ++token) {
        for (int head = 0; head < sizes.num_heads; ++head) {
            for (int channel = 0; channel < sizes.head_dim(); ++channel)
                use(SplitElement{.token = token, .head = head, .channel = channel});
        }
    }
}

}  // namespace

// The worked example of the lecture: (1, 3, 6), two heads of 3.
TEST_CASE("the shapes of the worked example", "[split][golden]") {
    const auto forward = split_phases(TensorId::queries, 1, kSizes);
    CHECK(forward[0].shape == "(1, 3, 6)");
    CHECK(forward[1].shape == "(1, 3, 2, 3)");
    CHECK(forward[2].shape == "(1, 2, 3, 3)");
    CHECK(forward[0].letters == "(b, T, d_out)");
    CHECK(forward[1].letters == "(b, T, num_heads, head_dim)");
    CHECK(forward[2].letters == "(b, num_heads, T, head_dim)");
    CHECK(forward[0].code == "queries = X @ w_query");
    CHECK(split_phases(TensorId::keys, 1, kSizes, false)[0].code == "keys = X");
    const auto back = split_phases(TensorId::context, 2, kSizes);
    CHECK(back[0].shape == "(2, 2, 3, 3)");
    CHECK(back[1].shape == "(2, 3, 2, 3)");
    CHECK(back[2].shape == "(2, 3, 6)");
}

TEST_CASE("the first reshape moves no number in memory, the second does", "[split]") {
    const auto phases = split_phases(TensorId::queries, 1, kSizes);
    int num_moved = 0;
    for_each_element(kSizes, [&](const SplitElement& element) {
        CHECK(order_of(phases[0], kSizes, element) == order_of(phases[1], kSizes, element));
        num_moved += order_of(phases[1], kSizes, element) != order_of(phases[2], kSizes, element);
    });
    CHECK(num_moved == 12);  // all but the first and the last piece of three
}

TEST_CASE("each number has one place in each shape", "[split][property]") {
    for (const Sizes& sizes : {kSizes, Sizes{.num_tokens = 1, .d_in = 2, .d_out = 12, .num_heads = 12},
                               Sizes{.num_tokens = 5, .d_in = 2, .d_out = 4, .num_heads = 1}}) {
        for (const SplitPhase& phase : split_phases(TensorId::keys, 1, sizes)) {
            const SplitBlocks blocks = blocks_of(phase, sizes);
            CHECK(blocks.count * blocks.rows * blocks.columns == sizes.num_tokens * sizes.d_out);
            std::set<std::int64_t> orders;
            for_each_element(sizes, [&](const SplitElement& element) {
                const SplitPlace place = place_of(phase, sizes, element);
                CHECK((place.block < blocks.count && place.row < blocks.rows && place.column < blocks.columns));
                const std::int64_t order = order_of(phase, sizes, element);
                CHECK(orders.insert(order).second);
                const SplitElement back = element_at(phase, sizes, order);
                CHECK((back.token == element.token && back.head == element.head && back.channel == element.channel));
            });
            CHECK(*orders.rbegin() == sizes.num_tokens * sizes.d_out - 1);
        }
    }
}

TEST_CASE("the numbers are the stage's own, and merged again at the end of the way back", "[split]") {
    const Evaluation evaluation = evaluate(read_link("").state.inputs, 0);
    const Sizes& sizes = evaluation.sizes;
    const auto back = split_phases(TensorId::context, 1, sizes);
    for_each_element(sizes, [&](const SplitElement& element) {
        CHECK(split_number(evaluation, TensorId::keys, element) ==
              evaluation.trace.key(element.head, element.token, element.channel));
        const SplitPlace place = place_of(back[2], sizes, element);
        CHECK(split_number(evaluation, TensorId::context, element) == evaluation.trace.merged(place.row, place.column));
    });
}

TEST_CASE("each stage has a tensor to split", "[split]") {
    CHECK(split_tensor(TensorId::embeddings) == TensorId::queries);
    CHECK(split_tensor(TensorId::queries) == TensorId::queries);
    CHECK(split_tensor(TensorId::values) == TensorId::values);
    CHECK(split_tensor(TensorId::weights) == TensorId::context);
    CHECK(split_tensor(TensorId::merged) == TensorId::context);
    CHECK_FALSE(is_merge(TensorId::keys));
    CHECK(is_merge(TensorId::context));
}

TEST_CASE("sentences of one length stand in one tensor", "[split]") {
    const auto size = [](std::string_view link) { return batch_size(read_link(link).state.inputs); };
    CHECK(size("text=a+b") == 1);
    CHECK(size("text=a+b&text=c+d") == 2);
    CHECK(size("text=a+b&text=c+d+e") == 1);
}

TEST_CASE("the phase that is shown is told as text", "[split]") {
    Evaluator evaluator;
    const auto tables = [&](std::string_view link) {
        const PlaygroundState state = read_link(link).state;
        evaluator.update(state);
        return tables_of_view(state, evaluator);
    };
    const auto whole = tables("view=split&stage=values&text=a+b");
    REQUIRE(whole.size() == 1);
    CHECK(whole[0].title == "values (b, T, d_out) = (1, 2, 4): All heads side by side");
    const auto cut = tables("view=split&stage=values&text=a+b&phase=2");
    REQUIRE(cut.size() == 2);
    CHECK(cut[0].title == "values (b, T, num_heads, head_dim) = (1, 2, 2, 2): a");
    CHECK(cut[1].rows[0][0] == "head 1");
    CHECK(cut[1].rows[0][1] == whole[0].rows[1][1]);
    CHECK(cut[1].rows[1][1] == whole[0].rows[1][3]);
    const auto apart = tables("view=split&stage=values&text=a+b&phase=3");
    REQUIRE(apart.size() == 2);
    CHECK(apart[1].title == "Head 2");
    CHECK(apart[1].rows[1][1] == whole[0].rows[1][3]);
    CHECK(tables("view=split&phase=2").size() == 11);
}

TEST_CASE("numbers that a link leaves out are not told as text either", "[split][stacked]") {
    Evaluator evaluator;
    for (const char* view : {"split&stage=output", "stacked"}) {
        const PlaygroundState state = read_link(concat("text=a+b&hide=stage.context&view=", view)).state;
        evaluator.update(state);
        const auto tables = tables_of_view(state, evaluator);
        REQUIRE_FALSE(tables.empty());
        CHECK(tables[0].rows[0][1] == "?");
        CHECK(tables[0].rows[1].back() == "?");
    }
}
