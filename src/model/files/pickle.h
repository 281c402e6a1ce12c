// What a pickle holds, where it holds no more than tensors in lists and dictionaries (docs.python.org, pickletools;
// torch/serialization.py). Nothing is run: the few functions that files of tensors name are known here, any other one
// is refused by its name.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/ground/result.h"

namespace attn {

enum class PickleKind { none, boolean, whole, real, text, list, dictionary, global, storage, tensor };

// A place in a Pickle.
using PickleRef = std::uint32_t;

struct PickleNode {
    PickleKind kind = PickleKind::none;
    std::int64_t whole = 0;  // 0 or 1 of a boolean
    double real = 0;
    std::string text = {};              // "torch.FloatStorage" of a global
    std::vector<PickleRef> items = {};  // of a list or tuple; of a dictionary names and values, in turns; of a storage
                                        // its identity; of a tensor storage, offset, sizes and strides
};

class Pickle {
public:
    static constexpr std::size_t kMaxBytes = std::size_t{64} << 20U;
    static constexpr std::size_t kMaxNodes = 4'000'000;

    // Fails with a sentence that begins with `what` ("The file \"x.bin\"") for what is cut or damaged, for a function
    // or class that is not known, and for what files of tensors do not have.
    static Result<Pickle> read(std::string_view bytes, std::string_view what);
    // The same of the pickle that `bytes` begin with; takes it away from them.
    static Result<Pickle> read_first(std::string_view& bytes, std::string_view what);

    PickleRef root() const { return root_; }
    const PickleNode& at(PickleRef ref) const { return nodes_[ref]; }
    const std::vector<PickleNode>& all() const { return nodes_; }
    // The value of a name in a dictionary.
    std::optional<PickleRef> find(PickleRef dictionary, std::string_view name) const;

private:
    friend class PickleReader;
    std::vector<PickleNode> nodes_;
    PickleRef root_ = 0;
};

}  // namespace attn
