// Comes before every file that uses xtensor where exceptions are off (tools/cmake/dependencies.cmake): a mistake ends
// the program then. The libraries' own way there prints on std::cerr first, which brings the streams and their locales
// along, a hundred kilobytes for sentences that nobody reads: ATTN_CHECK looks at shapes before xtensor can.
#pragma once

#include <cstdlib>
#include <xtensor/core/xtensor_config.hpp>
#include <xtl/xtl_config.hpp>

#undef XTENSOR_THROW
#undef XTL_THROW
#define XTENSOR_THROW(exception, message) std::abort()
#define XTL_THROW(exception, message) std::abort()
