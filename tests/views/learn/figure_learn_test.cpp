// The figure of view=learn: what stands on it, and where.
#include <algorithm>
#include <catch_amalgamated.hpp>
#include <cmath>

#include "core/ground/check.h"
#include "playground/text/format.h"
#include "views/figure_reading.h"
#include "views/learn/learning_links.h"
#include "views/learn/next_words.h"

namespace attn::test {
namespace {

constexpr const char* kReading = "view=learn&goal=pattern&target=1:10>1,10>7&optimizer=adam&rate=0.05&steps=100";

// A solid line of data, not of an axis: its corners.
const FigurePath& curve_on(const Figure& figure) {
    const FigurePath* longest = nullptr;
    for (const FigureElement& element : figure.elements) {
        const auto* path = std::get_if<FigurePath>(&element);
        const bool is_line = path != nullptr && path->look.line && !path->look.fill && path->look.dashes.empty();
        if (is_line && (longest == nullptr || path->pieces.size() > longest->pieces.size())) longest = path;
    }
    REQUIRE(longest != nullptr);
    return *longest;
}

}  // namespace

TEST_CASE("the curve falls as the loss does, never below the bound's line", "[figure-learn]") {
    const Drawn drawn(kReading);
    REQUIRE(drawn.error.empty());
    check_on_sheet(drawn.figure);
    const std::vector<double>& losses = drawn.evaluation().run->losses();
    const FigurePath& curve = curve_on(drawn.figure);
    REQUIRE(curve.pieces.size() == losses.size());
    for (std::size_t step = 1; step < losses.size(); ++step) {
        // y goes down.
        CHECK((losses[step] < losses[step - 1]) == (curve.pieces[step].to.y > curve.pieces[step - 1].to.y));
        CHECK(curve.pieces[step].to.x > curve.pieces[step - 1].to.x);
    }
    // The first dashed line is that of the key.
    const FigurePath* bound = nullptr;
    for (const FigureElement& element : drawn.figure.elements) {
        const auto* path = std::get_if<FigurePath>(&element);
        if (path != nullptr && !path->look.dashes.empty()) bound = path;
    }
    REQUIRE(bound != nullptr);
    for (const FigurePiece& piece : curve.pieces) CHECK(piece.to.y <= bound->pieces.front().to.y);
    CHECK(has_text(drawn.figure, "bound 0.6931 = ln 2"));
    const std::string mark = concat("step 100: ", shown_number(losses.back()));
    const std::vector<std::string> tips = tips_of(drawn.figure);
    CHECK(std::ranges::count(tips, mark) == 1);
}

TEST_CASE("each cell of each map has its weight, and painted cells a ring", "[figure-learn]") {
    const Drawn drawn(concat(kReading, "&head=1"));
    const std::vector<std::string> tips = tips_of(drawn.figure);
    const float weight = row_of(drawn.evaluation().trace.weights, 0, 10)[1];
    const std::string last = concat("head 1, step 100, brush → artist: ", shown_number(static_cast<double>(weight)));
    CHECK(std::ranges::count(tips, last) == 1);
    const auto is_of_strip = [](const std::string& tip) { return tip.starts_with("head "); };
    CHECK(std::ranges::count_if(tips, is_of_strip) == 6 * 66);  // what the mask leaves of 11 x 11
    CHECK(has_text(drawn.figure, "asked: brush → artist, brush → woman"));

    const Drawn before("view=learn&head=1&goal=pattern&target=1:10>1,10>7");
    const auto num_rings = [](const Figure& figure) {
        return std::ranges::count_if(figure.elements, [](const FigureElement& element) {
            const auto* rect = std::get_if<FigureRect>(&element);
            return rect != nullptr && rect->look.line && rect->look.line_width == 1.5;
        });
    };
    CHECK(num_rings(before.figure) == 2);
    CHECK(num_rings(drawn.figure) == 6 * 2);

    FigureOptions plain;
    plain.has_tips = false;
    const Drawn without(kReading, plain);
    CHECK(std::ranges::none_of(tips_of(without.figure), is_of_strip));
}

TEST_CASE("large maps are joined, and no part of them leaves the sheet", "[figure-learn]") {
    std::string text;
    for (int i = 0; i < 70; ++i) text += concat(i == 0 ? "" : "+", "w", i);
    FigureOptions dark;
    dark.is_dark = true;
    const Drawn drawn("view=learn&text=" + text + "&heads=1&goal=pattern&target=1:60>59&steps=3", dark);
    REQUIRE(drawn.error.empty());
    check_on_sheet(drawn.figure);
    CHECK(drawn.figure.elements.size() < 4000);
}

TEST_CASE("the next words stand there with their losses, the wanted ones in a ring", "[figure-learn]") {
    const Drawn drawn("view=learn&goal=next&d_out=8&optimizer=adam&rate=0.05&steps=60");
    REQUIRE(drawn.error.empty());
    check_on_sheet(drawn.figure);
    const NextWords words = next_words(drawn.evaluation());
    const std::vector<std::string> tips = tips_of(drawn.figure);
    int num_rings = 0;
    for (const FigureElement& element : drawn.figure.elements) {
        const auto* rect = std::get_if<FigureRect>(&element);
        num_rings += rect != nullptr && rect->look.line && rect->look.line_width == 2 ? 1 : 0;
    }
    CHECK(num_rings == 10);
    for (const NextWord& word : words.positions) {
        for (std::size_t v = 0; v < words.vocabulary.size(); ++v) {
            const std::string tip =
                concat(word.token, " → ", words.vocabulary[v], ": ", shown_number(word.probabilities[v]));
            CHECK(std::ranges::count(tips, tip) >= 1);
        }
        if (word.wanted) CHECK(has_text(drawn.figure, shown_number(word.loss)));
    }
    CHECK(has_text(drawn.figure, "the end"));
}

TEST_CASE("a loss on a logarithmic axis, an infinite one, and no step at all can be drawn",
          "[figure-learn][bad-input]") {
    const std::string link =
        GENERATE("goal=pattern&target=1:10>1&optimizer=adam&rate=0.1&steps=400", "goal=pattern&target=1:10>1",
                 "goal=pattern&target=1:10>1&rate=1e9&steps=50", "text=a&mask=none&goal=pattern&target=1:0>0&steps=5");
    CAPTURE(link);
    const Drawn drawn("view=learn&" + link);
    REQUIRE(drawn.error.empty());
    check_on_sheet(drawn.figure);
}

TEST_CASE("without a goal there is no figure, and the error says what to do", "[figure-learn][bad-input]") {
    CHECK(Drawn("view=learn").error.starts_with("There is no goal yet"));
    CHECK(Drawn("view=learn&goal=pattern").error.starts_with("No head was told where to look yet"));
}

}  // namespace attn::test
