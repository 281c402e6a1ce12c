// Looks into figures: their texts, the tips of what they draw, and whether all of it lies on the sheet.
#pragma once

#include <algorithm>
#include <catch_amalgamated.hpp>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "playground/link/state_url.h"
#include "views/figures.h"

namespace attn::test {

// A state with its numbers, and its figure.
struct Drawn {
    explicit Drawn(const std::string& link, const FigureOptions& options = {})
        : Drawn(read_link(link).state, options) {}
    explicit Drawn(PlaygroundState legal, const FigureOptions& options = {}) : state(std::move(legal)) {
        evaluator.update(state);
        Result<Figure> drawn = figure_of(state, evaluator, options);
        if (drawn) figure = std::move(*drawn);
        error = drawn.error();
    }
    const Evaluation& evaluation() const { return evaluator.shown(); }

    PlaygroundState state;
    Evaluator evaluator;
    Figure figure;
    std::string error;
};

inline std::vector<std::string> texts_of(const Figure& figure) {
    std::vector<std::string> texts;
    for (const FigureElement& element : figure.elements) {
        if (const auto* text = std::get_if<FigureText>(&element)) texts.push_back(text->text);
    }
    return texts;
}

inline bool has_text(const Figure& figure, std::string_view wanted) {
    const std::vector<std::string> texts = texts_of(figure);
    return std::find(texts.begin(), texts.end(), wanted) != texts.end();
}

inline std::vector<std::string> tips_of(const Figure& figure) {
    std::vector<std::string> tips;
    for (const FigureElement& element : figure.elements) {
        if (const auto* rect = std::get_if<FigureRect>(&element); rect != nullptr && !rect->tip.empty()) {
            tips.push_back(rect->tip);
        }
        if (const auto* path = std::get_if<FigurePath>(&element); path != nullptr && !path->tip.empty()) {
            tips.push_back(path->tip);
        }
    }
    return tips;
}

// The shape with this tip.
template <class Shape>
const Shape& shape_with_tip(const Figure& figure, std::string_view tip) {
    for (const FigureElement& element : figure.elements) {
        if (const auto* shape = std::get_if<Shape>(&element); shape != nullptr && shape->tip == tip) return *shape;
    }
    FAIL("nothing has the tip " << tip);
    return std::get<Shape>(figure.elements.front());
}

// Every coordinate is a number on the sheet; texts begin, end or have their middle on it.
inline void check_on_sheet(const Figure& figure) {
    const auto check = [&](FigurePoint point) {
        if (point.x >= 0 && point.x <= figure.width && point.y >= 0 && point.y <= figure.height) return;
        FAIL_CHECK("(" << point.x << ", " << point.y << ") is not on a sheet of " << figure.width << " x "
                       << figure.height);
    };
    for (const FigureElement& element : figure.elements) {
        if (const auto* rect = std::get_if<FigureRect>(&element)) {
            check(rect->at);
            check({rect->at.x + rect->width, rect->at.y + rect->height});
            CHECK(rect->width >= 0);
            CHECK(rect->height >= 0);
        } else if (const auto* text = std::get_if<FigureText>(&element)) {
            check(text->at);
        } else {
            for (const FigurePiece& piece : std::get<FigurePath>(element).pieces) {
                if (piece.step != FigureStep::close) check(piece.to);
                if (piece.step == FigureStep::box) check(piece.a);
            }
        }
    }
}

}  // namespace attn::test
