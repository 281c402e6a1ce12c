// A target with a mistake in it: tests/fuzz/fuzz.test.mjs sees that the driver finds it, and keeps the input.
#include <string_view>

#include "core/ground/check.h"
#include "fuzz/target.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(bytes), size);
    ATTN_CHECK(text.find("seedseed") == std::string_view::npos, "the mistake that was planted");
    return 0;
}

std::string input_of_link(std::string_view link) {
    return std::string(link);
}
