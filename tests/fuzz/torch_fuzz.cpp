// Any bytes as a file of torch.save, and as the list of tensors in one: it is refused in a sentence, or each number of
// each tensor lies within the file.
#include "core/ground/check.h"
#include "fuzz/target.h"
#include "model/files/json_tree.h"
#include "model/files/memory_source.h"
#include "model/files/torch_bytes.h"
#include "model/files/torch_file.h"

namespace {

void check_file(const std::string& bytes) {
    attn::test::MemorySource file("x.bin", bytes);
    const auto read = attn::read_torch_file(file);
    if (!read) {
        ATTN_CHECK(read.error().ends_with('.'), "no sentence: ", read.error());
        return;
    }
    ATTN_CHECK(read->settings.empty() || attn::JsonTree::read(read->settings, "settings"), "settings that are no JSON");
    for (const attn::StoredTensor& tensor : read->tensors) {
        ATTN_CHECK(tensor.begin <= tensor.end && tensor.end <= bytes.size(), "a tensor outside of the file");
        const std::uint64_t size = static_cast<std::uint64_t>(tensor.type->bits) / 8;
        const std::uint64_t count = static_cast<std::uint64_t>(tensor.num_numbers());
        if (tensor.strides.empty()) {
            ATTN_CHECK(tensor.end - tensor.begin == count * size, "a tensor of another size");
            continue;
        }
        std::uint64_t last = 0;
        ATTN_CHECK(tensor.strides.size() == tensor.shape.size() && count > 0, "strides of other axes");
        for (std::size_t axis = 0; axis < tensor.shape.size(); ++axis)
            last += static_cast<std::uint64_t>((tensor.shape[axis] - 1) * tensor.strides[axis]);
        ATTN_CHECK(tensor.end - tensor.begin == (last + 1) * size, "strides that reach elsewhere");
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    const std::string all(bytes, bytes + size);
    check_file(all);
    check_file(attn::test::torch_file(all, std::string(64, 'x')));
    check_file(attn::test::old_torch_file(all, 16, std::string(64, 'x')));
    return 0;
}

// The link as a tensor's name.
std::string input_of_link(std::string_view link) {
    using namespace attn::test;
    const std::string tensor = pickled_tensor("Float", 1, {2, 3}, {1, 2});
    const std::string inner =
        pickled_dictionary({{std::string(link), tensor}, {"b", pickled_tensor("Half", 0, {}, {})}});
    return pickled_dictionary({{"model", inner.substr(2, inner.size() - 3)}, {"epoch", pickled_whole(-7)}});
}
