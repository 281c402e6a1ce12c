// How much memory it takes to open a file, at most, beside the file itself. That much is allocated in one piece before
// the file is opened, and freed at once, so that the many small allocations that follow find room. The page needs this:
// a failed allocation ends the program there, and the visitor's work is lost.
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "playground/state/state.h"

namespace attn {

// What any file takes: its kind is told, its header is read, the sentences that are there are cut into tokens.
std::int64_t bytes_to_look(const PlaygroundState& state);

// A session file, or a table, of this many bytes.
std::int64_t bytes_to_read_session(std::size_t num_bytes);
std::int64_t bytes_to_read_table(std::size_t num_bytes);

// The arrays of one file, from their headers on: their numbers, the choices that are offered, and what the program
// keeps of the one that is taken.
class OfferMemory {
public:
    explicit OfferMemory(const PlaygroundState& state);

    void add(std::span<const std::int64_t> shape);
    std::int64_t bytes() const;

private:
    const PlaygroundState& state_;
    std::vector<int> num_tokens_;  // of each sentence
    std::int64_t num_numbers_ = 0, num_rows_ = 0;
    std::int64_t longest_ = 1;      // side of an array
    std::set<std::int64_t> sides_;  // all lengths
};

// A state, and its link, which is made now and then.
std::int64_t bytes_of(const PlaygroundState& state);

// Empty if this many bytes are free; else "This file needs 120 MB of memory, and ...".
std::string why_no_room(std::int64_t bytes);

}  // namespace attn
