// What a text becomes before it is cut into words ("normalizers"). Each character keeps the bytes of the text that it
// comes from.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/ground/result.h"
#include "model/words/pattern.h"
#include "model/words/unicode.h"

namespace attn {

using Text = std::vector<unicode::Character>;
using TextChange = std::function<Text(Text)>;

// Without the white space at its ends.
Text stripped(Text text, bool at_left, bool at_right);
// Without marks (Mn); letters that have an accent in themselves keep it.
Text without_marks(Text text);
// `content` in the place of each match, with all of its bytes.
Text replaced(const Text& text, const Pattern& pattern, std::string_view content);
// `content` before a text that is not empty; none of the text's bytes are of it.
Text prepended(Text text, std::string_view content);
// Each run of blanks (U+0020) as one, and none at the ends: SentencePiece's remove_extra_whitespaces.
Text with_single_blanks(const Text& text);

// BERT's cleaning (Devlin et al. 2018), step by step in this order.
struct WordCleaning {
    bool drops_controls = true;  // control and invisible characters go, all white space becomes a blank
    bool parts_chinese = true;   // each Chinese character (not kana, not Hangul) is a word of its own
    bool drops_accents = true;
    bool makes_lower_case = true;
};
Text cleaned(const Text& text, const WordCleaning& cleaning);

// SentencePiece's table of what characters become ("precompiled_charsmap"; Kudo and Richardson 2018, section 3.2): a
// trie of the texts that change, and what they change to.
class CharacterTable {
public:
    // Where a match is looked for: in each character with its marks, the shortest first, as the Rust library does; or
    // at each place the longest, as SentencePiece does.
    enum class Way { shortest_of_cluster, longest };

    // Its bytes, as files have them. Fails with a sentence.
    static Result<CharacterTable> read(std::string_view bytes);
    Text changed(const Text& text, Way way) const;

private:
    struct Found {
        std::size_t size = 0;  // of what changes, in bytes
        std::string_view becomes;
    };
    std::vector<Found> prefixes_of(std::string_view text) const;  // the shortest first

    std::vector<std::uint32_t> trie_;  // a double array (Aoe 1989), in the layout of the library Darts-clone
    std::string texts_;                // each ends with a zero
};

// Bytes of base64; nothing where a character is none of its.
std::optional<std::string> from_base64(std::string_view text);

}  // namespace attn
