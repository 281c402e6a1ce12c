// Text in figures: how wide it is, cut or broken to a width. The widths are those of IBM Plex,
// estimated for scripts it lacks, and a little larger, because another font may replace it. No layout may need them
// to be exact. The screen passes a ruler of its own.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/words/code_points.h"
#include "scene/kit/figure.h"

namespace attn {

// In points, on paper. `text` is valid UTF-8.
double text_width(std::string_view text, double size, FigureFont font = FigureFont::sans);

// Measures text where a layout will be drawn: paper has the widths above, the screen its own fonts.
class TextRuler {
public:
    TextRuler() = default;
    virtual ~TextRuler() = default;
    TextRuler(const TextRuler&) = delete;
    TextRuler& operator=(const TextRuler&) = delete;
    virtual double width(std::string_view text, double size, FigureFont font) const = 0;
};
const TextRuler& paper_ruler();

// Cut with an ellipsis so that it is at most `width` wide; characters as people count them stay whole.
std::string shortened_text(std::string_view text, double width, double size, FigureFont font = FigureFont::sans,
                           const TextRuler& ruler = paper_ruler());

// Lines of at most `width`, broken at blanks, in a word only where it is wider than a line. Of more than `most` lines
// the last one ends in an ellipsis. Empty for an empty text.
std::vector<std::string> wrapped_text(std::string_view text, double width, double size, FigureFont font,
                                      std::size_t most, const TextRuler& ruler = paper_ruler());

// Whether its first letter is of a script written from right to left; words that are set apart do not count. `text` is
// valid UTF-8.
bool is_right_to_left(std::string_view text);

// Puts a word of a script written from right to left between marks, so that it does not change the order of its
// neighbours; returns other words, and those between marks, as they are.
std::string isolated(std::string word);

// "woman → brush", from left to right whatever the two are written in, so that the arrow points at the second.
std::string from_to(std::string from, std::string to);

}  // namespace attn
