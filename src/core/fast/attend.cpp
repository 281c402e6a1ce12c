// Attention, fast. attention_reference.cpp has the plain case on one page: read that first.
#include "core/fast/attend.h"

#include "core/fast/attention_work.h"

namespace attn {

AttentionTrace attend(const AttentionProblem& problem) {
    AttentionTrace trace;
    AttentionWork work(problem, trace, -1);
    work.advance(problem, trace, work.multiply_adds_in_all());
    return trace;
}

}  // namespace attn
