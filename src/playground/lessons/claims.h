// What a prediction claims of a step's numbers: which choice is right is computed, so that another seed, or another
// model, cannot make it wrong. A claim compares sums: "weights 1,1,5 > weights 1,5,1", with " & " between several.
// Compared with <, >, = and !=, made with +, -, * and /, from left to right, each sign between blanks.
//
//   weights 1,10,4   head, row and column of a stage, as links count; 1 in stages without heads
//   sum weights 1,4  of that row · mean weights 4,2: of all heads at that row and column · peak weights: the largest
//   length middle 1,4  of that row: the root of the sum of its squares
//   next woman       the model's probability that this word comes next; with lens=1 what the stream after layer 1 gives
//   logit woman      its logit, likewise
//   loss, left       after training; what of it is above what no weights can go below
//   learned, cells   learned numbers of W_q, W_k and W_v; weights of all heads · heads, head_dim, d_in, tokens,
//                    sentences
//   hidden 1,10      1 where the mask hides key 10 from query 1, else 0 · targets: those that it does not hide
//   pair h,e         how often these two tokens stand beside each other
//   0.5              a number
//
// "@heads=2&mask=none" behind a term lays these keys over the step; "@step=3&off=" begins with another step.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "playground/lessons/lessons.h"
#include "playground/numbers/evaluation.h"
#include "playground/state/state.h"

namespace attn {

// The numbers that the claims of one step are made of. Each state is computed once, when a claim needs it.
class StepNumbers {
public:
    // Of the lesson's step that `view` says is on, with the seeds of `inputs`.
    StepNumbers(const View& view, const Inputs& inputs);

    // Nothing where a number is missing: its model is not open, its stage or its cell is not there.
    std::optional<double> number(std::string_view sum);
    std::optional<bool> holds(std::string_view claim);
    // Whether it compares; else it is a number.
    static bool is_comparison(std::string_view claim);

    // `text` with the numbers of the sums that stand in braces, "…" for one that is missing.
    std::string filled(std::string_view text);

    // The state with keys laid over it, computed; null while its model is not open.
    const Evaluation* evaluation(std::string_view keys = {});

private:
    struct Laid;  // a state with keys laid over it

    Laid& laid(std::string_view keys);
    std::optional<double> term(std::string_view text);
    std::optional<double> named(std::string_view name, std::string_view rest, std::string_view keys);

    std::string lesson_;
    int step_;
    Inputs inputs_;
    std::map<std::string, std::shared_ptr<Laid>, std::less<>> laid_;
};

}  // namespace attn
