// Finds the open model of a state, and computes its journey at once where that is asked for.
#include "views/journey/journey_picture.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "core/ground/check.h"
#include "playground/state/shapes.h"
#include "views/lens/shown_lens.h"
#include "views/model/model_text.h"
#include "views/model/shown_model.h"

namespace attn {
namespace {

// A journey computed to its end.
struct ComputedJourney {
    ModelText text;
    std::unique_ptr<JourneyWork> work;
};

// A sentence in `problem` where there is none.
std::optional<ComputedJourney> compute_journey(const PlaygroundState& state, double most_cost, std::string& problem) {
    std::optional<ModelText> text = model_text(state.inputs, state.view.sentence);
    if (!text) {
        problem = "There is no journey while no model is open.";
        return std::nullopt;
    }
    const ModelConfig& config = text->model->config;
    // What the run has not yet, and each layer once more for what is inside of it.
    const std::int64_t again = config.num_layers * multiply_adds_of_layer(config, text->input.num_tokens());
    const auto of_layers = static_cast<double>(text->run->multiply_adds_to(config.num_layers) + again);
    const bool has_head = find_lens_problem(text->model->weights).empty();
    const ModelStore* store = text->model->store.get();
    if (of_layers + (has_head ? lens_cost(config, 1) : 0) > most_cost ||
        (store != nullptr && !store->reads_at_once())) {
        problem =
            "The journey through this model is too long to be computed at once: the picture computes it bit by bit.";
        return std::nullopt;
    }
    ComputedJourney computed = {.text = std::move(*text), .work = nullptr};
    computed.work = begin_journey(state, computed.text);
    while (!computed.work->advance(std::numeric_limits<std::int64_t>::max())) continue;
    return computed;
}

}  // namespace

int open_journey_layer(const Inputs& inputs, const ModelConfig& config) {
    return std::clamp(inputs.layer, 0, config.num_layers - 1);
}

std::unique_ptr<JourneyWork> begin_journey(const PlaygroundState& state, const ModelText& text) {
    return std::make_unique<JourneyWork>(text.run, next_row(state.view, text.input.num_tokens()),
                                         open_journey_layer(state.inputs, text.model->config));
}

JourneyDrawing journey_drawing(const JourneyWork& work, const ModelText& text) {
    return {.work = work, .words = text.words, .tokenizer = text.tokenizer.get()};
}

void open_stop(PlaygroundState& state, const JourneyStop& stop, int layer, int row) {
    state.inputs.layer = layer;
    state.view.view = ViewKind::matrix;
    state.view.combine = Combine::none;
    state.view.stage = stop.shown;
    std::size_t most = 0;
    const auto size = [&](std::size_t at) { return std::isfinite(stop.row[at]) ? std::abs(stop.row[at]) : -1; };
    for (std::size_t c = 0; c < stop.row.size(); ++c)
        if (size(c) > size(most)) most = c;
    const std::size_t of_head = std::max<std::size_t>(stop.row.size() / static_cast<std::size_t>(stop.num_heads), 1);
    const int head =
        first_reader(sizes_of(state.inputs, count_tokens(state.inputs, static_cast<std::size_t>(state.view.sentence))),
                     state.view.stage, static_cast<int>(most / of_head));
    if (stop.num_heads > 1) state.view.head = head;
    state.view.cell =
        Cell{.head = stop.num_heads > 1 ? head : 0, .row = row, .column = static_cast<int>(most % of_head)};
}

std::vector<TextTable> tables_of_journey(const PlaygroundState& state, const Evaluator& /*evaluator*/) {
    std::string problem;
    const std::optional<ComputedJourney> journey = compute_journey(state, kMostAtOnce, problem);
    if (!journey) return {{.title = problem, .columns = {}, .rows = {}}};
    return tables_of_way(journey_drawing(*journey->work, journey->text));
}

std::string announcement_of_journey(const PlaygroundState& state) {
    std::string problem;
    const std::optional<ComputedJourney> journey = compute_journey(state, kMostSaidAtOnce, problem);
    return journey ? journey_announcement(journey_drawing(*journey->work, journey->text)) : std::string();
}

Result<std::string> csv_of_journey(const PlaygroundState& state) {
    std::string problem;
    const std::optional<ComputedJourney> journey = compute_journey(state, kBoundlessCost, problem);
    if (!journey) return Result<std::string>::failure(problem);
    return journey_csv(journey_drawing(*journey->work, journey->text));
}

Result<Figure> figure_of_journey(const FigureTask& task) {
    constexpr double kWidth = 960;
    std::string problem;
    const std::optional<ComputedJourney> journey = compute_journey(task.state, kBoundlessCost, problem);
    if (!journey) return Result<Figure>::failure(problem);
    JourneyDrawing drawing = journey_drawing(*journey->work, journey->text);
    drawing.prints_values = task.has_values();
    FigureWords words = words_of_figure(task, drawing.model(), concat("journey of “", isolated(drawing.word()), "”"),
                                        journey_announcement(drawing));
    return finished_figure(task, std::move(words), journey_sheet(task, drawing, kWidth));
}

}  // namespace attn
