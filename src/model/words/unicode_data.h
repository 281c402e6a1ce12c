// The tables behind unicode.h, as text: tools/unicode_tables.mjs writes them and says how.
#pragma once

#include <string_view>

namespace attn::unicode {

extern const std::string_view version;  // of Unicode
extern const std::string_view categories, white_space;
extern const std::string_view lower_case, parts, compatible_parts;  // what code points become
extern const std::string_view mark_order, never_composed;           // of normal forms

}  // namespace attn::unicode
