// Markdown and LaTeX as text. That KaTeX reads it is tested by solution.test.mjs.
#include "share/solution/latex_text.h"

#include <catch_amalgamated.hpp>
#include <limits>

#include "core/ground/check.h"

namespace attn {
namespace {

LatexTerm product(double a, double b) {
    LatexTerm term;
    term.term.a.value = a;
    term.term.b.value = b;
    term.term.b.has_source = true;
    return term;
}

TEST_CASE("numbers are those of the screen, in LaTeX", "[latex_text]") {
    CHECK(latex_number(-0.12345) == "-0.1235");
    CHECK(latex_number(0) == "0");
    CHECK(latex_number(1.5e6) == "1.5000\\times 10^{6}");
    CHECK(latex_number(-3e-5) == "-3.0000\\times 10^{-5}");
    CHECK(latex_number(-std::numeric_limits<double>::infinity()) == "-\\infty");
    CHECK(latex_number(std::numeric_limits<double>::quiet_NaN()) == "\\text{NaN}");
}

TEST_CASE("a stranger's text is no Markdown and no LaTeX", "[latex_text]") {
    CHECK(markdown_text("brush") == "brush");
    CHECK(markdown_text("a|b*c_d`\\") == "a\\|b\\*c\\_d\\`\\\\");
    CHECK(markdown_text("$x$") == "&#36;x&#36;");
    CHECK(markdown_text("<b>&") == "\\<b\\>\\&");
    CHECK(markdown_text("\xE2\x80\xAE") == "U+202e");
    CHECK(markdown_text("\uFFFF\uFDD0\U0001FFFE\U0010FFFF") == "U+ffffU+fdd0U+1fffeU+10ffff");
    CHECK(markdown_text("e\xCC\x81") == "e&#x0301;");
    CHECK(markdown_text(std::string(41, 'x')) == std::string(40, 'x') + "…");
    CHECK(markdown_text(std::string(40, 'x')) == std::string(40, 'x'));
}

TEST_CASE("of many rows the first ones and the last one are printed", "[latex_text]") {
    CHECK(printed_indices(3, 4) == std::vector<int>{0, 1, 2});
    CHECK(printed_indices(4, 4) == std::vector<int>{0, 1, 2, 3});
    CHECK(printed_indices(9, 4) == std::vector<int>{0, 1, kGap, 8});
    const std::string matrix = latex_matrix(20, 2, [](int row, int column) { return concat(row, ".", column); });
    CHECK(matrix.starts_with("\\begin{pmatrix}\n0.0 & 0.1 \\\\\n1.0 & 1.1 \\\\\n"));
    CHECK(matrix.ends_with("\\vdots & \\vdots \\\\\n19.0 & 19.1\n\\end{pmatrix}"));
}

TEST_CASE("a sum is written as factors, products that add up, and the result", "[latex_text]") {
    CHECK(latex_sum("s", {product(0.5, -0.25), product(-1, 0.5)}, -0.625, "-0.6250") ==
          "s &= 0.5000 \\cdot (-0.2500) - 1.0000 \\cdot 0.5000 \\\\\n&= -0.1250 - 0.5000 \\\\\n&= -0.6250");
    // Three times a third of a unit: with four decimals they would add up to nothing.
    const LatexTerm third = product(1, 0.1 + 0.00003333);
    CHECK(latex_sum("s", {third, third, third}, 0.30009999, "0.3001").find("0.10003") != std::string::npos);
    LatexTerm blank = product(0.5, 3);
    blank.shows_b = false;
    CHECK(latex_sum("s", {blank, product(1, 1)}, 2.5, "2.5000") ==
          "s &= 0.5000 \\cdot \\square + 1.0000 \\cdot 1.0000 \\\\\n&= \\square + 1.0000 \\\\\n&= 2.5000");
    CHECK(latex_sum("s", {product(1, 2), product(1, 1)}, 3, std::string(kLatexBlank)) ==
          "s &= 1.0000 \\cdot 2.0000 + 1.0000 \\cdot 1.0000 \\\\\n&= \\square");
}

TEST_CASE("the middle terms of a long sum are dots over their sum", "[latex_text]") {
    std::vector<LatexTerm> terms;
    for (int i = 0; i < 20; ++i) terms.push_back(product(i, 1));
    const std::string sum = latex_sum("s", terms, 190, "190.0000");
    CHECK(sum.find("\\underbrace{\\dots}_{143.0000}") != std::string::npos);  // 5 + 6 + ... + 17
    terms[9].shows_a = false;
    CHECK(latex_sum("s", terms, 190, "190.0000").find("\\underbrace{\\dots}_{\\square}") != std::string::npos);
}

}  // namespace
}  // namespace attn
