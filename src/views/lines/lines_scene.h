// The drawing of view=lines, for paper and for the screen: two columns of tokens, the lines between them, the targets,
// and the weights at the ends of one token's lines. A pen draws it directly; no block keeps it, because two thousand
// strokes change whenever the pointer moves to another token, and because the page's first picture may show lines and
// must not wait for the code of blocks.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "scene/kit/figure_parts.h"
#include "views/lines/attention_lines.h"
#include "views/lines/targets.h"

namespace attn {

// Points, from the top left corner of the picture.
class LinesPen {
public:
    LinesPen() = default;
    virtual ~LinesPen() = default;
    LinesPen(const LinesPen&) = delete;
    LinesPen& operator=(const LinesPen&) = delete;

    virtual void stroke(FigurePoint from, FigurePoint to, const AttentionLine& line, Rgb color, double width,
                        double opacity) = 0;
    virtual void dot(FigurePoint center, double radius, Rgb color) = 0;
    virtual void fill(const FigureBox& box, Rgb color, double corner) = 0;
    virtual void frame(const FigureBox& box, Rgb color, double width, double corner, bool is_dashed) = 0;
    virtual void check_mark(FigurePoint center, double size, Rgb color) = 0;
    virtual void target(FigurePoint from, FigurePoint to, Rgb color) = 0;
    // Centred on the line at `place`; cut to `room` unless that is 0.
    virtual void text(FigurePoint place, std::string_view text, const TextLook& look, double room) = 0;
    // The box shows the weights of this query's lines to this key.
    virtual void weights_stand_in(int query, int key, const FigureBox& box) = 0;
};

struct LinesLayout {
    double pitch = 28;         // from one token to the next
    double label = 0;          // width of a column of tokens
    double dot_distance = 12;  // from a token's label to where its lines begin
    double span = 400;         // from a query's dot to a key's
    double text = kFigureBody + 0.5;
    double header = 0;  // height of the columns' names; 0: drawn elsewhere

    double middle(int token) const { return header + (token + 0.5) * pitch; }
    FigurePoint query_dot(int token) const { return {label + dot_distance, middle(token)}; }
    FigurePoint key_dot(int token) const { return {label + dot_distance + span, middle(token)}; }
    double width() const { return 2 * (label + dot_distance) + span; }
};

struct LinesDrawn {
    const View& view;
    const ShownWeights& weights;
    HeadRange heads;
    const LineChoice& choice;
    const LineSet& lines;
    const std::vector<DrawnTarget>& targets;
    float high = 1;  // the weight from which on lines are widest
    bool has_values = true;
    int first = 0, end = 0;                 // the drawn tokens
    LineEnd pointed_at = {};                // in the columns
    std::optional<Cell> pointed_cell = {};  // elsewhere
    std::optional<int> begins_target = {};  // a query whose key is still to be chosen

    // The pinned query, if the sentence has it.
    std::optional<Cell> pinned() const;
};

void draw_lines_scene(LinesPen& pen, const SceneStyle& style, const LinesDrawn& drawn, const LinesLayout& layout);

}  // namespace attn
