// Whose numbers a worked solution is about. Its numbers and formulas are tested by solution.test.mjs.
#include "share/solution/worked_solution.h"

#include <catch_amalgamated.hpp>

#include "core/ground/check.h"
#include "playground/link/state_url.h"
#include "share/solution/latex_text.h"

namespace attn {
namespace {

std::string solution_of(std::string_view link) {
    const PlaygroundState state = read_link(link).state;
    Evaluator evaluator;
    const Result<std::string> text = worked_solution(state, evaluator.update(state));
    REQUIRE(text);
    return *text;
}

bool holds(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
}

TEST_CASE("a solution is about the pinned cell's row and head", "[worked_solution]") {
    CHECK(solution_of("text=a+b+c&cell=2,1,0").starts_with("# Attention by hand: token 1, “b”, in head 2 of 2\n"));
    CHECK(
        solution_of("text=a+b+c&stage=merged&cell=1,1,3").starts_with("# Attention by hand: token 1, “b”, in head 2"));
    CHECK(solution_of("text=a+b+c&stage=output&cell=1,1,3&head=2")
              .starts_with("# Attention by hand: token 1, “b”, in head 2"));
    CHECK(
        solution_of("text=a+b+c&stage=output&cell=1,0,3").starts_with("# Attention by hand: token 0, “a”, in head 1"));
}

TEST_CASE("without a pinned cell it holds the head's matrices, then the last token's steps", "[worked_solution]") {
    const std::string text = solution_of("text=a+b+c&head=2");
    CHECK(text.starts_with("# Attention by hand: head 2 of 2\n"));
    CHECK(holds(text, "S = Q \\, K^\\top = \\begin{pmatrix}"));
    CHECK(holds(text, "The steps for one query, token 2, “c”:"));
    CHECK(holds(solution_of("text=a+b&text=c+d+e&sentence=2"), "Sentence 2 of 2: $T = 3$ tokens"));
}

TEST_CASE("only the steps that are there are worked out", "[worked_solution]") {
    const std::string plain = solution_of("text=a+b&out=0&heads=1&scale=none&cell=1,1,0");
    for (const std::string_view absent : {"Dropout", "Output", "side by side", "b_Q", "\\sqrt", "hidden"}) {
        CAPTURE(absent);
        CHECK_FALSE(holds(plain, absent));
    }
    CHECK(holds(plain, "The scores are not scaled"));
    CHECK(holds(solution_of("text=a+b&dropout=.5&cell=1,1,0"), "1 / (1 - p) = 2.0000"));
    CHECK(holds(solution_of("text=a+b&cell=1,0,0"), "Key 1 is hidden"));
    CHECK(holds(solution_of("text=a+b+c+d&cell=1,0,0"), "Keys 1, 2 and 3 are hidden"));
    CHECK(holds(solution_of("text=a+b&mask_at=after&cell=1,0,0"), "divided by its sum $R$"));
    CHECK(holds(solution_of("text=a+b&mask_at=raw&cell=1,0,0"), "no longer sums to 1"));
    CHECK(holds(solution_of("text=a+b&edit=queries[1,0]=2&cell=1,1,0"), "(set by hand)"));
    CHECK(holds(solution_of("text=a+b&edit=x[1,0]=2&cell=1,1,0"), "with numbers set by hand"));
    CHECK(holds(solution_of("text=a+b&init=none&d_in=4&d_out=4&out=0&cell=1,1,0"), "There are no learned matrices"));
}

TEST_CASE("with a goal the way back of the row follows, to the gradient of its query", "[worked_solution]") {
    const std::string_view link =
        GENERATE("text=a+b+c&goal=pattern&target=1:2>0,2>1=0.5&cell=1,2,0",
                 "text=a+b+c&goal=pattern&target=1:2>0&cell=1,2,0&mask_at=raw&steps=2",
                 "text=a+b+c&d_in=4&d_out=4&goal=next&cell=2,1,0&dropout=0.4",
                 "text=a+b+c&d_in=4&d_out=4&goal=next&cell=2,1,0&mask_at=after&out=0",
                 "text=&text=a+b+c&d_in=4&d_out=4&goal=next&sentence=2&cell=1,0,0&mask_at=raw");
    INFO(link);
    const PlaygroundState state = read_link(link).state;
    Evaluator evaluator;
    const Evaluation& shown = evaluator.update(state);
    const std::string text = solution_of(link);
    const Gradients& gradients = shown.run->training().gradients(0);
    const Cell cell = *state.view.cell;
    REQUIRE(holds(text, "Gradient of the query"));
    for (int c = 0; c < shown.problem->head_dim(); ++c) {
        const auto number = static_cast<double>(gradients.query(cell.head, cell.row, c));
        CHECK(holds(text, concat("&= ", latex_number(number))));
    }
    for (int j = 0; j <= cell.row; ++j) {
        const auto number = static_cast<double>(gradients.scores(cell.head, cell.row, j));
        CHECK(holds(text, concat("| $", latex_number(number), "$ |")));
    }
}

TEST_CASE("a row that the loss does not depend on has a sentence for its way back", "[worked_solution]") {
    CHECK(holds(solution_of("text=a+b+c&goal=pattern&target=1:2>0&cell=2,2,0"), "No target is set for this query"));
    CHECK(holds(solution_of("text=a+b+c&d_in=4&d_out=4&goal=next&cell=2,2,0"), "No word follows the last token"));
    CHECK_FALSE(holds(solution_of("text=a+b+c&cell=2,2,0"), "way back"));
    CHECK_FALSE(holds(solution_of("text=a+b+c&d_in=4&d_out=4&goal=next&cell=2,1,0&check=weights"), "way back"));
}

TEST_CASE("a link in a solution has no braces, which makers of pages fill in", "[worked_solution][bad-input]") {
    CHECK(holds(solution_of("text=Why?+(a:b)"), "State: `#v=1&text=Why?+(a:b)`"));
    CHECK(holds(solution_of("text={{+7*7+}}+{é}"), "State: `#v=1&text=%7B%7B+7*7+%7D%7D+%7B%C3%A9%7D`"));
}

TEST_CASE("an empty sentence has nothing to work out", "[worked_solution][bad-input]") {
    const PlaygroundState state = read_link("text=").state;
    Evaluator evaluator;
    CHECK(worked_solution(state, evaluator.update(state)).error() ==
          "The sentence is empty, so there is nothing to work out.");
}

}  // namespace
}  // namespace attn
