// See number_block.h. First the text is cut into rows of words, by brackets or by lines; then the words are read.
#include "playground/number_block.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "core/check.h"
#include "playground/format.h"
#include "playground/notes.h"

namespace attn {
namespace {

using Words = std::vector<std::string_view>;
using Rows = std::vector<Words>;

Result<Rows> refuse(std::string sentence) {
    return Result<Rows>::failure(std::move(sentence));
}

bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f' || c == '\v';
}
bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
    while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
    return text;
}

// The pieces between the separators; "a,,b" has an empty one.
template <class IsSeparator>
Words split(std::string_view text, IsSeparator is_separator) {
    Words pieces;
    std::size_t begin = 0;
    for (std::size_t at = 0; at <= text.size(); ++at) {
        if (at < text.size() && !is_separator(text[at])) continue;
        pieces.push_back(text.substr(begin, at - begin));
        begin = at + 1;
    }
    return pieces;
}

Words without_empty(Words words) {
    std::erase_if(words, [](std::string_view word) { return word.empty(); });
    return words;
}

// "1,5": a comma right between digits.
bool looks_like_decimal_comma(std::string_view word) {
    const std::size_t comma = word.find(',');
    return comma != std::string_view::npos && word.find(',', comma + 1) == std::string_view::npos && comma > 0 &&
           comma + 1 < word.size() && is_digit(word[comma - 1]) && is_digit(word[comma + 1]) &&
           word.find('.') == std::string_view::npos;
}

std::string decimal_comma_sentence(std::string_view word) {
    std::string pointed(word);
    std::replace(pointed.begin(), pointed.end(), ',', '.');
    return concat(quoted(word), " seems to have a decimal comma; write ", quoted(pointed));
}

// What separates the cells of text without brackets.
struct Separators {
    char cell = ' ';  // '\t', ',', ';' or ' ' for any blanks
    bool semicolon_ends_row = false;
};

Separators separators_of(std::string_view text) {
    const auto has = [&](char c) { return text.find(c) != std::string_view::npos; };
    if (has('\t')) return {.cell = '\t'};
    if (has(',') && has(';')) return {.cell = ',', .semicolon_ends_row = true};
    if (has(',')) return {.cell = ','};
    if (has(';')) return {.cell = ';'};
    return {.cell = ' '};
}

// The first number with a decimal comma; empty if there is none. Commas part cells ("1,2" on each line, "1, 2",
// ".5,.25;1,2") unless blanks or semicolons do so already and every comma stands between digits: "1,5 2" and "1,5;2,5".
std::string_view find_decimal_comma(std::string_view text) {
    for (const std::string_view line : split(text, [](char c) { return c == '\n' || c == '\r'; })) {
        Words words = without_empty(split(line, [](char c) { return is_blank(c) || c == ';'; }));
        if (words.size() < 2) continue;
        std::erase_if(words, [](std::string_view word) { return word.find(',') == std::string_view::npos; });
        if (!words.empty() && std::all_of(words.begin(), words.end(), looks_like_decimal_comma)) return words.front();
    }
    return {};
}

// Rows of a text without brackets.
Result<Rows> rows_of_lines(std::string_view text) {
    const std::string_view comma_word = find_decimal_comma(text);
    if (!comma_word.empty()) return refuse(decimal_comma_sentence(comma_word));
    const Separators separators = separators_of(text);
    const auto ends_row = [&](char c) { return c == '\n' || c == '\r' || (c == ';' && separators.semicolon_ends_row); };
    Rows rows;
    for (const std::string_view line : split(text, ends_row)) {
        if (trimmed(line).empty()) continue;
        if (separators.cell == ' ') {
            rows.push_back(without_empty(split(line, is_blank)));
            continue;
        }
        Words& row = rows.emplace_back(split(line, [&](char c) { return c == separators.cell; }));
        std::transform(row.begin(), row.end(), row.begin(), trimmed);
    }
    return rows;
}

// The words of one pair of innermost brackets: commas or blanks part them, and a comma may end them.
Result<Words> words_in_brackets(std::string_view text, std::size_t row) {
    if (text.find(',') == std::string_view::npos) return without_empty(split(text, is_blank));
    Words words;
    for (const std::string_view piece : split(text, [](char c) { return c == ','; })) words.push_back(trimmed(piece));
    if (words.back().empty()) words.pop_back();
    for (std::size_t column = 0; column < words.size(); ++column) {
        if (std::any_of(words[column].begin(), words[column].end(), is_blank)) {
            return Result<Words>::failure(
                concat("row ", row, ", column ", column, ": a comma is missing in ", quoted(words[column])));
        }
    }
    return words;
}

// Whether nothing but separators stands there.
bool is_between_brackets(std::string_view text) {
    return std::all_of(text.begin(), text.end(), [](char c) { return is_blank(c) || c == ','; });
}

// What may stand before the first bracket: "tensor(", "x = np.array(", but no number.
bool is_introduction(std::string_view text) {
    const auto parts = [](char c) { return is_blank(c) || c == ',' || c == ';' || c == '(' || c == '='; };
    const Words words = without_empty(split(text, parts));
    return std::none_of(words.begin(), words.end(),
                        [](std::string_view word) { return parse_number(word).has_value(); });
}

// Walks the brackets and collects the innermost ones.
class BracketReader {
public:
    explicit BracketReader(std::string_view text) : text_(text) {}

    Result<Rows> read() {
        const std::size_t first = text_.find('[');
        if (!is_introduction(text_.substr(0, first))) return refuse("a number stands before the first bracket");
        for (at_ = first; at_ < text_.size(); ++at_) {
            if (text_[at_] == '[') open();
            if (text_[at_] == ']') close();
            if (!failure_.empty()) return refuse(failure_);
            if (depth_ == 0) break;
        }
        if (depth_ > 0) return refuse("a closing bracket is missing at the end");
        const std::string_view rest = trimmed(text_.substr(at_ + 1));
        if (rest.find('[') != std::string_view::npos) return refuse(kSeveral);
        // ", dtype=float32)" says nothing about the numbers.
        if (rest.empty() || rest.front() == ',' || rest.front() == ')') return std::move(rows_);
        return refuse(concat(quoted(rest), " stands after the last bracket"));
    }

private:
    void open() {
        if (depth_ > 0 && !is_between_brackets(text_.substr(begin_, at_ - begin_))) {
            failure_ = concat(quoted(trimmed(text_.substr(begin_, at_ - begin_))), " stands between the rows");
            return;
        }
        // A matrix has been closed before, and another one opens beside it.
        if (row_depth_ > 0 && depth_ + 1 < row_depth_ && !rows_.empty()) {
            failure_ = kSeveral;
            return;
        }
        ++depth_;
        is_innermost_ = true;
        begin_ = at_ + 1;
    }

    void close() {
        const std::string_view inside = text_.substr(begin_, at_ - begin_);
        if (is_innermost_) {
            if (row_depth_ > 0 && depth_ != row_depth_) {
                failure_ = concat("row ", rows_.size(), " stands in other brackets than row 0");
                return;
            }
            row_depth_ = depth_;
            Result<Words> words = words_in_brackets(inside, rows_.size());
            if (!words) {
                failure_ = words.error();
                return;
            }
            rows_.push_back(std::move(*words));
        } else if (!is_between_brackets(inside)) {
            failure_ = concat(quoted(trimmed(inside)), " stands between the rows");
        }
        is_innermost_ = false;
        begin_ = at_ + 1;
        --depth_;
    }

    static constexpr const char* kSeveral = "there are several matrices, copy one of them";
    std::string_view text_;
    std::size_t at_ = 0;
    std::size_t begin_ = 0;      // after the last bracket
    int depth_ = 0;              // brackets that are open
    int row_depth_ = 0;          // of the innermost ones; 0: not known yet
    bool is_innermost_ = false;  // no bracket was opened inside the last one
    Rows rows_;
    std::string failure_;
};

std::string what_is_wrong(std::string_view word) {
    if (word.empty()) return "the cell is empty";
    if (word.find("...") != std::string_view::npos || word == "…") {
        return "\"...\" stands for numbers that were not printed: print all of them (NumPy: "
               "set_printoptions(threshold=10**9), "
               "PyTorch: set_printoptions(profile=\"full\"))";
    }
    if (looks_like_decimal_comma(word)) return concat(quoted(word), " seems to have a decimal comma");
    return concat(quoted(word), " is not a number");
}

}  // namespace

Result<NumberBlock> parse_number_block(std::string_view text) {
    using Block = Result<NumberBlock>;
    constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
    if (text.substr(0, kByteOrderMark.size()) == kByteOrderMark) text.remove_prefix(kByteOrderMark.size());
    text = trimmed(text);
    if (text.empty()) return Block::failure("there is no text");
    const bool has_brackets = text.find('[') != std::string_view::npos;
    Result<Rows> rows = has_brackets ? BracketReader(text).read() : rows_of_lines(text);
    if (!rows) return Block::failure(rows.error());

    NumberBlock block;
    std::size_t num_numbers = 0;
    for (const Words& words : *rows) {
        const std::size_t row = block.size();
        std::vector<float>& numbers = block.emplace_back();
        for (const std::string_view word : words) {
            const auto failure = [&](std::string_view what) {
                return Block::failure(concat("row ", row, ", column ", numbers.size(), ": ", what));
            };
            const std::optional<double> number = parse_number(word);
            if (!number) return failure(what_is_wrong(word));
            if (std::abs(*number) > static_cast<double>(std::numeric_limits<float>::max())) {
                return failure(concat(quoted(word), " is too large for a float"));
            }
            if (++num_numbers > kMaxBlockNumbers) {
                return Block::failure(concat("more than ", with_thousands(static_cast<std::int64_t>(kMaxBlockNumbers)),
                                             " numbers, and no matrix is so large"));
            }
            numbers.push_back(static_cast<float>(*number));
        }
        if (numbers.size() != block.front().size()) {
            return Block::failure(concat("row ", row, " has ",
                                         counted(static_cast<std::int64_t>(numbers.size()), "number"), ", row 0 has ",
                                         block.front().size()));
        }
    }
    if (block.empty() || block.front().empty()) return Block::failure("there are no numbers in it");
    return block;
}

std::string write_number_block(const NumberBlock& block) {
    std::string text;
    for (const std::vector<float>& row : block) {
        for (std::size_t column = 0; column < row.size(); ++column) {
            if (column > 0) text += '\t';
            text += exact_number(row[column]);
        }
        text += '\n';
    }
    return text;
}

}  // namespace attn
