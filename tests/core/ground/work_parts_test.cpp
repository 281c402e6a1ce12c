// Which part of attention is computed when: all of them, each begun and ended, and no number depends on who observes.
#include "core/ground/work_parts.h"
#include "core/fast/attend.h"

#include <algorithm>
#include <catch_amalgamated.hpp>
#include <vector>

#include "core/problems.h"

namespace attn::test {
namespace {

std::vector<WorkPart> heard;

struct Observed {
    Observed() {
        heard.clear();
        observe_parts([](WorkPart part) { heard.push_back(part); });
    }
    ~Observed() { observe_parts(nullptr); }
};

bool was_heard(WorkPart part) {
    return std::find(heard.begin(), heard.end(), part) != heard.end();
}

}  // namespace

TEST_CASE("each part is announced, and the end", "[work_parts]") {
    const AttentionProblem problem = random_problem({.num_tokens = 70, .d_in = 6, .head_dim = 3, .num_heads = 2}, 3);
    const AttentionTrace unobserved = attend(problem);
    const Observed observed;
    const AttentionTrace trace = attend(problem);
    for (const WorkPart part :
         {WorkPart::projections, WorkPart::scores, WorkPart::softmax, WorkPart::context, WorkPart::output}) {
        CAPTURE(static_cast<int>(part));
        CHECK(was_heard(part));
    }
    CHECK(heard.front() == WorkPart::projections);
    CHECK(heard.back() == WorkPart::other);
    CHECK(trace.output == unobserved.output);
}

TEST_CASE("nobody is told when nobody observes", "[work_parts]") {
    {
        const Observed observed;
    }
    heard.clear();
    begin_part(WorkPart::scores);
    CHECK(heard.empty());
    const Observed observed;
    {
        const Unobserved unobserved;
        begin_part(WorkPart::scores);
    }
    begin_part(WorkPart::softmax);
    CHECK(heard == std::vector<WorkPart>{WorkPart::softmax});
}

}  // namespace attn::test
