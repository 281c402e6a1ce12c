// Notes: what was moved, left out or is worth knowing, in words a visitor understands. Knows text only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace attn {

// Sentences without a full stop, e.g. "heads set to 1: attention needs at least one head".
using Notes = std::vector<std::string>;

// In the note on words that a model does not know and leaves out.
inline constexpr std::string_view kLeftOutByModel = " left out: the model ";
// In the note on characters that no token of a model has.
inline constexpr std::string_view kAsSingleBytes = " as single bytes: no token of it has ";

// Adds `more` at the end of `notes`.
void append_notes(Notes& notes, const Notes& more);

// 2048 is "2,048".
std::string with_thousands(std::int64_t number);

// "1,936 bytes", "12 KiB", "256 MiB".
std::string bytes_in_words(std::int64_t num_bytes);

// "1 edit", "2,048 edits".
std::string counted(std::int64_t number, std::string_view thing);

// The names in one note: keeps the first few and counts the rest, however many there are.
class NameList {
public:
    void add(std::string_view name);
    bool empty() const { return num_names_ == 0; }
    std::int64_t size() const { return num_names_; }
    std::string text() const;  // "a, b, c and 4 more"

private:
    std::string first_names_;
    std::int64_t num_names_ = 0;
};

}  // namespace attn
