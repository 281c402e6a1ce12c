// Stacked heads as a figure: every number of every block.
#include "views/stacked/stacked_heads.h"

#include <set>

#include "core/ground/check.h"
#include "playground/numbers/stage_labels.h"
#include "playground/text/format.h"
#include "views/figure_reading.h"

namespace attn {
namespace {

using test::Drawn;

std::string tip_of(const Drawn& drawn, const HeadBlock& block, int row, int column) {
    return concat(block.name, " · ", block.has_tokens ? token_text(drawn.evaluation(), row) : concat("row ", row),
                  " · head ", block.head_of(column) + 1, " · column ", block.first_column + column, ": ",
                  shown_number(static_cast<double>(block.values(row, column))));
}

void check_block(const Drawn& drawn, const std::multiset<std::string>& tips, const HeadBlock& block) {
    for (int row = 0; row < length(block.values, 0); ++row) {
        for (int column = 0; column < length(block.values, 1); ++column) {
            const std::string tip = tip_of(drawn, block, row, column);
            if (!tips.contains(tip)) FAIL_CHECK("missing: " << tip);
        }
    }
}

TEST_CASE("stacked heads show every number of each head alone, of all together, and of the difference",
          "[figure-stacked]") {
    const std::string link = GENERATE("heads=2", "heads=4&d_out=8&bias=1&mask=none",
                                      "heads=4&d_out=8&kv_heads=2&bias=1", "init=none&out=0&d_in=6&d_out=6&heads=3");
    const Drawn drawn("view=stacked&text=one+two+three+four&" + link);
    REQUIRE(drawn.error.empty());
    test::check_on_sheet(drawn.figure);
    const std::vector<std::string> list = test::tips_of(drawn.figure);
    const std::multiset<std::string> tips(list.begin(), list.end());
    const StackedPicture picture = stacked_picture(drawn.evaluation());
    std::size_t num_numbers = picture.difference.values.size();
    for (const std::vector<HeadBlock>& blocks : picture.singles) {
        for (const HeadBlock& block : blocks) {
            check_block(drawn, tips, block);
            num_numbers += block.values.size();
        }
    }
    for (const HeadBlock& block : picture.whole) {
        check_block(drawn, tips, block);
        num_numbers += block.values.size();
    }
    check_block(drawn, tips, picture.difference);
    CHECK(tips.size() == num_numbers);
    CHECK(drawn.figure.description.find(stacked_in_words(picture.stacked)) != std::string::npos);
}

TEST_CASE("blank contexts are question marks in stacked heads", "[figure-stacked]") {
    const Drawn whole("view=stacked&text=one+two+three");
    const Drawn blank("view=stacked&text=one+two+three&check=context");
    REQUIRE(blank.error.empty());
    const StackedPicture picture = stacked_picture(whole.evaluation());
    const std::vector<std::string> list = test::tips_of(blank.figure);
    const std::set<std::string> tips(list.begin(), list.end());
    const HeadBlock& merged = picture.whole.back();
    REQUIRE(merged.stage == TensorId::merged);
    for (int row = 0; row < 3; ++row) {
        for (int column = 0; column < 4; ++column) CHECK_FALSE(tips.contains(tip_of(whole, merged, row, column)));
    }
    for (const std::string& tip : list) CHECK_FALSE(tip.starts_with("context"));
    // 3 x 4 numbers, by head and merged; the legend has one more.
    const std::vector<std::string> texts = test::texts_of(blank.figure);
    CHECK(std::count(texts.begin(), texts.end(), "?") >= 24);
    CHECK(tips.contains(tip_of(whole, picture.whole.front(), 0, 0)));  // learned matrices are what one computes with
}

TEST_CASE("many heads and tokens are drawn in part or small, and it is said", "[figure-stacked]") {
    std::string text;
    for (int k = 0; k < 200; ++k) text += "w+";
    const Drawn drawn("view=stacked&heads=16&d_out=64&d_in=64&text=" + text);
    REQUIRE(drawn.error.empty());
    test::check_on_sheet(drawn.figure);
    CHECK(test::has_text(drawn.figure, "Only the first 6 of 16 heads are drawn."));
    CHECK(drawn.figure.width < 1300);
    CHECK(drawn.figure.elements.size() < kMaxFigureElements);
}

}  // namespace
}  // namespace attn
