#include "scene/kit/figure_text.h"

#include <catch_amalgamated.hpp>

#include "core/words/tokens.h"
#include "playground/random_states.h"

namespace attn {
namespace {

TEST_CASE("wide letters are wider than narrow ones, bold than regular, and size counts", "[figure]") {
    CHECK(text_width("mmm", 12) > 2 * text_width("iii", 12));
    CHECK(text_width("attention", 12, FigureFont::sans_bold) > text_width("attention", 12));
    CHECK(text_width("attention", 24) == Catch::Approx(2 * text_width("attention", 12)));
    CHECK(text_width("iii", 10, FigureFont::mono) == text_width("mmm", 10, FigureFont::mono));
    CHECK(text_width("注意", 10) > text_width("ab", 10));
    CHECK(text_width("e\xCC\x81", 10) == text_width("e", 10));  // a mark that combines takes no room
}

TEST_CASE("a shortened text is not wider than asked for and ends in an ellipsis", "[figure]") {
    const std::string text = "unbelievably long word";
    CHECK(shortened_text(text, 1000, 12) == text);
    const std::string cut = shortened_text(text, 60, 12);
    CHECK(cut.ends_with("…"));
    CHECK(text_width(cut, 12) <= 60);
    CHECK(text.starts_with(cut.substr(0, cut.size() - 3)));
    CHECK(shortened_text("👩‍👩‍👧‍👦👩‍👩‍👧‍👦", 3, 12) ==
          "…");  // a family stays together or goes
}

TEST_CASE("wrapped lines fit, keep every word, and end in an ellipsis where there are too many", "[figure]") {
    const std::string text = "The artist painted the portrait of a woman with a brush";
    const auto lines = wrapped_text(text, 120, 12, FigureFont::sans, 100);
    REQUIRE(lines.size() > 2);
    std::string joined;
    for (const std::string& line : lines) {
        CHECK(text_width(line, 12) <= 120);
        joined += joined.empty() ? line : " " + line;
    }
    CHECK(joined == text);
    const auto few = wrapped_text(text, 120, 12, FigureFont::sans, 2);
    CHECK(few.size() == 2);
    CHECK(few[1].ends_with("…"));
    CHECK(wrapped_text("  ", 120, 12, FigureFont::sans, 2).empty());
    CHECK(wrapped_text(std::string(5000, 'x'), 100, 12, FigureFont::sans, 3).size() == 3);
    CHECK(wrapped_text("wide", 1, 12, FigureFont::sans, 3).size() == 3);  // narrower than a letter: one each
}

TEST_CASE("random bytes become lines of valid text that can be measured and cut", "[figure][bad-input]") {
    test::Dice dice(7);
    for (int k = 0; k < 500; ++k) {
        const std::string line = one_line(dice.bytes(dice.below(60)));
        CHECK(clean_utf8(line).num_replaced == 0);
        CHECK(line.find_first_of("\n\t\r\x7F") == std::string::npos);
        const double width = text_width(line, 12);
        CHECK(text_width(shortened_text(line, width / 2, 12), 12) <= std::max(width / 2, text_width("…", 12)) + 1e-9);
        for (const std::string& each : wrapped_text(line, 50, 12, FigureFont::sans, 4)) {
            CHECK(clean_utf8(each).num_replaced == 0);
        }
    }
}

TEST_CASE("only words from right to left are set apart", "[figure]") {
    CHECK(isolated("woman") == "woman");
    CHECK(isolated("שלום") == "\u2068שלום\u2069");
    CHECK(is_right_to_left("“(12) العربية"));
    CHECK_FALSE(is_right_to_left("\"שלום\", \"ל\" and 4 more left out"));  // a sentence about words of another script
    CHECK(is_right_to_left("\"שלום\""));
    CHECK(is_right_to_left("\"שלום\" אמר the"));
    CHECK(is_right_to_left("\"שלום and"));
    CHECK_FALSE(is_right_to_left("a العربية"));
    CHECK_FALSE(is_right_to_left("12"));
}

TEST_CASE("an arrow points from the first word to the second in every script", "[figure]") {
    CHECK(from_to("woman", "brush") == "woman → brush");
    // Between marks the words keep their place; a line that begins with such a word runs from the left all the same.
    const std::string line = from_to("שלום", "עולם");
    CHECK(line == "\u2068שלום\u2069 → \u2068עולם\u2069");
    CHECK_FALSE(is_right_to_left(line));
    CHECK(is_right_to_left(line + " שלום"));
    CHECK(from_to(isolated("שלום"), "one") == "\u2068שלום\u2069 → one");
}

}  // namespace
}  // namespace attn
