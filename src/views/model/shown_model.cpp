// Finds the open model of a state, and computes its picture at once where that is asked for.
#include "views/model/shown_model.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>
#include <utility>

#include "core/ground/check.h"
#include "playground/link/hiding.h"
#include "playground/text/format.h"
#include "playground/text/notes.h"
#include "views/model/figure_model.h"
#include "views/model/model_table.h"
#include "views/model/model_text.h"
#include "views/model/model_words.h"
#include "views/model/other_picture.h"

namespace attn {
namespace {

// A picture computed to its end, and that of B.
struct WholePicture : ComputedModel {
    std::optional<PlaygroundState> other = {};  // B
    std::unique_ptr<WholePicture> picture_of_other = {};
    ModelDrawing drawing(const PlaygroundState& state) const {
        ModelDrawing drawing = model_drawing(state, *work, text.tokenizer.get());
        const WholePicture* b = picture_of_other.get();
        if (other)
            drawing.other = other_picture(state, *other, b ? &b->text : nullptr, b ? b->work.get() : nullptr, drawing);
        return drawing;
    }
};

std::optional<WholePicture> whole_picture(const PlaygroundState& state, double most) {
    std::optional<ComputedModel> computed = compute_model(state, most);
    if (!computed) return std::nullopt;
    WholePicture whole = {std::move(*computed)};
    whole.other = other_state(state.view);
    if (!whole.other) return whole;
    std::optional<WholePicture> b = whole_picture(*whole.other, most);
    if (b) whole.picture_of_other = std::make_unique<WholePicture>(std::move(*b));
    return whole;
}

// Of the picture's word: the one that the view chose, else the most probable one with the heads that are on.
std::optional<int> word_of_picture(const View& view, const ModelPicture& picture, const ModelTokenizer* tokenizer) {
    if (!picture.has_next()) return std::nullopt;
    std::optional<int> word;
    if (!view.word.empty()) word = token_of_word(tokenizer, view.word);
    if (!word || *word >= picture.config.vocabulary) word = picture.most_probable(1)[0];
    return word;
}

}  // namespace

std::optional<ComputedModel> compute_model(const PlaygroundState& state, double most) {
    std::optional<ModelText> text = model_text(state.inputs, state.view.sentence);
    if (!text) return std::nullopt;
    const double cost = static_cast<double>(num_parameters(*text->model)) * text->input.num_tokens();
    if (cost > most) return std::nullopt;
    const ModelStore* store = text->model->store.get();
    if (store != nullptr && !store->reads_at_once()) return std::nullopt;  // it would wait for bytes
    ComputedModel computed = {.text = std::move(*text), .work = nullptr};
    const ModelText& shown = computed.text;
    computed.work = std::make_unique<ModelPictureWork>(
        shown.run, shown.words, next_row(state.view, shown.input.num_tokens()), looked_at(state, shown.model->config));
    while (!computed.work->has_picture()) computed.work->advance(std::numeric_limits<std::int64_t>::max());
    computed.work->choose_head(looked_at(state, computed.work->picture(), shown.tokenizer.get()));
    while (!computed.work->advance(std::numeric_limits<std::int64_t>::max())) continue;
    return computed;
}

int next_row(const View& view, int num_tokens) {
    return view.cell ? std::clamp(view.cell->row, 0, num_tokens - 1) : num_tokens - 1;
}

void show_own_model(PlaygroundState& state, const OwnModel& model) {
    make_trained(state.inputs, model);
    state.view.view = ViewKind::model;
    if (state.inputs.texts != Inputs().texts) return;
    state.inputs.texts = {std::string(find_model_card(model.name)->starts[0].text)};
    state.view.sentence = 0;
    leave_place(state.view);
}

HeadOff looked_at(const PlaygroundState& state, const ModelConfig& config) {
    return {.layer = std::clamp(state.inputs.layer, 0, config.num_layers - 1),
            .head = std::clamp(state.view.head.value_or(0), 0, config.num_heads - 1)};
}

HeadOff looked_at(const PlaygroundState& state, const ModelPicture& picture, const ModelTokenizer* tokenizer) {
    HeadOff head = looked_at(state, picture.config);
    const std::optional<int> word = word_of_picture(state.view, picture, tokenizer);
    if (!state.view.head && picture.ablations && word)
        head.head = deciding_heads(*picture.ablations, head.layer, *word).heads[0];
    return head;
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

FigureWords words_of_figure(const FigureTask& task, const Model& model, std::string_view of, std::string description) {
    FigureWords words;
    words.title = quoted_sentence(task);
    words.subtitle = concat(task.state.inputs.model, ": ", model_in_words(model.config, num_parameters(model)),
                            of.empty() ? "" : "; ", of);
    words.description = std::move(description);
    return words;
}

ModelDrawing model_drawing(const PlaygroundState& state, const ModelPictureWork& work,
                           const ModelTokenizer* tokenizer) {
    const ModelPicture& picture = work.picture();
    const HeadOff head = looked_at(state, picture, tokenizer);
    ModelDrawing drawing = {.picture = picture,
                            .tokenizer = tokenizer,
                            .layer = head.layer,
                            .head = head.head,
                            .map = state.view.map,
                            .votes_problem = work.votes_problem(),
                            .shows_effects = !hides_part(state.view, "effects")};
    if (!picture.has_next()) return drawing;
    drawing.word = word_of_picture(state.view, picture, tokenizer);
    if (!work.votes_problem().empty()) return drawing;
    if (work.asks_for_votes(*drawing.word))
        drawing.votes = vote_column(work.votes(*drawing.word), picture.input.off, drawing.layer);
    else
        drawing.votes_problem = "The word's column of the unembedding is being read from the file.";
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
    FigureWords words = words_of_figure(task, *whole->text.model, "", picture_in_words(drawing));
    return finished_figure(task, std::move(words), model_sheet(task, drawing, kWidth));
}

}  // namespace attn
