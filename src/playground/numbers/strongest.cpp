// Searches the rows of a head for its largest weights, and the tokens for a text.
#include "playground/numbers/strongest.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "playground/numbers/shown_rows.h"

namespace attn {
namespace {

bool is_stronger(const StrongCell& a, const StrongCell& b) {
    if (a.value != b.value) return a.value > b.value;
    return std::pair(a.cell.row, a.cell.column) < std::pair(b.cell.row, b.cell.column);
}

char small_letter(char letter) {
    return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
}

}  // namespace

std::vector<StrongCell> strongest_cells(const Evaluation& evaluation, TensorId stage, int head, const Blanks& blanks) {
    std::vector<StrongCell> found;  // a heap, the weakest of them first
    for (int row = 0; row < evaluation.num_tokens(); ++row) {
        const Matrix numbers = shown_rows(evaluation, stage, head, row, row + 1);  // -inf where a key is hidden
        if (std::count_if(numbers.begin(), numbers.end(), [](float value) { return std::isfinite(value); }) < 2)
            continue;
        for (int column = 0; column < length(numbers, 1); ++column) {
            const StrongCell here = {.cell = {.head = head, .row = row, .column = column}, .value = numbers(0, column)};
            const bool is_full = found.size() == kNumStrongest;
            if (!std::isfinite(here.value) || (is_full && !is_stronger(here, found.front()))) continue;
            if (blanks.has(stage, head, row, column)) continue;
            if (is_full) {
                std::pop_heap(found.begin(), found.end(), is_stronger);
                found.pop_back();
            }
            found.push_back(here);
            std::push_heap(found.begin(), found.end(), is_stronger);
        }
    }
    std::sort_heap(found.begin(), found.end(), is_stronger);
    return found;
}

std::vector<int> tokens_with(const Evaluation& evaluation, std::string_view text) {
    std::vector<int> found;
    if (text.empty()) return found;
    const auto is_same = [](char a, char b) { return small_letter(a) == small_letter(b); };
    for (int token = 0; token < evaluation.num_tokens(); ++token) {
        const std::string& word = evaluation.tokens.tokens[static_cast<std::size_t>(token)].text;
        if (std::search(word.begin(), word.end(), text.begin(), text.end(), is_same) != word.end())
            found.push_back(token);
    }
    return found;
}

}  // namespace attn
