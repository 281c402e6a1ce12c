// Tokens that are cut out of a text before anything else is: "<|endoftext|>", "[MASK]".
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "model/words/unicode.h"

namespace attn {

struct AddedToken {
    std::string text;
    int id = 0;
    bool takes_space_before = false, takes_space_behind = false;
    bool is_single_word = false;  // not where a letter, a mark or a digit stands beside it
};

class AddedTokens {
public:
    AddedTokens() = default;
    explicit AddedTokens(std::vector<AddedToken> tokens);

    // The characters [begin, end) of a text: the token `id`, or with -1 what stands between. All of the text, in order.
    struct Piece {
        std::size_t begin = 0, end = 0;
        int id = -1;
    };
    // At each place the longest token that stands there.
    std::vector<Piece> pieces_of(const Text& text) const;

    bool has(int id) const;

private:
    const AddedToken* longest_at(std::string_view text) const;

    std::vector<AddedToken> tokens_;  // sorted by text
};

}  // namespace attn
