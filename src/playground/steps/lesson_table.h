// What the steps of the lessons say and what they open, in files by subject: each step is one entry with its link and
// its words. Only text and numbers that were printed elsewhere: nothing is computed, and links are only joined.
//
// Two readers take two tables from these entries. link/lesson_links.cpp takes the links: the page's first part and the
// engine's module need them to read a link, and must carry nothing else. lessons/lessons.cpp takes the words, which
// come with a later part of the page. So NAME_links points at no words.
//
// All of it is constant data, since code that makes it would take several times the room in the page. Links and words
// of a lesson are each joined into one text while compiling, since pointers to so many small texts would take half as
// much room as the texts.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <string_view>

#include "core/attention/stages.h"
#include "playground/steps/printed_of.h"

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

using SharedParts = std::span<const std::string_view>;

// A step's link: what it shares with other steps, then its own part. Where the step compares, `other` is the own part
// of the state beside it. Has no default, so no step compiles without a link.
struct StepLink {
    SharedParts shared;
    std::string_view own;
    std::string_view other;

    constexpr StepLink(SharedParts shared_parts, std::string_view own_part, std::string_view other_part = {})
        : shared(shared_parts), own(own_part), other(other_part) {}
};

// How a visitor answers what a step asks before it goes on.
enum class PredictionKind {
    one,    // one of several texts
    head,   // one of the heads of the shown layer
    cell,   // one of the keys that a row may look at
    order,  // the texts from the largest to the smallest
};

// A text that can be chosen. `claim` decides whether it is right (lessons/claims.h): a claim that is so, or among
// numbers the largest. An order goes by the numbers. Of heads and cells only those with a sentence of their own are
// listed, with the head (from 1) or the column (from 0) in place of the claim.
struct ChoiceText {
    std::string_view says;
    std::string_view claim;
    std::string_view why;  // what is wrong with it; empty where nobody can choose it wrongly
};

// Claims of what no number decides.
inline constexpr std::string_view kAlways = "1 = 1", kNever = "0 = 1";

// What a step asks before it goes on. Nothing of the answer stands on the screen before the visitor has chosen.
struct PredictionText {
    PredictionKind kind = PredictionKind::one;
    std::string_view question;
    std::span<const ChoiceText> choices = {};
    std::string_view of = {};   // head: the number of head "#"; cell: "weights 8,10", the row of head 8
    std::string_view why = {};  // head and cell: what is wrong with any other; "$" is what it is called, "#" its number
    std::string_view reason;    // how it is, told after the choice; its braces hold claims' numbers
};

struct StepText {
    std::string_view title;
    StepLink link;
    std::string_view answer_before = {};  // to what the step before asks: "0.4419."
    std::string_view text;                // may name numbers of the state: lessons/step_words.h
    std::string_view points_at;           // with spaces between the names
    std::span<const PrintedText> printed = {};
    PredictionText asks = {};  // without a question: nothing
    // What to keep of the lesson, in its last step: two or three sentences, "|" between them, that hold whatever the
    // seed.
    std::string_view keep = {};
};

// The links of a lesson as they stand in the page.
struct LessonParts {
    std::string_view name;  // in links: "causal"
    std::span<const SharedParts> shared;
    std::string_view words;  // own part and other part of each step, a line each
};

// The words of a lesson as they stand in the page.
struct PackedSteps {
    struct PrintedAt {
        std::size_t step = 0;
        std::span<const PrintedText> printed;
    };
    // Title, answer_before, text, points_at and keep of each step, a line each, then what it asks: the digit of its
    // kind, question, of, why, reason, and says, claim and why of each choice. An empty line ends the step.
    std::string_view words;
    std::span<const PrintedAt> printed;
};

struct LessonText {
    std::string_view title, about;
    PackedSteps steps;
};

// Writes the lines of every step of kSteps one after another; visit_lines(step, visit) calls visit(line) with each.
template <const auto& kSteps, auto visit_lines>
constexpr auto join_lines() {
    constexpr std::size_t kSize = [] {
        std::size_t count = 0;
        for (const StepText& step : kSteps) visit_lines(step, [&](std::string_view line) { count += line.size() + 1; });
        return count;
    }();
    std::array<char, kSize> joined = {};
    auto place = joined.begin();
    for (const StepText& step : kSteps) {
        visit_lines(step, [&](std::string_view line) {
            place = std::copy(line.begin(), line.end(), place);
            *place++ = '\n';
        });
    }
    return joined;
}

inline constexpr std::string_view kKindDigits = "0123";  // of PredictionKind, in their order

// The words of a step as PackedSteps has them.
template <class Visit>
constexpr void visit_words(const StepText& step, Visit visit) {
    for (const std::string_view line : {step.title, step.answer_before, step.text, step.points_at, step.keep})
        visit(line);
    if (const PredictionText& asks = step.asks; !asks.question.empty()) {
        visit(kKindDigits.substr(static_cast<std::size_t>(asks.kind), 1));
        for (const std::string_view line : {asks.question, asks.of, asks.why, asks.reason}) visit(line);
        for (const ChoiceText& choice : asks.choices) {
            for (const std::string_view line : {choice.says, choice.claim, choice.why}) visit(line);
        }
    }
    visit(std::string_view());
}

// Joins the links of an array of StepText, a constant of its file.
template <const auto& kSteps>
class LinkPacker {
    static constexpr auto list_shared() {
        std::array<SharedParts, std::size(kSteps)> list = {};
        std::transform(std::begin(kSteps), std::end(kSteps), list.begin(),
                       [](const StepText& step) { return step.link.shared; });
        return list;
    }
    static constexpr auto kWords = join_lines<kSteps, [](const StepText& step, auto visit) {
        visit(step.link.own);
        visit(step.link.other);
    }>();
    static constexpr auto kShared = list_shared();

public:
    static constexpr LessonParts packed(std::string_view name) {
        return {name, kShared, {kWords.data(), kWords.size()}};
    }
};

// Joins the words of an array of StepText, a constant of its file.
template <const auto& kSteps>
class WordPacker {
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
    static constexpr auto kWords =
        join_lines<kSteps, [](const StepText& step, auto visit) { visit_words(step, visit); }>();
    static constexpr auto kPrinted = list_printed();

public:
    static constexpr PackedSteps packed() { return {{kWords.data(), kWords.size()}, kPrinted}; }
};

template <const auto& kSteps>
constexpr LessonParts pack_links(std::string_view name) {
    static_assert(std::none_of(std::begin(kSteps), std::end(kSteps),
                               [](const StepText& step) { return step.link.own.empty() || step.text.empty(); }),
                  "each step has a link and words");
    return LinkPacker<kSteps>::packed(name);
}

template <const auto& kSteps>
constexpr PackedSteps pack_words() {
    return WordPacker<kSteps>::packed();
}

// The weights of torch.linear with seed 789, without a mask, as the notebook prints them.
inline constexpr std::string_view kLinearWeights =
    "0.1921,0.1646,0.1652,0.1550,0.1721,0.1510;"
    "0.2041,0.1659,0.1662,0.1496,0.1665,0.1477;"
    "0.2036,0.1659,0.1662,0.1498,0.1664,0.1480;"
    "0.1869,0.1667,0.1668,0.1571,0.1661,0.1564;"
    "0.1830,0.1669,0.1670,0.1588,0.1658,0.1585;"
    "0.1935,0.1663,0.1666,0.1542,0.1666,0.1529";

// The lessons in the order they build on each other: ATTN_LESSONS(DO) says DO(NAME) for each. An engine module has
// those whose keys it knows: the ones that show the cache or train come after those of the forward pass, then the ones
// that open a model.
#define ATTN_FORWARD_LESSONS(DO) \
    DO(no_weights)               \
    DO(why_softmax)              \
    DO(dictionary)               \
    DO(trainable)                \
    DO(scaling)                  \
    DO(dog_bites_man)            \
    DO(causal)                   \
    DO(masks)                    \
    DO(dropout)                  \
    DO(heads)                    \
    DO(split)                    \
    DO(batch)                    \
    DO(stacked)                  \
    DO(cost)                     \
    DO(linear)                   \
    DO(shares)                   \
    DO(one_row)                  \
    DO(sentences)
#define ATTN_LEARNING_LESSONS(DO) \
    DO(twice)                     \
    DO(cache)                     \
    DO(groups)                    \
    DO(turning)                   \
    DO(fainter)                   \
    DO(latent)                    \
    DO(one_step)                  \
    DO(way_back)                  \
    DO(readings)                  \
    DO(head_dim)                  \
    DO(saturated)
#define ATTN_MODEL_LESSONS(DO) \
    DO(learned)                \
    DO(block)                  \
    DO(next_word)              \
    DO(votes)                  \
    DO(off)                    \
    DO(copying)                \
    DO(layers)                 \
    DO(stream_sum)             \
    DO(depths)                 \
    DO(patching)               \
    DO(circuit)                \
    DO(bertviz)                \
    DO(byte_pairs)             \
    DO(own_sentence)
#define ATTN_LESSONS(DO) ATTN_FORWARD_LESSONS(DO) ATTN_LEARNING_LESSONS(DO) ATTN_MODEL_LESSONS(DO)

#define ATTN_DECLARE_LESSON(name)          \
    extern const LessonParts name##_links; \
    LessonText name##_words();
ATTN_LESSONS(ATTN_DECLARE_LESSON)
#undef ATTN_DECLARE_LESSON

}  // namespace attn
