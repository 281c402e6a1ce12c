// Finds the open model of a state, and computes its lens at once where that is asked for.
#include "views/lens/shown_lens.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "core/ground/check.h"
#include "views/lens/lens_parts.h"
#include "views/model/model_text.h"
#include "views/model/shown_model.h"

namespace attn {
namespace {

// A lens computed to its end.
struct ComputedLens {
    ModelText text;
    std::unique_ptr<LensWork> work;
    LensDrawing drawing(const View& view) const {
        LensDrawing drawing = lens_drawing(view, *work, text);
        if (can_sum(drawing)) drawing.sum = lens_sum(work->run(), drawing.layer, drawing.row(), *drawing.word_of_sum());
        return drawing;
    }
};

// A sentence in `problem` where there is none.
std::optional<ComputedLens> compute_lens(const PlaygroundState& state, double most_cost, int most_positions,
                                         std::string& problem) {
    std::optional<ModelText> text = model_text(state.inputs, state.view.sentence);
    if (!text) {
        problem = "There is no logit lens while no model is open.";
        return std::nullopt;
    }
    const ModelConfig& config = text->model->config;
    problem = find_lens_problem(text->model->weights);
    if (!problem.empty()) return std::nullopt;
    const int num_tokens = text->input.num_tokens();
    const ModelStore* store = text->model->store.get();
    const auto of_layers = static_cast<double>(text->run->multiply_adds_to(config.num_layers));  // that are left
    const auto fits = [&](int count) { return of_layers + lens_cost(config, count) <= most_cost; };
    if (!fits(std::min(num_tokens, most_positions))) most_positions = 1;
    if (!fits(1) || (store != nullptr && !store->reads_at_once())) {
        problem =
            "The logit lens of this model is too large to be computed at once: the picture computes it bit by bit.";
        return std::nullopt;
    }
    ComputedLens computed = {.text = std::move(*text), .work = nullptr};
    computed.work = begin_lens(state.view, computed.text, most_positions);
    while (!computed.work->advance(std::numeric_limits<std::int64_t>::max())) continue;
    return computed;
}

}  // namespace

int open_lens_layer(const View& view, int num_layers) {
    return std::clamp(view.lens.value_or(num_layers), 0, num_layers);
}

std::optional<int> chosen_word(std::string_view word, const ModelText& text) {
    if (word.empty()) return std::nullopt;
    const std::optional<int> token = token_of_word(text.tokenizer.get(), word);
    return token && *token < text.model->config.vocabulary ? token : std::nullopt;
}

void open_lens_cell(View& view, int layer, int position) {
    view.lens = layer;
    const StageInfo& info = stage_info(view.stage);
    const int head = view.cell ? view.cell->head : info.has_heads ? view.head.value_or(0) : 0;
    view.cell = Cell{.head = head, .row = position, .column = info.columns == Axis::key_token ? position : 0};
}

std::unique_ptr<LensWork> begin_lens(const View& view, const ModelText& text, int most) {
    const int num_tokens = text.input.num_tokens(), row = next_row(view, num_tokens);
    const LensWindow window = lens_window(row, num_tokens, most);
    return std::make_unique<LensWork>(text.run, window.first, window.count, row, chosen_word(view.word, text));
}

LensDrawing lens_drawing(const View& view, const LensWork& work, const ModelText& text,
                         std::optional<LensWindow> shown) {
    return {.work = work,
            .words = text.words,
            .tokenizer = text.tokenizer.get(),
            .layer = open_lens_layer(view, text.model->config.num_layers),
            .word = chosen_word(view.word, text),
            .shown = shown.value_or(LensWindow{work.first(), work.count()})};
}

bool can_sum(const LensDrawing& drawing) {
    const std::optional<int> word = drawing.word_of_sum();
    return word && asks_for_lens_sum(drawing.model(), *word);
}

double lens_cost(const ModelConfig& config, int num_positions) {
    return static_cast<double>(config.num_layers + 1) * num_positions * config.width * config.vocabulary;
}

std::vector<TextTable> tables_of_lens(const PlaygroundState& state, const Evaluator& /*evaluator*/) {
    std::string problem;
    const std::optional<ComputedLens> lens = compute_lens(state, kMostAtOnce, kMostLensPositions, problem);
    if (!lens) return {{.title = problem, .columns = {}, .rows = {}}};
    return tables_of_cells(lens->drawing(state.view));
}

std::string announcement_of_lens(const PlaygroundState& state) {
    std::string problem;
    const std::optional<ComputedLens> lens = compute_lens(state, kMostSaidAtOnce, 1, problem);
    return lens ? lens_announcement(lens->drawing(state.view)) : std::string();
}

Result<std::string> csv_of_lens(const PlaygroundState& state) {
    std::string problem;
    const std::optional<ComputedLens> lens =
        compute_lens(state, kBoundlessCost, std::numeric_limits<int>::max(), problem);
    if (!lens) return Result<std::string>::failure(problem);
    return lens_csv(lens->drawing(state.view));
}

Result<Figure> figure_of_lens(const FigureTask& task) {
    constexpr double kWidth = 860;
    std::string problem;
    const std::optional<ComputedLens> lens = compute_lens(task.state, kBoundlessCost, kMostLensPositions, problem);
    if (!lens) return Result<Figure>::failure(problem);
    LensDrawing drawing = lens->drawing(task.view());
    drawing.prints_values = task.has_values();
    FigureWords words = words_of_figure(task, drawing.model(), "logit lens", lens_announcement(drawing));
    return finished_figure(task, std::move(words), lens_sheet(task, drawing, kWidth));
}

}  // namespace attn
