// Python as text: lines, literals of strings, numbers and lists. Knows neither tensors nor states.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/ground/check.h"

namespace attn {

// A Python file being written, or a notebook's cells.
class PythonText {
public:
    // One line at the present depth, put together of `parts`; what stands in them after a line break is not indented.
    template <class First, class... Parts>
    void line(const First& first, const Parts&... parts) {
        const std::string text = concat(first, parts...);
        text_ += text.empty() ? "\n" : concat(indent(), text, "\n");
    }
    void line() { text_ += "\n"; }  // empty
    // Several lines at the present depth.
    void block(std::string_view lines);

    void deeper() { ++depth_; }
    void back() { --depth_; }
    std::string indent() const { return std::string(static_cast<std::size_t>(4 * depth_), ' '); }
    const std::string& text() const { return text_; }

    // For a notebook: what is written from now on is cut into cells.
    void cut_into_cells() { is_cut_ = true; }
    // Whether a cell can begin here: the text is cut, and this is neither in a function nor in a loop.
    bool makes_cells() const { return is_cut_ && depth_ == 0; }
    // Where makes_cells(), what follows is a cell of its own; else nothing. `name` is a literal: what the cell does, or
    // the stages that it makes, "queries keys values".
    void cell(std::string_view name) {
        if (makes_cells()) cells_.push_back({.name = name, .begin = text_.size()});
        place(name);
    }
    // What follows makes these stages, wherever it stands: "" is for what makes none.
    void place(std::string_view stages) { places_.push_back({.name = stages, .begin = text_.size()}); }
    struct Cell {
        std::string_view name;
        std::size_t begin;  // where in text()
    };
    const std::vector<Cell>& cells() const { return cells_; }
    const std::vector<Cell>& places() const { return places_; }

    // Whether the script has a function without_blanks(name, numbers), for numbers that it computes and must not print.
    void leave_blanks() { leaves_blanks_ = true; }
    bool leaves_blanks() const { return leaves_blanks_; }
    // What is printed of `numbers`; both in Python, `name` is that of the stage: "name", "\"grad_embeddings\"".
    std::string printed(std::string_view name, std::string_view numbers) const {
        return leaves_blanks_ ? concat("without_blanks(", name, ", ", numbers, ")") : std::string(numbers);
    }

private:
    std::string text_;
    std::vector<Cell> cells_, places_;
    int depth_ = 0;
    bool is_cut_ = false;
    bool leaves_blanks_ = false;
};

// A string literal. `text` is valid UTF-8: letters stay as they are; controls, invisible and combining characters, and
// what turns the direction of writing are escaped.
std::string python_string(std::string_view text);

// A link for a comment. Python and editors obey some words in a comment: "coding: latin-1" changes how the
// whole file is read. So no character stays that could be part of such words.
std::string python_comment_link(std::string_view link);

// A number that Python takes for a float, and that gives the same float32 again: "1.0", "-0.0", "1e-05" is "1e-5".
std::string python_number(float value);
std::string python_number(double value);

// "[a, b, c]", over several lines where it is long: those after the first begin with `indent`.
std::string python_list(const std::vector<std::string>& items, const std::string& indent);
std::string python_list(const std::vector<float>& numbers, const std::string& indent);
std::string python_matrix(const std::vector<std::vector<float>>& rows, const std::string& indent);

}  // namespace attn
