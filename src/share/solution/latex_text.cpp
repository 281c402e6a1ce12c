// Writes numbers, sums and matrices in LaTeX, and any text so that Markdown shows it as it is.
#include "share/solution/latex_text.h"

#include <algorithm>
#include <cmath>

#include "core/ground/check.h"
#include "core/words/code_points.h"
#include "playground/text/adding_digits.h"
#include "playground/text/format.h"

namespace attn {
namespace {

constexpr std::size_t kMostTerms = 9;  // of a sum
constexpr std::size_t kFirstTerms = 5;
constexpr std::size_t kLastTerms = 2;
constexpr std::size_t kProductsOfRow = 3;  // a page is so wide
constexpr std::size_t kNumbersOfRow = 6;

void replace_all(std::string& text, std::string_view from, std::string_view to) {
    for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
        text.replace(at, from.size(), to);
}

bool is_markdown_sign(std::uint32_t code_point) {
    return code_point < 0x80 &&
           std::string_view("!\"#%&'()*+,-./:;<=>?@[\\]^_`{|}~").find(static_cast<char>(code_point)) !=
               std::string_view::npos;
}

bool is_alone(const Term& term) {
    return !term.b.has_source && term.b.value == 1;
}

std::string factor_text(double value, bool is_shown) {
    return is_shown ? latex_number(value) : std::string(kLatexBlank);
}

// "-0.5000 \cdot (-0.2500)"
std::string product_of_factors(const LatexTerm& term) {
    const std::string a = factor_text(term.term.a.value, term.shows_a);
    if (is_alone(term.term)) return a;
    const std::string b = factor_text(term.term.b.value, term.shows_b);
    return concat(a, " \\cdot ", b.starts_with('-') ? concat("(", b, ")") : b);
}

// Summands joined by signs, with a line break after each `of_row`. "+ -0.5" becomes "- 0.5".
std::string joined(const std::vector<std::string>& summands, std::size_t of_row) {
    std::string text = summands[0];
    for (std::size_t i = 1; i < summands.size(); ++i) {
        const bool is_negative = summands[i].starts_with('-');
        text += concat(i % of_row == 0 ? " \\\\\n&\\quad " : " ", is_negative ? "- " : "+ ",
                       is_negative ? summands[i].substr(1) : summands[i]);
    }
    return text;
}

// The terms with the middle ones of a long sum put together: their sum stands under dots.
struct ShortSum {
    std::vector<LatexTerm> terms;
    std::size_t gap = std::string::npos;  // where the dots stand
};

ShortSum shortened(const std::vector<LatexTerm>& terms) {
    if (terms.size() <= kMostTerms) return {.terms = terms};
    ShortSum sum{.terms = {}, .gap = kFirstTerms};
    LatexTerm middle;
    middle.term.a.value = 0;
    for (std::size_t i = 0; i < terms.size(); ++i) {
        if (i < kFirstTerms || i >= terms.size() - kLastTerms) {
            sum.terms.push_back(terms[i]);
            continue;
        }
        middle.term.a.value += terms[i].term.product();
        middle.shows_a = middle.shows_a && terms[i].shows_product();
        if (i == terms.size() - kLastTerms - 1) sum.terms.push_back(middle);
    }
    return sum;
}

std::string dots_over(const std::string& number) {
    return concat("\\underbrace{\\dots}_{", number, "}");
}

}  // namespace

std::string latex_number(double value, int digits) {
    std::string text = shown_number(value, digits);
    replace_all(text, "\u2212", "-");
    replace_all(text, "∞", "\\infty");
    replace_all(text, "NaN", "\\text{NaN}");
    const std::size_t e = text.find('e');
    if (e != std::string::npos && text.find('\\') == std::string::npos)
        text = concat(text.substr(0, e), "\\times 10^{", text.substr(e + 1), "}");
    return text;
}

std::string markdown_text(std::string_view text) {
    std::string escaped;
    for (int i = 0; !text.empty(); ++i) {
        if (i == kMostLetters) return escaped + "…";
        const auto [number, bytes] = take_code_point(text);
        if (number == '$') {
            escaped += "&#36;";  // not every reader of Markdown knows "\$" between formulas
        } else if (is_markdown_sign(number)) {
            escaped += concat("\\", bytes);
        } else if (turns_writing(number) || is_no_character(number)) {
            escaped += concat("U+", hexadecimal(number, number > 0xfffff ? 6 : number > 0xffff ? 5 : 4));
        } else if (!is_seen(number)) {
            escaped += concat("&#x", hexadecimal(number, number > 0xffff ? 6 : 4), ";");
        } else {
            escaped += bytes;
        }
    }
    return escaped;
}

std::vector<int> printed_indices(int count, int most) {
    std::vector<int> indices;
    for (int i = 0; i < count; ++i) {
        const bool is_printed = count <= most || i < most - 2 || i == count - 1;
        if (is_printed) {
            indices.push_back(i);
        } else if (indices.back() != kGap) {
            indices.push_back(kGap);
        }
    }
    return indices;
}

std::string latex_matrix(int rows, int columns, const LatexCell& cell) {
    ATTN_CHECK(rows > 0 && columns > 0, "a matrix without numbers");
    const std::vector<int> row_indices = printed_indices(rows, kMostRows);
    std::string text = "\\begin{pmatrix}";
    for (const int i : row_indices) {
        text += i == 0 ? (rows > 1 ? "\n" : " ") : " \\\\\n";
        std::string_view separator;
        for (const int c : printed_indices(columns, kMostColumns)) {
            text += separator;
            separator = " & ";
            if (i == kGap) {
                text += c == kGap ? "\\ddots" : "\\vdots";
            } else {
                text += c == kGap ? std::string("\\cdots") : cell(i, c);
            }
        }
    }
    return concat(text, rows > 1 ? "\n" : " ", "\\end{pmatrix}");
}

std::string latex_sum(std::string_view symbol, const std::vector<LatexTerm>& terms, double sum,
                      const std::string& result) {
    const ShortSum printed = shortened(terms);
    std::vector<Term> products;
    for (const LatexTerm& term : printed.terms) products.push_back(term.term);
    const int digits = adding_digits(products, sum);
    std::vector<std::string> factors, numbers;
    bool has_products = false;
    for (std::size_t i = 0; i < printed.terms.size(); ++i) {
        const LatexTerm& term = printed.terms[i];
        const std::string number =
            term.shows_product() ? latex_number(term.term.product(), digits) : std::string(kLatexBlank);
        if (i == printed.gap) {
            factors.push_back("\\dots");
            numbers.push_back(dots_over(number));
        } else {
            factors.push_back(product_of_factors(term));
            numbers.push_back(number);
        }
        has_products = has_products || !is_alone(term.term);
    }
    std::vector<std::string> steps;
    if (has_products) steps.push_back(joined(factors, kProductsOfRow));
    const bool is_asked = has_products && result == kLatexBlank;  // then the reader is to work out the products, too
    if (!is_asked && (numbers.size() > 1 || (has_products && digits > 4)))
        steps.push_back(joined(numbers, kNumbersOfRow));
    if (steps.empty() || steps.back() != result) steps.push_back(result);
    std::string rows = std::string(symbol);
    for (std::size_t i = 0; i < steps.size(); ++i) rows += concat(i == 0 ? " &= " : " \\\\\n&= ", steps[i]);
    return rows;
}

std::string latex_aligned(const std::vector<std::string>& rows) {
    std::string text = "$$\n\\begin{aligned}\n";
    for (std::size_t i = 0; i < rows.size(); ++i) text += concat(rows[i], i + 1 < rows.size() ? " \\\\[1ex]\n" : "\n");
    return text + "\\end{aligned}\n$$\n";
}

}  // namespace attn
