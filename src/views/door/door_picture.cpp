// Weights come from the evaluation, so random heads and those of a model are drawn alike.
#include "views/door/door_picture.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/explain/stage_numbers.h"
#include "playground/numbers/shown_rows.h"
#include "playground/state/open_models.h"
#include "playground/text/format.h"

namespace attn {
namespace {

constexpr int kMostThumbCells = 24;
constexpr double kLeastArc = 0.05;  // a smaller weight is a line that nobody sees
constexpr std::size_t kMostArcs = 6;

bool is_blank(std::string_view text) {
    return trimmed(text).empty();
}

// What lies between two tokens, as pieces cut at white space.
void add_rest(std::vector<DoorPiece>& pieces, std::string_view rest, DoorPiece::Kind kind, int token) {
    std::size_t at = 0;
    while (at < rest.size()) {
        const std::size_t begin = rest.find_first_not_of(" \t\r\n", at);
        if (begin == std::string_view::npos) return;
        const std::size_t end = std::min(rest.find_first_of(" \t\r\n", begin), rest.size());
        pieces.push_back({.text = std::string(rest.substr(begin, end - begin)),
                          .kind = kind,
                          .token = token,
                          .has_gap = begin > at || at > 0});
        at = end;
    }
}

// The head's weights, of a long text neighbours joined: the largest of them.
Matrix map_of(const Evaluation& evaluation, int head) {
    const AttentionProblem& problem = *evaluation.problem;
    const int T = evaluation.num_tokens();
    const int group = (T + kMostThumbCells - 1) / kMostThumbCells;
    const int side = (T + group - 1) / group;
    Matrix map = unset<Matrix>(side, side);
    for (float& one : elements(map)) one = kHiddenCell;
    for (int i = 0; i < T; ++i) {
        const Vector row = stage_row(problem, evaluation.trace, TensorId::weights, head, i);
        for (int j = 0; j < T; ++j) {
            float& cell = map(i / group, j / group);
            if (problem.hidden(i, j) == 0) cell = std::max(cell, row(j));
        }
    }
    return map;
}

void add_arcs(DoorDrawing& drawing, const Evaluation& evaluation, int head) {
    const Vector row = stage_row(*evaluation.problem, evaluation.trace, TensorId::weights, head, drawing.row);
    for (int key = 0; key < drawing.row + 1; ++key) {
        const auto weight = static_cast<double>(row(key));
        if (weight >= kLeastArc) drawing.arcs.push_back({.head = head, .key = key, .weight = weight});
    }
    std::ranges::stable_sort(drawing.arcs, [](const DoorArc& a, const DoorArc& b) { return a.weight > b.weight; });
    if (drawing.arcs.size() > kMostArcs) drawing.arcs.resize(kMostArcs);
}

// The chosen word, or the most probable one of all heads together.
void choose_word(ModelDrawing& drawing, const View& view) {
    const std::optional<Ablations>& ablations = drawing.picture.ablations;
    if (!view.word.empty() || !ablations || ablations->whole.empty()) return;
    const auto most = std::ranges::max_element(ablations->whole);
    drawing.word = static_cast<int>(most - ablations->whole.begin());
}

// The chosen head; else those of the layer that are off; else those that decide the word.
std::vector<int> heads_in_use(const View& view, const DoorDrawing& drawing) {
    constexpr std::size_t kMostInUse = 2;
    const int count = static_cast<int>(drawing.is_off.size());
    if (view.head) return {std::clamp(*view.head, 0, count - 1)};
    std::vector<int> off;
    for (int head = 0; head < count; ++head)
        if (drawing.is_off[static_cast<std::size_t>(head)]) off.push_back(head);
    if (!off.empty() && off.size() <= kMostInUse) return off;
    return drawing.deciding ? drawing.deciding->heads : std::vector<int>{0};
}

// Not inlined, as what follows: a first picture has no heads yet.
[[gnu::noinline]] void take_model(DoorDrawing& drawing, const PlaygroundState& state, const ModelText& text,
                                  const ModelPictureWork& work) {
    ModelDrawing of_model = model_drawing(state, work, text.tokenizer.get());
    choose_word(of_model, state.view);
    drawing.model = std::make_shared<const ModelDrawing>(std::move(of_model));
    const ModelPicture& picture = work.picture();
    drawing.layer = drawing.model->layer;
    drawing.num_layers = picture.config.num_layers;
    for (std::size_t head = 0; head < drawing.is_off.size(); ++head)
        drawing.is_off[head] = picture.is_off(drawing.layer, static_cast<int>(head));
    if (picture.ablations && drawing.model->word)
        drawing.deciding = deciding_heads(*picture.ablations, drawing.layer, *drawing.model->word);
}

[[gnu::noinline]] void take_heads(DoorDrawing& drawing, const PlaygroundState& state, const Evaluation& evaluation) {
    for (int head = 0; head < evaluation.sizes.num_heads; ++head) drawing.maps.push_back(map_of(evaluation, head));
    drawing.heads = heads_in_use(state.view, drawing);
    for (const int head : drawing.heads) add_arcs(drawing, evaluation, head);
}

}  // namespace

std::vector<DoorPiece> door_pieces(const Tokens& tokens) {
    const std::string_view sentence = tokens.sentence;
    std::vector<DoorPiece> pieces;
    std::size_t at = 0;
    int index = 0;
    for (const Token& token : tokens.tokens) {
        if (token.end <= token.begin) {  // the model puts it around the text
            pieces.push_back({.text = at == 0 ? std::string(kStartPiece) : "end",
                              .kind = DoorPiece::Kind::added,
                              .token = index++,
                              .has_gap = true});
            continue;
        }
        const std::string_view before = sentence.substr(at, std::max(token.begin, at) - at);
        const std::string_view own = sentence.substr(token.begin, token.end - token.begin);
        add_rest(pieces, before, DoorPiece::Kind::unknown, index);
        const bool has_gap = token.begin == 0 || (!before.empty() && is_blank(before.substr(before.size() - 1))) ||
                             (!own.empty() && is_blank(own.substr(0, 1)));
        pieces.push_back({.text = std::string(trimmed(own)), .token = index++, .has_gap = has_gap});
        at = token.end;
    }
    const bool is_cut = tokens.num_left_out > 0;
    if (at < sentence.size())
        add_rest(pieces, sentence.substr(at), is_cut ? DoorPiece::Kind::cut_off : DoorPiece::Kind::unknown, index);
    return pieces;
}

bool DoorDrawing::are_off() const {
    return std::ranges::all_of(heads, [&](int head) { return is_off[static_cast<std::size_t>(head)]; });
}

DoorDrawing door_drawing(const PlaygroundState& state, const Evaluation& evaluation, const ModelText* text,
                         const ModelPictureWork* work) {
    DoorDrawing drawing;
    drawing.pieces = door_pieces(evaluation.tokens);
    drawing.tokens = texts_of(evaluation.tokens);
    drawing.row = next_row(state.view, evaluation.num_tokens());
    const bool is_random = state.inputs.model.empty();
    const bool has_model = text != nullptr && work != nullptr && work->has_picture();
    if (!is_random && !has_model) return drawing;
    drawing.reader = is_random ? DoorReader::random : DoorReader::model;
    drawing.is_off.resize(static_cast<std::size_t>(evaluation.sizes.num_heads));
    if (!is_random) take_model(drawing, state, *text, *work);
    take_heads(drawing, state, evaluation);
    return drawing;
}

}  // namespace attn
