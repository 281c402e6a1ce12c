// Puts the words of a comparison together.
#include "views/compare/compare_words.h"

#include <limits>

#include "core/ground/check.h"
#include "playground/link/other_link.h"
#include "playground/numbers/stage_labels.h"
#include "playground/text/format.h"
#include "scene/kit/figure_parts.h"
#include "scene/kit/figure_text.h"

namespace attn {
namespace {

StageRange diverging(float largest) {
    const float high = largest > 0 ? largest : 1;
    return {.low = -high, .high = high};
}

}  // namespace

std::vector<const Matrix*> Compared::matrices() const {
    std::vector<const Matrix*> found;
    for (const Matrix* matrix : {&comparison.a, &comparison.b, &comparison.difference}) {
        if (matrix->size() > 0) found.push_back(matrix);
    }
    return found;
}

ColorMap Compared::colors(std::size_t map) const {
    return map == 2 || info.is_signed ? ColorMap::diverging : ColorMap::sequential;
}

StageRange Compared::range(std::size_t map) const {
    if (map == 2) return diverging(comparison.end_of_colors());
    return info.is_signed ? diverging(comparison.largest_number) : stage_range;
}

bool Compared::is_cut(std::size_t map) const {
    return (map == 2 ? comparison.largest : comparison.largest_number) > range(map).high;
}

std::string Compared::title(std::size_t map) const {
    const std::string_view name = compared_name(map);
    return has_head(map) ? concat(name, " · Head ", head(map) + 1) : std::string(name);
}

std::string Compared::label(std::size_t map, bool is_column, int index) const {
    if (is_column && !has_keys()) return concat(index);
    // If A and B have different sentences, a difference belongs to a place, not to words.
    if (map == 2 && !comparison.has_same_tokens) return concat(index);
    return token_text(map == 1 ? b : a, index);
}

std::string Compared::cell_in_words(std::size_t map, const Place& place) const {
    const auto word = [&](bool is_column, int index) {
        return isolated(shortened_text(one_line(label(map, is_column, index)), 400, kFigureBody));
    };
    const std::string row = word(false, place.row);
    const std::string column = word(true, place.column);
    return has_keys() ? from_to(row, column) : concat(row, " · channel ", column);
}

std::string Compared::place_in_words(const std::optional<Place>& place) const {
    if (!lies_in(comparison.a, place)) return {};
    std::string text = concat(cell_in_words(0, *place), ":");
    std::size_t map = 0;
    for (const Matrix* matrix : matrices()) {
        text += concat(map == 0 ? " " : ", ", compared_name(map), " ", compared_value(*matrix, *place));
        ++map;
    }
    return text;
}

std::string_view compared_name(std::size_t map) {
    constexpr std::array<std::string_view, 3> kNames = {"A", "B", "A − B"};
    return kNames.at(map);
}

std::string compared_value(const Matrix& matrix, const Place& place) {
    if (!lies_in(matrix, place)) return "not there";
    const float value = matrix(place.row, place.column);
    return value == -std::numeric_limits<float>::infinity() ? "masked" : shown_number(static_cast<double>(value));
}

bool lies_in(const Matrix& matrix, const std::optional<Place>& place) {
    return place && place->row < length(matrix, 0) && place->column < length(matrix, 1);
}

std::string other_in_words(const PlaygroundState& a, const PlaygroundState& b) {
    std::string text;
    for (const std::string& words : differences_in_words(a, b)) text += concat(text.empty() ? "B: " : "; ", words);
    return text.empty() ? "B is the same as A" : text;
}

}  // namespace attn
