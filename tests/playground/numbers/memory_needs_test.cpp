// What is asked for is at least what is used, and a state without room is refused in words with both figures.
#include "playground/numbers/memory_needs.h"

#include <catch_amalgamated.hpp>
#include <limits>
#include <string>

#include "playground/linked.h"
#include "playground/numbers/evaluation.h"

using namespace attn;
using namespace attn::test;

namespace {

template <class Tensor>
std::int64_t count_of(const Tensor& tensor) {
    return static_cast<std::int64_t>(tensor.size());
}

}  // namespace

TEST_CASE("an evaluation takes no more than was asked for, and not much less", "[memory]") {
    const std::string text = [] {
        std::string words;
        for (int i = 0; i < 192; ++i) words += "a+";
        return words;
    }();
    for (const std::string settings : {"&d_in=64&d_out=64&heads=8", "&d_in=64&d_out=32&heads=4&dropout=0.2",
                                       "&d_in=8&d_out=8&heads=1&edit=w_query[0,0]=1"}) {
        const PlaygroundState state = state_of("text=" + text + settings);
        const Evaluation evaluation = evaluate(state.inputs, 0);
        const AttentionProblem& problem = *evaluation.problem;
        const AttentionTrace& trace = evaluation.trace;
        const Projections& p = problem.projections;
        const std::int64_t num_floats = count_of(problem.embeddings) + count_of(evaluation.parts.token_vectors) +
                                        count_of(evaluation.parts.positions) + count_of(p.w_query) + count_of(p.w_key) +
                                        count_of(p.w_value) + count_of(p.w_out) + count_of(trace.query) +
                                        count_of(trace.key) + count_of(trace.value) + count_of(trace.weights) +
                                        count_of(trace.context) + count_of(trace.merged) + count_of(trace.output);
        const std::int64_t used = 4 * num_floats + count_of(problem.hidden) + count_of(trace.keep);
        CAPTURE(settings, used);
        CHECK(bytes_needed(state) >= used);
        // What is over is room for a matrix and a head that are being worked on.
        CHECK(static_cast<double>(bytes_needed(state)) < 1.5 * static_cast<double>(used));
        CHECK(bytes_needed_at_most(state) >= bytes_needed(state));
        CHECK(bytes_needed_again(state) <= bytes_needed(state) - 4 * count_of(trace.weights));
        CHECK(bytes_needed_again(state) >= 4 * (num_floats - count_of(trace.weights)));
    }
}

TEST_CASE("training takes the memory of a forward and a backward pass of each sentence", "[memory][recipe]") {
    const GoalKind goal = GENERATE(GoalKind::pattern, GoalKind::next);
    const PlaygroundState plain = state_of("text=a+b+c+d&text=e+f+g&target=1:2>0&d_in=4");
    PlaygroundState trained = plain;
    trained.inputs.goal = goal;
    const Evaluation evaluation = evaluate(trained.inputs, 0);
    const auto bytes_of = [](const Gradients& gradients) {
        return 4 * (count_of(gradients.scores) + count_of(gradients.query) + count_of(gradients.key) +
                    count_of(gradients.value) + count_of(gradients.merged) + count_of(gradients.output) +
                    count_of(gradients.embeddings) + count_of(gradients.projections.w_query) +
                    count_of(gradients.logits) + count_of(gradients.probabilities) + count_of(gradients.batch.w_query));
    };
    std::int64_t used = bytes_of(*evaluation.trace.gradients);
    for (int s = 0; s < 2; ++s) {
        const AttentionTrace& trace = evaluation.run->training().trace(s);
        used += 4 * (count_of(trace.weights) + count_of(trace.query) + count_of(trace.key) + count_of(trace.value) +
                     count_of(trace.context) + count_of(trace.merged) + count_of(trace.output)) +
                bytes_of(evaluation.run->training().gradients(s));
    }
    CHECK(bytes_needed(trained) - bytes_needed(plain) >= used);
    CHECK(bytes_needed_at_most(trained) >= bytes_needed(trained));
}

TEST_CASE("two states that are compared take the memory of both", "[memory]") {
    const PlaygroundState alone = state_of("text=a+b+c");
    const PlaygroundState both = state_of("text=a+b+c&view=compare&compare=text%3Da%2Bb%2Bc");
    CHECK(bytes_needed(both) == 2 * bytes_needed(alone));
    CHECK(bytes_needed_at_most(both) >= bytes_needed(both));
}

TEST_CASE("a little room is there, and more than all memory is not", "[memory]") {
    CHECK(has_room_for(0));
    CHECK(has_room_for(1 << 20));
    CHECK_FALSE(has_room_for(std::numeric_limits<std::int64_t>::max() / 2));
}

TEST_CASE("a state has room where its numbers have", "[memory]") {
    PlaygroundState state = state_of("text=a+b+c");
    CHECK(has_room_for(state));
    state.inputs.texts[0].clear();
    for (int k = 0; k < 2048; ++k) state.inputs.texts[0] += "w ";
    CHECK(has_room_for(state));
    state.inputs.num_heads = state.inputs.d_out = 1 << 20;  // no legal state: 16 TiB of weights
    CHECK_FALSE(has_room_for(state));
}

TEST_CASE("a refusal names the size and the limit", "[memory]") {
    const std::string note = no_room_note(state_of("text=a+b+c&heads=2"));
    CHECK(note.starts_with("2 heads of 3 tokens need 1 MB of memory, and the limit here is about 1 MB"));
    CHECK(note.ends_with("the state before is shown"));
}
