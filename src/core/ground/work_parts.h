// Tells an observer which part of attention is being computed, so that it can measure where the time goes: the core
// itself has no clock. No number depends on it.
#pragma once

namespace attn {

enum class WorkPart {
    projections,  // queries, keys and values
    scores,       // of visible keys
    softmax,      // with division, mask and dropout
    context,
    output,  // heads side by side, times w_out
    other,   // none of these
};
inline constexpr int kNumWorkParts = static_cast<int>(WorkPart::other);

// Called whenever another part begins; the one before has ended then.
using PartObserver = void (*)(WorkPart part);

// One for the whole program, in the place of the one before; null: nobody observes.
void observe_parts(PartObserver observer);

// While it lives nobody observes: for what is computed beside what is measured.
class Unobserved {
public:
    Unobserved();
    ~Unobserved();
    Unobserved(const Unobserved&) = delete;
    Unobserved& operator=(const Unobserved&) = delete;

private:
    PartObserver before_;
};

// For the code that computes.
void begin_part(WorkPart part);

}  // namespace attn
