// Text in figures: how wide it is, cut or broken to a width, made fit for a file. The widths are those of IBM Plex,
// estimated for scripts it lacks, and a little more: another font may stand in for it. Nothing may rest on them to the
// point.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "share/figure.h"

namespace attn {

// Valid UTF-8 for one line, as clean_utf8 makes it; white space and line breaks are blanks, and what is no character
// (U+FFFE, U+FFFF, ...), which XML cannot hold, is left out.
std::string one_line(std::string_view text);

// In points. `text` is valid UTF-8.
double text_width(std::string_view text, double size, FigureFont font = FigureFont::sans);

// Cut with an ellipsis so that it is at most `width` wide; characters as people count them stay whole.
std::string shortened_text(std::string_view text, double width, double size, FigureFont font = FigureFont::sans);

// Lines of at most `width`, broken at blanks, in a word only where it is wider than a line. Of more than `most` lines
// the last one ends in an ellipsis. Empty for an empty text.
std::vector<std::string> wrapped_text(std::string_view text, double width, double size, FigureFont font,
                                      std::size_t most);

// Whether its first letter is of a script written from right to left. `text` is valid UTF-8.
bool is_right_to_left(std::string_view text);

// Between marks that keep a word of a script written from right to left from turning its neighbours round; other
// words as they are.
std::string isolated(std::string word);

}  // namespace attn
