// What the lessons say, one function a lesson, in files by subject. Each gives the steps in the order of their links
// (lesson_links.cpp); lessons() puts both together. Only text and numbers that were printed elsewhere: nothing is
// computed. All of it is constant data, since code that makes it would take several times the room in the page. The
// words of a lesson's steps are joined into one text while compiling, since pointers to so many small texts would take
// half as much room as the texts.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <string_view>

#include "core/attention/stages.h"
#include "playground/lessons/printed_of.h"

namespace attn {

// A Printed of four decimals.
struct PrintedText {
    PrintedOf of = PrintedOf::stage;
    TensorId stage = TensorId::weights;
    int head = 0;  // or kAllHeads
    int row = 0;
    std::string_view numbers;  // "1,2;3,4", as links write rows; "-inf" for a hidden key
    std::string_view source;
};

struct StepText {
    std::string_view title, text;
    std::string_view points_at;  // with spaces between the names
    std::span<const PrintedText> printed = {};
};

// All steps of a lesson as they stand in the page.
struct PackedSteps {
    struct PrintedAt {
        std::size_t step = 0;
        std::span<const PrintedText> printed;
    };
    std::string_view words;  // title, text and points_at of each step, a line each
    std::span<const PrintedAt> printed;
};

struct LessonText {
    std::string_view name, title, about;
    PackedSteps steps;
};

// Joins an array of StepText, a constant of its file.
template <const auto& kSteps>
class StepPacker {
    static constexpr std::size_t count_words() {
        std::size_t count = 0;
        for (const StepText& step : kSteps) count += step.title.size() + step.text.size() + step.points_at.size() + 3;
        return count;
    }
    static constexpr auto join_words() {
        std::array<char, count_words()> words = {};
        auto place = words.begin();
        for (const StepText& step : kSteps) {
            for (const std::string_view line : {step.title, step.text, step.points_at}) {
                place = std::copy(line.begin(), line.end(), place);
                *place++ = '\n';
            }
        }
        return words;
    }
    static constexpr std::size_t count_printed() {
        return static_cast<std::size_t>(std::count_if(std::begin(kSteps), std::end(kSteps),
                                                      [](const StepText& step) { return !step.printed.empty(); }));
    }
    static constexpr auto list_printed() {
        std::array<PackedSteps::PrintedAt, count_printed()> list = {};
        std::size_t place = 0;
        for (std::size_t i = 0; i < std::size(kSteps); ++i) {
            if (!kSteps[i].printed.empty()) list[place++] = {i, kSteps[i].printed};
        }
        return list;
    }
    static constexpr auto kWords = join_words();
    static constexpr auto kPrinted = list_printed();

public:
    static constexpr PackedSteps packed() { return {{kWords.data(), kWords.size()}, kPrinted}; }
};

template <const auto& kSteps>
constexpr PackedSteps pack() {
    return StepPacker<kSteps>::packed();
}

// The weights of torch.linear with seed 789, without a mask, as the notebook prints them.
inline constexpr std::string_view kLinearWeights =
    "0.1921,0.1646,0.1652,0.1550,0.1721,0.1510;"
    "0.2041,0.1659,0.1662,0.1496,0.1665,0.1477;"
    "0.2036,0.1659,0.1662,0.1498,0.1664,0.1480;"
    "0.1869,0.1667,0.1668,0.1571,0.1661,0.1564;"
    "0.1830,0.1669,0.1670,0.1588,0.1658,0.1585;"
    "0.1935,0.1663,0.1666,0.1542,0.1666,0.1529";

LessonText lesson_without_weights();
LessonText lesson_trainable_weights();
LessonText lesson_scaling();
LessonText lesson_causal();
LessonText lesson_dropout();
LessonText lesson_heads();
LessonText lesson_split();
LessonText lesson_batch();
LessonText lesson_stacked();
LessonText lesson_cost();
LessonText lesson_linear();
LessonText lesson_shares();
LessonText lesson_one_row();
LessonText lesson_sentences();

}  // namespace attn
