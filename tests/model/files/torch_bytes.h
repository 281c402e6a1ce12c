// Pickles and archives as torch.save writes them, made by hand.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/ground/check.h"

namespace attn::test {

inline std::string little(std::uint64_t number, std::size_t size) {
    std::string bytes;
    for (std::size_t i = 0; i < size; ++i, number >>= 8U)
        bytes += static_cast<char>(static_cast<unsigned char>(number));
    return bytes;
}

inline std::string pickled_text(std::string_view text) {
    return concat("X", little(text.size(), 4), text);
}
inline std::string pickled_whole(std::int64_t number) {
    return concat("\x8a\x08", little(static_cast<std::uint64_t>(number), 8));
}
inline std::string pickled_tuple(const std::vector<std::int64_t>& numbers) {
    std::string bytes = "(";
    for (const std::int64_t number : numbers) bytes += pickled_whole(number);
    return bytes + "t";
}

// A tensor of torch.<type>Storage "0".
inline std::string pickled_tensor(std::string_view type, std::int64_t offset, const std::vector<std::int64_t>& sizes,
                                  const std::vector<std::int64_t>& strides) {
    return concat("ctorch._utils\n_rebuild_tensor_v2\n((", pickled_text("storage"), "ctorch\n", type, "Storage\n",
                  pickled_text("0"), pickled_text("cpu"), pickled_whole(6), "tQ", pickled_whole(offset),
                  pickled_tuple(sizes), pickled_tuple(strides), "\x89", "ccollections\nOrderedDict\n)RtR");
}

// Names and pickled values.
inline std::string pickled_dictionary(const std::vector<std::pair<std::string, std::string>>& entries) {
    std::string bytes = "\x80\x02}(";
    for (const auto& [name, value] : entries) bytes += pickled_text(name) + value;
    return bytes + "u.";
}

// An archive whose entries are stored as they are.
inline std::string stored_zip(const std::vector<std::pair<std::string, std::string>>& entries) {
    std::string bytes, list;
    for (const auto& [name, contents] : entries) {
        const std::string sizes = concat(little(0, 4), little(contents.size(), 4), little(contents.size(), 4),
                                         little(name.size(), 2), little(0, 2));
        list += concat("PK\x01\x02", little(20, 2), little(20, 2), little(0, 8), sizes, little(0, 10),
                       little(bytes.size(), 4), name);
        bytes += concat("PK\x03\x04", little(20, 2), little(0, 8), sizes, name, contents);
    }
    return concat(bytes, list, "PK\x05\x06", little(0, 4), little(entries.size(), 2), little(entries.size(), 2),
                  little(list.size(), 4), little(bytes.size(), 4), little(0, 2));
}

inline std::string torch_file(const std::string& pickle, const std::string& numbers) {
    return stored_zip({{"archive/data.pkl", pickle}, {"archive/data/0", numbers}, {"archive/version", "3\n"}});
}

// As before PyTorch 1.6, with `count` numbers of a storage "0".
inline std::string old_torch_file(const std::string& pickle, std::uint64_t count, const std::string& numbers,
                                  bool is_little = true) {
    const std::string begin("\x80\x02\x8a\x0al\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19.\x80\x02M\xe9\x03.");
    return concat(begin, pickled_dictionary({{"little_endian", is_little ? "\x88" : "\x89"}}), pickle, "\x80\x02](",
                  pickled_text("0"), "e.", little(count, 8), numbers);
}

}  // namespace attn::test
