// A view as vectors: a flat list of rectangles, paths and texts on a sheet, in points, y down, later ones on top. Pure
// data: SVG, PDF-like renderers, the page's 2D canvas and Cairo draw the same list. Code that draws it must not know
// what it shows.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "scene/kit/colormap.h"

namespace attn {

struct FigurePoint {
    double x = 0, y = 0;

    bool operator==(const FigurePoint&) const = default;
};

// How an area is filled and outlined; nothing: it is not.
struct FigureLook {
    std::optional<Rgb> fill = {};
    std::optional<Rgb> line = {};
    double line_width = 1;
    std::vector<double> dashes = {};  // lengths of line and gap in turn; empty: solid
    double opacity = 1;               // of both
    bool is_crisp = false;            // a hint: neighbours stand without a gap and should show no seam
};

struct FigureRect {
    FigurePoint at = {};  // top left corner
    double width = 0, height = 0;
    double corner = 0;  // radius
    FigureLook look = {};
    std::string tip = {};  // what the rectangle stands for, with its number in full; SVG shows it under the pointer
};

enum class FigureStep { move, line, curve, close, box };

struct FigurePiece {
    FigureStep step = FigureStep::move;
    FigurePoint to = {};         // not of close; of a box, a closed rectangle by itself, the top left corner
    FigurePoint a = {}, b = {};  // the control points of a cubic curve; a box's bottom right corner is `a`
};

struct FigurePath {
    std::vector<FigurePiece> pieces = {};
    FigureLook look = {};
    std::string tip = {};
};

enum class FigureFont { sans, sans_bold, mono };
enum class FigureAnchor { start, middle, end };

struct FigureText {
    FigurePoint at = {};  // on the baseline, at its anchor
    std::string text = {};
    double size = 12;  // points an em
    FigureFont font = FigureFont::sans;
    FigureAnchor anchor = FigureAnchor::start;
    Rgb ink = {};
    double turn = 0;  // degrees clockwise around `at`
};

using FigureElement = std::variant<FigureRect, FigurePath, FigureText>;

struct Figure {
    double width = 0, height = 0;
    std::optional<Rgb> ground = {};  // nothing: transparent
    std::string title = {};          // for people and screen readers, also where no title is drawn
    std::string description = {};
    std::vector<FigureElement> elements = {};
};

}  // namespace attn
