// What a text becomes before it is cut into words ("normalizers"). Each character keeps the bytes of the text that it
// comes from.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/ground/result.h"
#include "model/words/added_tokens.h"
#include "model/words/pattern.h"
#include "model/words/unicode.h"

namespace attn {

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

// What becomes of a match where a text is cut.
enum class CutBehavior {
    removed,      // it is in no word
    isolated,     // it is a word
    with_before,  // it ends the word before it
    with_next,    // it begins the word behind it
    contiguous,   // matches that touch are one word
};

// What files say of a step; each step has its own part of it.
struct StepSettings {
    std::optional<Pattern> pattern = {};
    std::string content = {};
    CutBehavior behavior = CutBehavior::isolated;
    bool is_inverted = false;
    bool at_left = false, at_right = false;           // which ends are stripped
    bool adds_always = false, adds_at_first = false;  // a blank before a text, or before the first one
    bool cuts = true;
    unicode::NormalForm form = unicode::NormalForm::nfc;
    WordCleaning cleaning = {};
    std::optional<CharacterTable> table = {};
    AddedTokens symbols = {};  // that a table leaves alone
};

// A step on a text's way to its tokens. A function without a state of its own: each kind of std::function would cost
// the first part of the page a table of calls.
template <class Made>
struct TextStep {
    Made (*run)(const StepSettings& settings, Text text) = nullptr;
    StepSettings settings = {};
    Made operator()(Text text) const { return run(settings, std::move(text)); }
};

using TextChange = TextStep<Text>;
// Each word is cut further by the next one.
using WordCut = TextStep<std::vector<Text>>;

// Bytes of base64; nothing where a character is none of its.
std::optional<std::string> from_base64(std::string_view text);

// `bytes` in base64 (RFC 4648), with the signs "=" that fill it up, on one line.
std::string to_base64(std::string_view bytes);

}  // namespace attn
