// A table of text: how the text mirror, the page without a canvas and tests read what a view shows.
#pragma once

#include <string>
#include <vector>

namespace attn {

// Of a large matrix only a piece is written, as much as a person would read.
inline constexpr int kMirrorCells = 64;  // rows and columns of the piece
inline constexpr int kMirrorHeads = 16;

// The first column names the rows.
struct TextTable {
    std::string title;
    std::vector<std::string> columns;
    std::vector<std::vector<std::string>> rows;
};

}  // namespace attn
