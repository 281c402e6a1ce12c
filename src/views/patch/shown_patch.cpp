// Finds the two texts of a state, and computes the effects of all patches at once where that is asked for.
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/ground/check.h"
#include "model/layers/model_stages.h"
#include "views/lens/shown_lens.h"
#include "views/model/model_text.h"
#include "views/model/other_picture.h"
#include "views/model/shown_model.h"
#include "views/patch/patch_picture.h"

namespace attn {
namespace {

constexpr std::int64_t kAllOfPatches = std::numeric_limits<std::int64_t>::max();

// The effects of a state's patches, computed to their end, and the run with its own.
struct ComputedPatches {
    PatchTexts texts;
    std::unique_ptr<PatchEffects> work;
    std::optional<NextOfRow> patched;
    PatchDrawing drawing(const Inputs& inputs) const {
        PatchDrawing drawing = patch_drawing(*work, texts, inputs);
        if (patched) drawing.patched = &*patched;
        return drawing;
    }
};

// Multiply-adds of all effects.
double cost_of_patches(const PatchTexts& texts, int num_positions) {
    const ModelConfig& config = texts.here.model->config;
    const auto of_layer = static_cast<double>(multiply_adds_of_layer(config, texts.here.input.num_tokens()));
    // Of each position and head the layers from the patched one on, and the second text's layer that it comes from.
    const double num_layers = config.num_layers, num_columns = num_positions + config.num_heads;
    const double num_layers_run = num_columns * num_layers * (num_layers + 1) / 2 + 3 * num_layers;
    return num_layers_run * of_layer + 2 * lens_cost(config, 1);
}

// A sentence in `problem` where there is none.
std::optional<ComputedPatches> compute_patches(const PlaygroundState& state, double most_cost, std::string& problem) {
    std::optional<PatchTexts> texts = patch_texts(state, problem);
    if (!texts) return std::nullopt;
    const ModelStore* store = texts->here.model->store.get();
    const int count = std::min(texts->here.input.num_tokens(), kMostLensPositions);
    if (cost_of_patches(*texts, count) > most_cost || (store != nullptr && !store->reads_at_once())) {
        problem =
            "The effects of all patches take too long to be computed at once: the picture computes them bit by bit.";
        return std::nullopt;
    }
    ComputedPatches computed = {.texts = std::move(*texts), .work = nullptr, .patched = {}};
    computed.work = begin_patches(state.view, computed.texts);
    while (!computed.work->advance(kAllOfPatches)) continue;
    if (computed.texts.patched) {
        computed.patched.emplace(computed.texts.patched->run, computed.work->row());
        while (!computed.patched->advance(kAllOfPatches)) continue;
    }
    return computed;
}

}  // namespace

const std::string_view kNoOtherText =
    "Patching needs a second text, B: numbers of its run are put in the place of this text’s.";

bool NextOfRow::advance(std::int64_t multiply_adds) {
    if (!cell_ && logits_.advance(multiply_adds)) cell_ = lens_cell(logits_.logits(), -1);
    return is_done();
}

std::optional<PatchedChoice> PatchDrawing::patched_choice() const {
    const auto chosen = work.words();
    if (!chosen || patched == nullptr || !patched->is_done()) return std::nullopt;
    const std::span<const float> logits = patched->logits();
    return PatchedChoice{.word = logits[static_cast<std::size_t>(chosen->first)],
                         .against = logits[static_cast<std::size_t>(chosen->second)]};
}

bool PatchDrawing::has_patch(const Patch& patch) const {
    return std::ranges::find(patches, patch) != patches.end();
}

Patch stream_patch(int layer, int position) {
    return {.of = PatchOf::stream, .layer = layer, .row = position};
}

Patch head_patch(int layer, int head) {
    return {.of = PatchOf::head, .layer = layer, .head = head, .row = kEveryToken};
}

std::optional<PatchTexts> patch_texts(const PlaygroundState& state, std::string& problem) {
    Inputs unpatched = state.inputs;
    unpatched.patches.clear();
    unpatched.patched_from.reset();
    std::optional<ModelText> here = model_text(unpatched, state.view.sentence);
    if (!here) {
        problem = "There is nothing to patch while no model is open.";
        return std::nullopt;
    }
    problem =
        here->model->weights.unembedding.is_there()
            ? ""
            : "This model gives no words to choose between: its files have no head that turns a stream into words.";
    if (!problem.empty()) return std::nullopt;
    const std::optional<PlaygroundState> other = other_state(state.view);
    if (!other) {
        problem = kNoOtherText;
        return std::nullopt;
    }
    std::optional<ModelText> there = model_text(other->inputs, other->view.sentence);
    if (!there || there->model.get() != here->model.get()) {
        problem = there ? "Numbers can be taken over from a run of the same model only, and B is read by another one."
                        : "B has no tokens that this model could read: its text is empty, or no model reads it.";
        return std::nullopt;
    }
    PatchTexts texts = {.here = std::move(*here), .there = std::move(*there), .patched = {}};
    if (!state.inputs.patches.empty()) texts.patched = model_text(state.inputs, state.view.sentence);
    return texts;
}

std::unique_ptr<PatchEffects> begin_patches(const View& view, const PatchTexts& texts) {
    const int num_tokens = texts.here.input.num_tokens(), row = next_row(view, num_tokens);
    const LensWindow window = lens_window(row, num_tokens);
    return std::make_unique<PatchEffects>(texts.here.run, texts.there.run, row, chosen_word(view.word, texts.here),
                                          chosen_word(view.against, texts.here), window.first, window.count);
}

PatchDrawing patch_drawing(const PatchEffects& work, const PatchTexts& texts, const Inputs& inputs) {
    return {.work = work,
            .words = texts.here.words,
            .other_words = texts.there.words,
            .tokenizer = texts.here.tokenizer.get(),
            .patches = inputs.patches};
}

void press_patch(Inputs& inputs, const Patch& patch) {
    const bool is_alone = inputs.patches.size() == 1 && inputs.patches.front() == patch;
    inputs.patches = is_alone ? std::vector<Patch>() : std::vector<Patch>{patch};
}

void open_patched(PlaygroundState& state, const PatchTexts& texts) {
    const Patch& patch = state.inputs.patches.front();
    const int row = patch.row == kEveryToken ? next_row(state.view, texts.here.input.num_tokens()) : patch.row;
    state.inputs.layer = patch.layer;
    state.view.view = ViewKind::matrix;
    state.view.combine = Combine::none;
    state.view.stage = stage_of_patch(patch.of);
    state.view.cell = Cell{.head = 0, .row = row, .column = 0};
}

std::vector<TextTable> tables_of_patch(const PlaygroundState& state, const Evaluator& /*evaluator*/) {
    std::string problem;
    const std::optional<ComputedPatches> patches = compute_patches(state, kMostAtOnce, problem);
    if (!patches) return {{.title = problem, .columns = {}, .rows = {}}};
    return tables_of_patches(patches->drawing(state.inputs));
}

std::string announcement_of_patch(const PlaygroundState& state) {
    std::string problem;
    const std::optional<ComputedPatches> patches = compute_patches(state, kMostSaidAtOnce, problem);
    return patches ? patch_announcement(patches->drawing(state.inputs)) : problem;
}

Result<std::string> csv_of_patch(const PlaygroundState& state) {
    std::string problem;
    const std::optional<ComputedPatches> patches = compute_patches(state, kBoundlessCost, problem);
    if (!patches) return Result<std::string>::failure(problem);
    return patch_csv(patches->drawing(state.inputs));
}

Result<Figure> figure_of_patch(const FigureTask& task) {
    constexpr double kWidth = 860;
    std::string problem;
    const std::optional<ComputedPatches> patches = compute_patches(task.state, kBoundlessCost, problem);
    if (!patches) return Result<Figure>::failure(problem);
    PatchDrawing drawing = patches->drawing(task.state.inputs);
    drawing.prints_values = task.has_values();
    FigureWords words = words_of_figure(task, drawing.model(), "patching", patch_announcement(drawing));
    return finished_figure(task, std::move(words), patch_sheet(task, drawing, kWidth));
}

}  // namespace attn
