// The text is cut into rows of words, by brackets or by lines, and each row is read before the next
// is cut: a file may be all rows.
#include "playground/text/number_block.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "core/ground/check.h"
#include "core/words/code_points.h"
#include "playground/text/format.h"
#include "playground/text/notes.h"

namespace attn {
namespace {

using Words = std::vector<std::string_view>;

bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f' || c == '\v';
}
bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

// Takes the text before the next separator off the front of `rest`, and the separator too. Returns false at the end,
// which is where `rest` has no data any more: "a,b," has three pieces.
template <class IsSeparator>
bool take_piece(std::string_view& rest, std::string_view& piece, IsSeparator is_separator) {
    if (rest.data() == nullptr) return false;
    const auto* const end = std::find_if(rest.begin(), rest.end(), is_separator);
    const auto length = static_cast<std::size_t>(end - rest.begin());
    piece = rest.substr(0, length);
    rest = length == rest.size() ? std::string_view() : rest.substr(length + 1);
    return true;
}

// The pieces between the separators, or those that are not empty; one more than a row may have is enough.
template <class IsSeparator>
Words split(std::string_view text, IsSeparator is_separator, bool keeps_empty) {
    Words pieces;
    for (std::string_view piece; pieces.size() <= kMaxBlockSide && take_piece(text, piece, is_separator);) {
        if (keeps_empty || !piece.empty()) pieces.push_back(piece);
    }
    return pieces;
}

// "1,5": a comma right between digits.
bool looks_like_decimal_comma(std::string_view word) {
    const std::size_t comma = word.find(',');
    return comma != std::string_view::npos && word.find(',', comma + 1) == std::string_view::npos && comma > 0 &&
           comma + 1 < word.size() && is_digit(word[comma - 1]) && is_digit(word[comma + 1]) &&
           word.find('.') == std::string_view::npos;
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

bool ends_line(char c) {
    return c == '\n' || c == '\r';
}

// The text with points for its commas, where each of them stands between the digits of a number of its own; else empty.
// Nothing is copied of a text that has more lines than a matrix rows.
std::string with_points_for_commas(std::string_view text) {
    const auto parts = [](char c) { return is_blank(c) || c == ';'; };
    if (text.find('[') != std::string_view::npos) return "";  // as Python prints numbers
    if (text.find(',') == std::string_view::npos) return "";
    if (static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')) > kMaxBlockSide) return "";
    std::string_view rest = text;
    for (std::string_view word; take_piece(rest, word, parts);) {
        if (word.find(',') != std::string_view::npos && !looks_like_decimal_comma(word)) return "";
    }
    std::string pointed(text);
    std::replace(pointed.begin(), pointed.end(), ',', '.');
    return pointed;
}

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

// Collects the rows of a block. Its functions and the readers below return half a sentence where something is wrong.
class Rows {
public:
    std::string take(const Words& words) {
        if (block_.size() == kMaxBlockSide) return concat("more than ", kMost, " rows, and no matrix has so many");
        std::vector<float>& numbers = block_.emplace_back();
        numbers.reserve(std::min(words.size(), kMaxBlockSide));
        for (const std::string_view word : words) {
            std::string failure = take_number(word, numbers);
            if (!failure.empty()) return failure;
        }
        if (numbers.size() == block_.front().size()) return {};
        return concat("row ", block_.size() - 1, " has ", counted(static_cast<std::int64_t>(numbers.size()), "number"),
                      ", row 0 has ", block_.front().size());
    }

    std::size_t size() const { return block_.size(); }
    NumberBlock& block() { return block_; }

private:
    static constexpr std::string_view kMost = "2,048";
    static_assert(kMaxBlockSide == 2048, "the sentences say so");

    std::string take_number(std::string_view word, std::vector<float>& numbers) {
        const auto failure = [&](std::string_view what) {
            return concat("row ", block_.size() - 1, ", column ", numbers.size(), ": ", what);
        };
        const std::optional<double> number = parse_number(word);
        if (!number) return failure(what_is_wrong(word));
        if (std::abs(*number) > static_cast<double>(std::numeric_limits<float>::max())) {
            return failure(concat(quoted(word), " is too large for a float"));
        }
        if (numbers.size() == kMaxBlockSide) {
            return concat("row ", block_.size() - 1, " has more than ", kMost,
                          " numbers, and no matrix has so many columns");
        }
        if (++num_numbers_ > kMaxBlockNumbers) {
            return concat("more than ", with_thousands(static_cast<std::int64_t>(kMaxBlockNumbers)),
                          " numbers, and no matrix is so large");
        }
        numbers.push_back(static_cast<float>(*number));
        return {};
    }

    NumberBlock block_;
    std::size_t num_numbers_ = 0;
};

// Reads the rows of a text without brackets.
std::string read_lines(std::string_view text, Rows& rows) {
    const Separators separators = separators_of(text);
    const auto ends_row = [&](char c) { return ends_line(c) || (c == ';' && separators.semicolon_ends_row); };
    for (std::string_view line; take_piece(text, line, ends_row);) {
        if (trimmed(line).empty()) continue;
        const bool is_blank_apart = separators.cell == ' ';
        Words row = is_blank_apart ? split(line, is_blank, false)
                                   : split(line, [&](char c) { return c == separators.cell; }, true);
        std::transform(row.begin(), row.end(), row.begin(), trimmed);
        std::string failure = rows.take(row);
        if (!failure.empty()) return failure;
    }
    return {};
}

// The words of one pair of innermost brackets, separated by commas or blanks; a comma may follow the last.
Result<Words> words_in_brackets(std::string_view text, std::size_t row) {
    if (text.find(',') == std::string_view::npos) return split(text, is_blank, false);
    Words words = split(text, [](char c) { return c == ','; }, true);
    std::transform(words.begin(), words.end(), words.begin(), trimmed);
    if (words.back().empty()) words.pop_back();
    for (std::size_t column = 0; column < words.size(); ++column) {
        if (std::any_of(words[column].begin(), words[column].end(), is_blank)) {
            return Result<Words>::failure(
                concat("row ", row, ", column ", column, ": a comma is missing in ", quoted(words[column])));
        }
    }
    return words;
}

// Whether the text holds nothing but separators.
bool is_between_brackets(std::string_view text) {
    return std::all_of(text.begin(), text.end(), [](char c) { return is_blank(c) || c == ','; });
}

// What may stand before the first bracket: "tensor(", "x = np.array(", but no number.
bool is_introduction(std::string_view text) {
    const auto parts = [](char c) { return is_blank(c) || c == ',' || c == ';' || c == '(' || c == '='; };
    for (std::string_view word; take_piece(text, word, parts);) {
        if (!word.empty() && parse_number(word)) return false;
    }
    return true;
}

// Walks the brackets and reads the innermost ones.
class BracketReader {
public:
    BracketReader(std::string_view text, Rows& rows) : text_(text), rows_(rows) {}

    std::string read() {
        const std::size_t first = text_.find('[');
        if (!is_introduction(text_.substr(0, first))) return "a number stands before the first bracket";
        for (at_ = first; at_ < text_.size(); ++at_) {
            if (text_[at_] == '[') open();
            if (text_[at_] == ']') close();
            if (!failure_.empty()) return failure_;
            if (depth_ == 0) break;
        }
        if (depth_ > 0) return "a closing bracket is missing at the end";
        const std::string_view rest = trimmed(text_.substr(at_ + 1));
        if (rest.find('[') != std::string_view::npos) return kSeveral;
        // After the last bracket ", dtype=float32)" may follow; it says nothing about the numbers.
        if (rest.empty() || rest.front() == ',' || rest.front() == ')') return {};
        return concat(quoted(rest), " stands after the last bracket");
    }

private:
    void open() {
        if (depth_ > 0 && !is_between_brackets(text_.substr(begin_, at_ - begin_))) {
            failure_ = concat(quoted(trimmed(text_.substr(begin_, at_ - begin_))), " stands between the rows");
            return;
        }
        // One matrix was closed, and another one opens beside it.
        if (row_depth_ > 0 && depth_ + 1 < row_depth_ && rows_.size() > 0) {
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
            const Result<Words> words = words_in_brackets(inside, rows_.size());
            failure_ = words ? rows_.take(*words) : words.error();
            if (!failure_.empty()) return;
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
    Rows& rows_;
    std::string failure_;
};

}  // namespace

Result<NumberBlock> parse_number_block(std::string_view text) {
    using Block = Result<NumberBlock>;
    constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
    if (text.substr(0, kByteOrderMark.size()) == kByteOrderMark) text.remove_prefix(kByteOrderMark.size());
    text = trimmed(text);
    if (text.empty()) return Block::failure("there is no text");
    const bool has_brackets = text.find('[') != std::string_view::npos;
    Rows rows;
    std::string failure = has_brackets ? BracketReader(text, rows).read() : read_lines(text, rows);
    if (!failure.empty()) return Block::failure(std::move(failure));
    if (rows.size() == 0 || rows.block().front().empty()) return Block::failure("there are no numbers in it");
    return std::move(rows.block());
}

Result<std::vector<NumberReading>> number_readings(std::string_view text) {
    using Readings = Result<std::vector<NumberReading>>;
    Result<NumberBlock> plain = parse_number_block(text);
    std::vector<NumberReading> readings;
    if (plain) readings.push_back({.block = std::move(*plain), .has_decimal_commas = false});
    const std::string pointed = with_points_for_commas(text);
    Result<NumberBlock> other = pointed.empty() ? Result<NumberBlock>::failure("") : parse_number_block(pointed);
    if (other) readings.push_back({.block = std::move(*other), .has_decimal_commas = true});
    return readings.empty() ? Readings::failure(plain.error()) : Readings(std::move(readings));
}

std::string with_decimal_point(std::string_view text) {
    std::string pointed(text);
    const std::size_t comma = pointed.find(',');
    if (comma == std::string::npos) return pointed;
    pointed[comma] = '.';
    const bool is_number = comma + 1 < pointed.size() && is_digit(pointed[comma + 1]) && parse_number(pointed);
    return is_number ? pointed : std::string(text);
}

std::string comma_note(std::string_view text) {
    text = trimmed(text);
    const std::size_t comma = text.find(',');
    const std::string pointed = with_decimal_point(text);
    const bool parts_thousands = comma != std::string_view::npos && pointed != text && text.size() == comma + 4 &&
                                 text.substr(0, comma).find_first_of("123456789") != std::string_view::npos;
    return parts_thousands ? concat(text, " was read as ", pointed, ": a comma is a decimal point here")
                           : std::string();
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
