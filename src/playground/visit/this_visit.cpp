// Begins with the first call, lives as long as the process.
#include "playground/visit/this_visit.h"

namespace attn {

Session& this_visit() {
    static Session session;
    return session;
}

}  // namespace attn
