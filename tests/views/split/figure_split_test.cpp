// The split as a figure: each number stands where its shape has it.
#include "views/split/weight_split.h"

#include <map>
#include <set>

#include "core/ground/check.h"
#include "playground/numbers/stage_labels.h"
#include "playground/text/format.h"
#include "scene/kit/figure_parts.h"
#include "views/figure_reading.h"

namespace attn {
namespace {

using test::Drawn;

constexpr int kTokens = 3;
const std::string kSplit = "view=split&text=one+two+three&d_out=6&heads=3&";

std::string tip_of(const Drawn& drawn, TensorId tensor, int token, int head, int channel) {
    return concat(token_text(drawn.evaluation(), token), " · head ", head + 1, " · channel ", channel, ": ",
                  shown_number(static_cast<double>(
                      split_number(drawn.evaluation(), tensor, {.token = token, .head = head, .channel = channel}))));
}

TEST_CASE("a split shows every number in each of the three shapes, in the colour of its head", "[figure-split]") {
    const auto [stage, tensor] = GENERATE(table<std::string, TensorId>({{"queries", TensorId::queries},
                                                                        {"keys", TensorId::keys},
                                                                        {"values", TensorId::values},
                                                                        {"context", TensorId::context}}));
    const bool is_dark = GENERATE(false, true);
    FigureOptions options;
    options.is_dark = is_dark;
    const Drawn drawn(kSplit + "stage=" + stage, options);
    REQUIRE(drawn.error.empty());
    test::check_on_sheet(drawn.figure);
    std::map<std::string, std::vector<Rgb>> grounds;
    for (const FigureElement& element : drawn.figure.elements) {
        if (const auto* rect = std::get_if<FigureRect>(&element); rect != nullptr && !rect->tip.empty()) {
            grounds[rect->tip].push_back(*rect->look.fill);
        }
    }
    const Rgb paper = paper_color(is_dark);
    for (int token = 0; token < kTokens; ++token) {
        for (int head = 0; head < 3; ++head) {
            for (int channel = 0; channel < 2; ++channel) {
                const std::vector<Rgb>& found = grounds[tip_of(drawn, tensor, token, head, channel)];
                CHECK(found.size() == 6);  // three shapes, each also as it is in memory
                const Rgb want = mixed(paper, head_color(head, is_dark), is_dark ? 0.42F : 0.3F);
                for (const Rgb ground : found) CHECK(ground == want);
            }
        }
    }
    CHECK(grounds.size() == 18);
    for (const SplitPhase& phase : split_phases(tensor, 1, drawn.evaluation().sizes)) {
        CHECK(
            std::any_of(drawn.figure.elements.begin(), drawn.figure.elements.end(), [&](const FigureElement& element) {
                const auto* text = std::get_if<FigureText>(&element);
                return text != nullptr && text->text.find(phase.letters + " = " + phase.shape) != std::string::npos;
            }));
    }
}

TEST_CASE("what is blank in a split is a question mark, and its number is nowhere", "[figure-split]") {
    const Drawn whole(kSplit + "stage=queries");
    const std::string number = shown_number(static_cast<double>(
        split_number(whole.evaluation(), TensorId::queries, {.token = 1, .head = 2, .channel = 0})));
    REQUIRE(test::has_text(whole.figure, number));
    const Drawn one(kSplit + "stage=queries&hide=queries[3,1,0]");
    REQUIRE(one.error.empty());
    CHECK_FALSE(test::has_text(one.figure, number));
    const std::vector<std::string> texts = test::texts_of(one.figure);
    CHECK(std::count(texts.begin(), texts.end(), "?") >= 6);  // six cells, and the legend's
    for (const std::string& tip : test::tips_of(one.figure)) CHECK(tip.find(number) == std::string::npos);

    const Drawn all(kSplit + "stage=queries&check=queries");
    REQUIRE(all.error.empty());
    CHECK(test::tips_of(all.figure).empty());
}

TEST_CASE("of a large tensor a split shows the first part, and says so", "[figure-split]") {
    const Drawn drawn(
        "view=split&stage=keys&tokens=chars&text=abcdefghijklmnopqrstuvwxyzabcdefghij&d_out=256&heads=16");
    REQUIRE(drawn.error.empty());
    test::check_on_sheet(drawn.figure);
    const SplitCut cut = cut_for(drawn.evaluation().sizes);
    REQUIRE_FALSE(cut.is_whole(drawn.evaluation().sizes));
    CHECK(test::has_text(drawn.figure, cut_in_words(cut, drawn.evaluation().sizes)));
    const std::vector<std::string> tips = test::tips_of(drawn.figure);
    CHECK(std::set<std::string>(tips.begin(), tips.end()).size() <=
          static_cast<std::size_t>(cut.tokens * cut.heads * cut.channels));
    CHECK(drawn.figure.elements.size() < 20000);
}

}  // namespace
}  // namespace attn
