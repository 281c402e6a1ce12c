// Any bytes as a safetensors file: what is accepted obeys every rule, seen by counting bytes again.
#include <vector>

#include "core/ground/check.h"
#include "fuzz/target.h"
#include "model/files/memory_source.h"
#include "model/files/safetensors.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    attn::test::MemorySource file("a.safetensors", std::string(bytes, bytes + size));
    const attn::Result<attn::SafetensorsHeader> header = attn::read_safetensors_header(file);
    if (!header) {
        ATTN_CHECK(header.error().ends_with('.'), "no sentence: ", header.error());
        return 0;
    }
    std::vector<bool> taken(size, false);
    std::size_t num_taken = 0;
    for (const attn::StoredTensor& tensor : header->tensors) {
        ATTN_CHECK(tensor.begin <= tensor.end && tensor.end <= size, "tensor outside the file");
        const std::uint64_t bits = static_cast<std::uint64_t>(tensor.num_numbers()) * tensor.type->bits;
        ATTN_CHECK(bits == 8 * (tensor.end - tensor.begin), "tensor of another size");
        for (std::uint64_t at = tensor.begin; at < tensor.end; ++at, ++num_taken) {
            ATTN_CHECK(!taken[at], "tensors overlap");
            taken[at] = true;
        }
    }
    std::uint64_t length = 0;
    for (std::size_t i = 8; i-- > 0;) length = length << 8U | bytes[i];
    ATTN_CHECK(8 + length + num_taken == size, "bytes of no tensor");
    return 0;
}

// The link's bytes as the numbers of a tensor beside an empty one, and as the name of a third.
std::string input_of_link(std::string_view link) {
    const std::string name(link.substr(0, link.find_first_of("\"\\")));
    const std::string header = attn::concat(
        R"({"__metadata__":{"format":"pt"},"a":{"dtype":"U8","shape":[)", link.size(), R"(],"data_offsets":[0,)",
        link.size(), R"(]},"empty":{"dtype":"F16","shape":[0,3],"data_offsets":[0,0]},"x)", name,
        R"(":{"dtype":"F32","shape":[1,2],"data_offsets":[)", link.size(), ",", link.size() + 8, "]}}");
    return attn::test::safetensors(header, std::string(link) + "12345678");
}
