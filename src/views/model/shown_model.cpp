// Finds the open model of a state, and computes its picture at once where that is asked for.
#include "views/model/shown_model.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>
#include <utility>

#include "core/ground/check.h"
#include "playground/state/origin.h"
#include "playground/text/format.h"
#include "playground/text/notes.h"
#include "views/model/figure_model.h"
#include "views/model/model_table.h"
#include "views/model/model_text.h"
#include "views/model/model_words.h"
#include "views/model/other_picture.h"

namespace attn {
namespace {

constexpr double kMostAtOnce = 2e9;  // multiply-adds: a text version or an announcement is made at once

// A picture computed to its end.
struct WholePicture {
    ModelText shown;
    std::unique_ptr<ModelPictureWork> work;
    std::optional<PlaygroundState> other = {};  // B
    std::unique_ptr<WholePicture> picture_of_other = {};
    ModelDrawing drawing(const PlaygroundState& state) const {
        ModelDrawing drawing = model_drawing(state, *work, shown.tokenizer.get());
        const WholePicture* b = picture_of_other.get();
        if (other)
            drawing.other = other_picture(state, *other, b ? &b->shown : nullptr, b ? b->work.get() : nullptr, drawing);
        return drawing;
    }
};

std::optional<WholePicture> whole_picture(const PlaygroundState& state, double most) {
    std::optional<ModelText> shown = model_text(state.inputs, state.view.sentence);
    if (!shown) return std::nullopt;
    const double cost = static_cast<double>(num_parameters(*shown->model)) * shown->input.num_tokens();
    if (cost > most) return std::nullopt;
    WholePicture whole = {.shown = std::move(*shown), .work = nullptr};
    whole.work = std::make_unique<ModelPictureWork>(whole.shown.run, whole.shown.words,
                                                    next_row(state.view, whole.shown.input.num_tokens()),
                                                    looked_at(state, whole.shown.model->config));
    while (!whole.work->advance(std::numeric_limits<std::int64_t>::max())) continue;
    whole.other = other_state(state.view);
    if (!whole.other) return whole;
    std::optional<WholePicture> b = whole_picture(*whole.other, most);
    if (b) whole.picture_of_other = std::make_unique<WholePicture>(std::move(*b));
    return whole;
}

}  // namespace

int next_row(const View& view, int num_tokens) {
    return view.cell ? std::clamp(view.cell->row, 0, num_tokens - 1) : num_tokens - 1;
}

void show_own_model(PlaygroundState& state) {
    constexpr HeadOff kMostVotes = {1, 6};
    make_trained(state.inputs);
    state.view.view = ViewKind::model;
    if (state.inputs.texts != Inputs().texts) return;
    state.inputs.texts = {std::string(start_sentences()[0].text)};
    state.view.sentence = 0;
    state.view.cell.reset();
    look_at_head(state, kMostVotes);
}

HeadOff looked_at(const PlaygroundState& state, const ModelConfig& config) {
    return {.layer = std::clamp(state.inputs.layer, 0, config.num_layers - 1),
            .head = std::clamp(state.view.head.value_or(0), 0, config.num_heads - 1)};
}

void look_at_head(PlaygroundState& state, const HeadOff& head) {
    state.inputs.layer = head.layer;
    state.view.head = head.head;
    if (state.view.cell) state.view.cell->head = head.head;
}

void open_laboratory(PlaygroundState& state, const HeadOff& head) {
    look_at_head(state, head);
    state.view.view = ViewKind::matrix;
    state.view.stage = TensorId::weights;
    state.view.combine = Combine::none;
}

void switch_head(Inputs& inputs, const HeadOff& head, int num_heads) {
    std::vector<HeadOff> off;  // one by one, where all of a layer are off together
    for (const HeadOff& one : inputs.off) {
        const bool is_all = one.head == kEveryHead;
        for (int h = is_all ? 0 : one.head; h < (is_all ? num_heads : one.head + 1); ++h) off.push_back({one.layer, h});
    }
    const auto there = std::ranges::find(off, head);
    if (there != off.end()) {
        off.erase(there);
    } else {
        off.push_back(head);
    }
    std::ranges::sort(off);
    inputs.off = std::move(off);
}

NextDraw next_draw(const View& view) {
    return {.sampling = {.temperature = view.next_temperature, .top_k = view.top_k, .top_p = view.top_p},
            .seed = view.next_seed,
            .num_drawn = view.said};
}

std::string find_saying_problem(const ModelText& shown, int row) {
    const ModelConfig& config = shown.model->config;
    if (config.mask != Mask::causal) return "This model does not write on: its tokens see those behind them.";
    if (!shown.model->weights.unembedding.is_there()) return "This model does not write on: its files have no head.";
    if (!shown.tokenizer) return "This model does not write on: it has no tokenizer.";
    if (shown.input.num_tokens() >= config.max_positions)
        return concat("The model has ", counted(config.max_positions, "position"), ", and all of them are taken.");
    if (row + 1 != shown.input.num_tokens())
        return "A word is said at the end of the sentence: unpin the token in the middle first.";
    return "";
}

std::string say_next_token(PlaygroundState& next, const PlaygroundState& state, const ModelText& shown, int row,
                           std::span<const float> logits) {
    std::string problem = find_saying_problem(shown, row);
    if (!problem.empty()) return problem;
    const NextDraw draw = next_draw(state.view);
    const int token = drawn_token(logits, draw);
    const auto sentence = static_cast<std::size_t>(state.view.sentence);
    std::string longer = sentence_with_token(*shown.tokenizer, state.inputs.texts[sentence], shown.input.ids, token);
    if (longer.empty())
        return concat("“", word_of_token(shown.tokenizer.get(), token),
                      "” was drawn, but behind this sentence it would be read as other tokens.");
    next.inputs.texts[sentence] = std::move(longer);
    next.view.said = draw.num_drawn + 1;
    return "";
}

std::string drawn_in_words(const ModelText& shown, const NextDraw& draw, std::span<const float> logits) {
    const int token = drawn_token(logits, draw);
    const float probability = softmax_of_row(logits).probability(logits[static_cast<std::size_t>(token)]);
    return concat("“", word_of_token(shown.tokenizer.get(), token),
                  draw.sampling.temperature > 0 ? "” is drawn; its probability is " : "” is the most probable one: ",
                  shown_number(static_cast<double>(probability)));
}

ModelDrawing model_drawing(const PlaygroundState& state, const ModelPictureWork& work,
                           const ModelTokenizer* tokenizer) {
    const ModelPicture& picture = work.picture();
    const HeadOff head = looked_at(state, picture.config);
    ModelDrawing drawing = {.picture = picture,
                            .tokenizer = tokenizer,
                            .layer = head.layer,
                            .head = head.head,
                            .map = state.view.map,
                            .votes_problem = work.votes_problem()};
    if (!picture.has_next()) return drawing;
    if (!state.view.word.empty()) drawing.word = token_of_word(tokenizer, state.view.word);
    if (!drawing.word || *drawing.word >= picture.config.vocabulary) drawing.word = picture.most_probable(1)[0];
    if (work.votes_problem().empty())
        drawing.votes = vote_column(work.votes(*drawing.word), picture.input.off, drawing.layer);
    return drawing;
}

std::vector<TextTable> tables_of_model(const PlaygroundState& state, const Evaluator& /*evaluator*/) {
    const std::optional<WholePicture> whole = whole_picture(state, kMostAtOnce);
    if (!whole) return {};
    return tables_of_picture(whole->drawing(state));
}

Result<std::string> csv_of_model(const PlaygroundState& state) {
    const std::optional<WholePicture> whole = whole_picture(state, std::numeric_limits<double>::infinity());
    if (!whole) return Result<std::string>::failure("There is no table of a model while none is open.");
    std::string out = model_csv(*whole->work, whole->drawing(state));
    if (!whole->picture_of_other) return out;
    // B in the same lines, each with "other" before its table's name.
    PlaygroundState other = *whole->other;
    const ModelDrawing drawing = whole->drawing(state);
    if (drawing.word) other.view.word = word_of_token(drawing.tokenizer, *drawing.word);
    const std::string lines = model_csv(*whole->picture_of_other->work, whole->picture_of_other->drawing(other));
    for (std::size_t at = lines.find('\n') + 1, end = 0; at < lines.size(); at = end + 1) {
        end = lines.find('\n', at);
        out += concat("other ", std::string_view(lines).substr(at, end + 1 - at));
    }
    return out;
}

std::string announcement_of_model(const PlaygroundState& state, const Evaluation& /*evaluation*/) {
    const std::optional<WholePicture> whole = whole_picture(state, kMostAtOnce);
    return whole ? picture_in_words(whole->drawing(state)) : std::string();
}

Result<Figure> figure_of_model(const FigureTask& task) {
    constexpr double kWidth = 860;
    const std::optional<WholePicture> whole = whole_picture(task.state, std::numeric_limits<double>::infinity());
    if (!whole) return Result<Figure>::failure("There is no figure of a model while none is open.");
    ModelDrawing drawing = whole->drawing(task.state);
    drawing.prints_values = task.has_values();
    FigureWords words;
    words.title = quoted_sentence(task);
    words.subtitle =
        concat(task.state.inputs.model, ": ", model_in_words(drawing.picture.config, drawing.picture.num_parameters));
    words.description = picture_in_words(drawing);
    return finished_figure(task, std::move(words), model_sheet(task, drawing, kWidth));
}

}  // namespace attn
