// Comes before every file that uses xtensor where exceptions are off (tools/cmake/dependencies.cmake): a mistake then
// ends the program. The libraries would print on std::cerr first, which brings along the streams and their locales: a
// hundred kilobytes for sentences that nobody reads, because ATTN_CHECK checks shapes before xtensor can.
#pragma once

#include <cstdlib>
#include <xtensor/core/xtensor_config.hpp>
#include <xtl/xtl_config.hpp>

#undef XTENSOR_THROW
#undef XTL_THROW
#define XTENSOR_THROW(exception, message) std::abort()
#define XTL_THROW(exception, message) std::abort()
