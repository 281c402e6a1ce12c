#include "playground/view_text.h"

namespace attn {

std::vector<TextTable> tables_of_view(const PlaygroundState& state, const Evaluator& evaluator) {
    if (evaluator.shown().is_empty()) return {};
    switch (state.view.view) {
        default:
            return {};
    }
}

}  // namespace attn
