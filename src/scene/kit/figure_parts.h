// What the figures of all views are put together from: blocks of elements with an origin of their own, text, tables,
// the legend, and the sheet with its title. Knows no view.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "playground/numbers/evaluation.h"
#include "playground/numbers/stage_range.h"
#include "playground/state/state.h"
#include "playground/text/text_table.h"
#include "scene/kit/figure.h"
#include "scene/kit/figure_options.h"
#include "scene/kit/figure_text.h"
#include "scene/kit/palette.h"

namespace attn {

struct FigureColors : PaletteOf<Rgb> {
    Rgb hidden;  // the ground of hidden cells
};
FigureColors figure_colors(bool is_dark);
Rgb mixed(Rgb a, Rgb b, float share_of_b);

class EarlierWeights;
struct FigureStage;
class LineScan;
struct StackedPicture;

// Sizes of text, points an em.
inline constexpr double kFigureTitle = 15;
inline constexpr double kFigureHeading = 13;  // over a map or a table
inline constexpr double kFigureBody = 12;
inline constexpr double kFigureSmall = 11;

// What a layout is made with: its colours, its text. Paper has the sizes below; the screen brings larger ones.
struct SceneStyle {
    FigureColors colors;
    const TextRuler* ruler = &paper_ruler();
    double heading = kFigureHeading, body = kFigureBody, small = kFigureSmall, mono = kFigureBody;
    double tick = 10;      // numbers beside an axis
    double line_em = 1.4;  // from one line of text to the next

    Rgb head(int index) const { return head_color(index, colors.is_dark); }
    double width(std::string_view text, double size, FigureFont font = FigureFont::sans) const {
        return ruler->width(text, size, font);
    }
};

// What a figure is made of.
struct FigureTask : SceneStyle {
    const PlaygroundState& state;  // legal
    const Evaluator& evaluator;    // up to date with it
    const Evaluation& evaluation;  // evaluator.shown(), not empty
    const FigureOptions& options;
    const FigureStage* stage;       // scanned; null for views that show no stage
    const LineScan* lines;          // of the view lines, all found; else null
    const StackedPicture* stacked;  // of the view stacked, else null
    const EarlierWeights* earlier;  // of the view learn with a goal, all that are wanted; else null

    const View& view() const { return state.view; }
    // Whether numbers are printed: the author may hide them all.
    bool has_values() const;
};

// Elements of a block that was put on another one, which lie `at` further.
struct PlacedElements {
    FigurePoint at;
    std::vector<FigureElement> elements;
};

struct FigureBox {
    double left = 0, top = 0, right = 0, bottom = 0;
};

// Where the screen puts something that a person can point at or type into, by the name of that item: "x=0". Paper has
// no use for it. The box of an arrow goes from its start, left and top, to its tip.
struct ScenePlace {
    std::string name;
    FigureBox box;
    int index = 0;  // which of its kind it is: a token, a place in a list
};

// Elements with their own origin at the top left; what is drawn lies within width and height.
struct FigureBlock {
    double width = 0, height = 0;
    std::vector<PlacedElements> placed = {};   // moved once, at the end, however many blocks they were put on
    std::vector<FigureElement> elements = {};  // on top of them
    std::vector<ScenePlace> places = {};

    bool empty() const { return placed.empty() && elements.empty(); }
};

// Puts `block` on `on`, which grows as needed.
void place_block(FigureBlock& on, FigureBlock block, FigurePoint at);

// All of them where they belong, those on top last.
std::vector<FigureElement> elements_of(FigureBlock block);

// `below` under `above`, with a distance where neither is empty.
FigureBlock stacked_blocks(FigureBlock above, FigureBlock below, double distance);

struct TextLook {
    Rgb ink;
    double size = kFigureBody;
    FigureFont font = FigureFont::sans;
    FigureAnchor anchor = FigureAnchor::start;
};

// They draw on `block` and leave its size alone. Empty texts are left out; texts are cleaned by one_line.
void draw_text(FigureBlock& block, FigurePoint baseline, std::string_view text, const TextLook& look);
// The text's letters are in the middle of the line at y.
void draw_text_at_middle(FigureBlock& block, double x, double y, std::string_view text, const TextLook& look);
// Turned by `degrees` clockwise about `start`, the left end of the text's middle line.
void draw_turned_text(FigureBlock& block, FigurePoint start, double degrees, std::string_view text,
                      const TextLook& look);
void draw_rect(FigureBlock& block, FigurePoint at, double width, double height, Rgb fill, double corner = 0);
void draw_frame(FigureBlock& block, FigurePoint at, double width, double height, Rgb line, double line_width,
                double corner = 0, std::vector<double> dashes = {});
void draw_line(FigureBlock& block, FigurePoint from, FigurePoint to, Rgb line, double line_width = 1,
               std::vector<double> dashes = {});
void draw_circle(FigureBlock& block, FigurePoint center, double radius, const FigureLook& look);
// A check mark in a square of `size` around `center`.
void draw_check_mark(FigureBlock& block, FigurePoint center, double size, Rgb ink);
// A dashed line from ring to ring, on paper: a target.
void draw_target(FigureBlock& block, Rgb paper, Rgb ink, FigurePoint from, FigurePoint to, double radius);

// The hatching of these rectangles: slanted lines that run on from one to the next. One path; nothing for none.
void draw_hatching(FigureBlock& block, const std::vector<FigureBox>& boxes, Rgb line);

// Wrapped text as a block `width` wide at most; without a style as paper has it.
FigureBlock text_block(const SceneStyle& style, std::string_view text, double width, const TextLook& look,
                       std::size_t most_lines);
FigureBlock text_block(std::string_view text, double width, const TextLook& look, std::size_t most_lines);

// "■ Head 1  rows: query · columns: key"; without a colour no square. Where `width` has no room the
// words are left out, and the title is cut, but not to less than the name of a head needs.
FigureBlock heading_block(const SceneStyle& style, std::optional<Rgb> color, std::string_view title,
                          std::string_view words, double width);

// A table of text: the first column names the rows, the others are numbers. `color_of` column k: a square beside its
// head, where there is one.
FigureBlock table_block(const FigureTask& task, const TextTable& table,
                        const std::vector<std::optional<Rgb>>& column_colors = {});

// --- legend
struct LegendPiece {
    FigureBlock block;       // kLegendLine high
    double distance = 28;    // to the piece before
    bool is_at_end = false;  // at the right end of the line, if there is room
};
inline constexpr double kLegendLine = 20;
LegendPiece legend_text(const FigureTask& task, std::string_view text);
// The colours between two ends, "0 ▭▭▭ 1".
LegendPiece legend_colors(const FigureTask& task, ColorMap map, const std::string& low, const std::string& high);
// A hatched cell and what it means.
LegendPiece legend_hidden(const FigureTask& task, std::string_view text);
// A cell with "?".
LegendPiece legend_blank(const FigureTask& task);
// A cell with the mark of a changed number, and what it means.
LegendPiece legend_changed(const FigureTask& task, std::string_view text);
// From left to right, in as many lines as they need.
FigureBlock legend_block(std::vector<LegendPiece> pieces, double width);

// --- the sheet
struct FigureWords {
    std::string title;                 // bold; one line, or two
    std::string subtitle;              // under it
    std::vector<std::string> remarks;  // what was reduced or left out: drawn under the title, and in the description
    std::string description;           // for screen readers, after the title
};

// The sentence in quotation marks, cut where it is very long.
std::string quoted_sentence(const FigureTask& task);

// Title, picture and legend on a sheet, as the options want them. What is hidden by View::hide ("legend") is left out,
// too.
Figure finished_figure(const FigureTask& task, FigureWords words, FigureBlock picture,
                       std::vector<LegendPiece> legend = {});

}  // namespace attn
