// view=learn as a figure: the curve, the strip under it, and the next words.
#include "views/learn/figure_learn.h"

#include <utility>

#include "core/ground/check.h"
#include "views/learn/curve_scene.h"
#include "views/learn/learn_text.h"
#include "views/learn/next_words_scene.h"
#include "views/learn/strip_scene.h"

namespace attn {

Result<Figure> figure_of_learn(const FigureTask& task) {
    constexpr double kWidth = 860;
    const PlaygroundState& state = task.state;
    const Evaluation& evaluation = task.evaluation;
    if (has_nothing_to_learn(state.inputs) || task.earlier == nullptr)
        return Result<Figure>::failure(std::string(no_goal_in_words(state.inputs)));
    const LossCurve curve = loss_curve(state.inputs, evaluation);
    const std::string bound = curve.bound > 0 ? bound_in_numbers(evaluation) : "";
    const FilmStrip strip = film_strip(*task.earlier, state, evaluation, task.options.head);
    const bool has_tips = task.options.has_tips && task.has_values();

    FigureWords words;
    words.title = quoted_sentence(task);
    words.subtitle = loss_in_words(curve);
    words.remarks = strip.remarks;
    FigureBlock picture = curve_scene(task, curve, bound, kWidth, 240, std::nullopt);
    const auto say = [&](const std::string& sentence) {
        words.description += concat(words.description.empty() ? "" : " ", sentence);
        const TextLook look = {.ink = task.colors.ink, .size = task.body};
        picture = stacked_blocks(std::move(picture), text_block(task, sentence, kWidth, look, 3), 4);
    };
    say(bound_in_words(evaluation));
    say(standstill_in_words(curve));
    const auto put = [&](const std::string& title, FigureBlock block) {
        FigureBlock heading = heading_block(task, std::nullopt, title, "", kWidth);
        picture = stacked_blocks(std::move(picture), stacked_blocks(std::move(heading), std::move(block), 4), 18);
    };
    put("The weights at some of the steps", strip_scene(task, strip, evaluation, kWidth, has_tips));
    if (state.inputs.goal == GoalKind::next) {
        const NextWords next = next_words(evaluation);
        put("The next word: probability of each word, and the loss", next_words_scene(task, next, kWidth, has_tips));
        say(mean_in_words(next, curve.shown()));
    }
    return finished_figure(task, std::move(words), std::move(picture));
}

}  // namespace attn
