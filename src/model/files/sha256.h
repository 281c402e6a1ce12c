// SHA-256 (FIPS 180-4): the digest by which a file is known, as `sha256sum` prints it.
#pragma once

#include <string>
#include <string_view>

namespace attn {

// 64 hexadecimal digits.
std::string sha256_of(std::string_view bytes);

}  // namespace attn
