// Adds up an explanation's terms.
#include "core/explain/explanation.h"

namespace attn {

double Explanation::sum() const {
    double sum = 0;
    for (const Term& term : terms) sum += term.product();
    return sum;
}

}  // namespace attn
