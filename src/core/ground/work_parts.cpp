// Keeps the one observer of the program, and tells it when another part begins.
#include "core/ground/work_parts.h"

namespace attn {
namespace {

PartObserver the_observer = nullptr;

}  // namespace

void observe_parts(PartObserver observer) {
    the_observer = observer;
}

Unobserved::Unobserved() : before_(the_observer) {
    the_observer = nullptr;
}

Unobserved::~Unobserved() {
    the_observer = before_;
}

void begin_part(WorkPart part) {
    if (the_observer != nullptr) the_observer(part);
}

}  // namespace attn
