// Writes coordinates with few digits, and paths with the commands of SVG.
#include "scene/pens/path_text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string_view>

#include "core/ground/check.h"

namespace attn {
namespace {

// The text of short_number.
class ShortNumber {
public:
    static constexpr std::size_t kMostLetters = 20;

    explicit ShortNumber(double value) {
        const double hundredths = std::round(value * 100);
        ATTN_CHECK(std::abs(hundredths) < 1e15, "a length of ", value, " points");
        auto rest = static_cast<std::int64_t>(std::abs(hundredths));
        const auto decimals = static_cast<int>(rest % 100);
        rest /= 100;
        if (decimals % 10 != 0) put('0' + decimals % 10);
        if (decimals != 0) {
            put('0' + decimals / 10);
            put('.');
        }
        do {
            put('0' + static_cast<int>(rest % 10));
            rest /= 10;
        } while (rest > 0);
        if (hundredths < 0) put('-');
    }
    std::string_view view() const { return {letters_.data() + begin_, kMostLetters - begin_}; }

private:
    void put(int letter) { letters_[--begin_] = static_cast<char>(letter); }  // from the last to the first

    std::array<char, kMostLetters> letters_;
    std::size_t begin_ = kMostLetters;
};

// Writes the numbers of a path, by far the most of a figure, letter by letter: function calls would cost too much for
// strings this short.
class PathText {
public:
    void add(char letter) { letters_[size_++] = letter; }
    void add(double number) {
        const ShortNumber text(number);
        for (const char letter : text.view()) add(letter);
    }
    void add(FigurePoint point) {
        add(point.x);
        const ShortNumber y(point.y);
        if (y.view().front() != '-') add(' ');
        for (const char letter : y.view()) add(letter);
    }
    std::string_view view() const { return {letters_.data(), size_}; }

private:
    std::array<char, 8 * ShortNumber::kMostLetters> letters_;  // a command has up to six numbers
    std::size_t size_ = 0;
};

}  // namespace

std::string short_number(double value) {
    return std::string(ShortNumber(value).view());
}

std::string hex_color(Rgb color) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string text = "#";
    for (const float part : {color.r, color.g, color.b}) {
        const auto byte = static_cast<unsigned>(std::lround(std::clamp(part, 0.0F, 1.0F) * 255));
        text += kDigits[byte / 16];
        text += kDigits[byte % 16];
    }
    return text;
}

std::string point_text(FigurePoint point) {
    PathText text;
    text.add(point);
    return std::string(text.view());
}

std::string path_data(const std::vector<FigurePiece>& pieces) {
    std::string data;
    FigurePoint at;
    FigurePoint start;
    for (const FigurePiece& piece : pieces) {
        PathText text;
        switch (piece.step) {
            case FigureStep::move:
                text.add('M');
                text.add(piece.to);
                start = piece.to;
                break;
            case FigureStep::line:
                if (piece.to.y == at.y) {
                    text.add('H');
                    text.add(piece.to.x);
                } else if (piece.to.x == at.x) {
                    text.add('V');
                    text.add(piece.to.y);
                } else {
                    text.add('L');
                    text.add(piece.to);
                }
                break;
            case FigureStep::curve:
                text.add('C');
                text.add(piece.a);
                text.add(' ');
                text.add(piece.b);
                text.add(' ');
                text.add(piece.to);
                break;
            case FigureStep::close:
                text.add('Z');
                break;
            case FigureStep::box:
                text.add('M');
                text.add(piece.to);
                text.add('H');
                text.add(piece.a.x);
                text.add('V');
                text.add(piece.a.y);
                text.add('H');
                text.add(piece.to.x);
                text.add('Z');
                start = piece.to;
                break;
        }
        data += text.view();
        const bool is_closed = piece.step == FigureStep::close || piece.step == FigureStep::box;
        at = is_closed ? start : piece.to;
    }
    return data;
}

}  // namespace attn
