// view=lens on the screen: cells that can be pressed, the words of the open one, its sum.
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "core/ground/check.h"
#include "playground/text/notes.h"
#include "ui/kit/lock.h"
#include "ui/kit/touch.h"
#include "ui/kit/widgets.h"
#include "ui/views/model.h"
#include "ui/views/model_card.h"
#include "ui/views/model_parts.h"
#include "views/lens/lens_parts.h"
#include "views/lens/shown_lens.h"

namespace attn {

namespace {

constexpr float kTwoLensColumns = 700, kBetweenLensColumns = 28;

}  // namespace

// What decides a part of the picture.
struct LensSceneKey {
    int version = -1;            // of the work
    std::int64_t num_found = 0;  // of its cells
    int layer = 0, row = 0;
    std::optional<int> asked = {}, word_of_sum = {}, channel = {};
    LensWindow shown = {};
    bool has_sum = false;
    float width = 0;

    bool operator==(const LensSceneKey&) const = default;
};

// Whose sum it is.
struct LensSumKey {
    int version = -1;
    int layer = 0, row = 0, word = 0;
    std::optional<int> channel = {};

    bool operator==(const LensSumKey&) const = default;
};

struct LensViewMemory : KeptText {
    std::shared_ptr<LensWork> work;  // of it; null without a model, or where it has no lens
    std::string problem;             // why it has none
    StoppableWork stop;
    int version = 0;
    int first_column = 0;        // of the positions on the screen
    std::optional<int> channel;  // whose number is taken apart
    LensSumKey sum_key;
    std::optional<LensSum> sum;
    KeptScene<LensSceneKey> cells, curve, words, products, norm;
};

namespace {

// Begins the lens of another text, or of positions that the one at hand has not, and goes on with it.
void keep_lens(UiFrame& frame, LensViewMemory& memory) {
    const PlaygroundState& state = frame.state;
    if (!keep_text(state, memory)) memory.work.reset();
    if (!memory.shown) return memory.work.reset();
    const ModelText& text = *memory.shown;
    memory.problem = find_lens_problem(text.model->weights);
    if (!memory.problem.empty()) return memory.work.reset();
    const int row = next_row(state.view, text.input.num_tokens());
    const bool has_row =
        memory.work && row >= memory.work->first() && row < memory.work->first() + memory.work->count();
    if (has_row) {
        memory.work->look_at(row, chosen_word(state.view.word, text));
    } else {
        memory.work = begin_lens(state.view, text);
        memory.stop = stoppable(*text.run);
        ++memory.version;
    }
    go_on_between_frames(frame.widgets, memory.stop, memory.work,
                         [](const LensWork& work) { return std::pair(work.num_found(), work.progress()); });
}

// As many positions as have room, among them the one that is looked at; they stay where they are while they can.
LensWindow columns_on_screen(const LensWork& work, int count, int& first) {
    count = std::min(count, work.count());
    first = std::clamp(first, work.row() + 1 - count, work.row());
    first = std::clamp(first, work.first(), work.first() + work.count() - count);
    return {.first = first, .count = count};
}

using LensParts = PartsOfPicture<LensViewMemory, LensDrawing, LensSceneKey>;

void put_lens_words_about(LensParts& parts) {
    for (const std::string& sentence : lens_in_words(parts.drawing.model()))
        put_wrapped_text(small(parts.frame), sentence);
    ImGui::Dummy({1, 4});
}

// A page of positions on, for a text that has more than are on the screen.
void put_lens_pages(LensParts& parts) {
    UiFrame& frame = parts.frame;
    const LensWindow& shown = parts.drawing.shown;
    const int num_tokens = static_cast<int>(parts.drawing.words.size());
    if (shown.count >= num_tokens) return;
    const int row = parts.drawing.row();
    const auto open = [&](int position) {
        open_lens_cell(frame.next.view, parts.drawing.layer, std::clamp(position, 0, num_tokens - 1));
    };
    put_wrapped_text(small(frame), concat("Positions ", shown.first, " to ", shown.first + shown.count - 1, " of ",
                                          counted(num_tokens, "token"), "."));
    const LockScope lock(frame, "cell", frame.palette.paper);
    if (button(frame, "lens=earlier", "Earlier", ButtonKind::quiet, row > 0)) open(row - shown.count);
    ImGui::SameLine(0, 6);
    if (button(frame, "lens=later", "Later", ButtonKind::quiet, row + 1 < num_tokens)) open(row + shown.count);
}

void put_lens_cells(LensParts& parts) {
    UiFrame& frame = parts.frame;
    put_heading(frame, "LAYERS × POSITIONS");
    const std::optional<int> asked = parts.drawing.work.word();
    put_wrapped_text(small(frame),
                     concat("The most probable word after each layer, its probability",
                            asked ? concat(", and with # the rank of “", isolated(parts.drawing.word_of(*asked)), "”")
                                  : std::string(),
                            ". Press a cell to see its sum."));
    if (!parts.memory.work->is_done() && (!parts.memory.work->run().is_done() || parts.memory.stop.is_long))
        put_progress(frame, parts.memory.stop, parts.memory.work->run().progress());
    ImVec2 corner;
    const FigureBlock& scene = parts.put<lens_cells_scene>(parts.memory.cells, corner);
    const int num_tokens = static_cast<int>(parts.drawing.words.size());
    const auto words = [&](const ScenePlace& place) {
        const int layer = place.index / num_tokens, position = place.index % num_tokens;
        const bool is_open = layer == parts.drawing.layer && position == parts.drawing.row();
        return concat(lens_place(parts.drawing.model(), parts.drawing.word_at(position)), ", after ",
                      lens_layer_name(layer, parts.drawing.num_layers()), ": ",
                      lens_cell_in_words(parts.drawing, layer, position), is_open ? ", open" : "");
    };
    put_model_places(frame, scene, corner, words, [&](const ScenePlace& place) {
        open_lens_cell(frame.next.view, place.index / num_tokens, place.index % num_tokens);
    });
    put_lens_pages(parts);
    ImGui::Dummy({1, 4});
}

void put_lens_curve(LensParts& parts) {
    const std::optional<int> word = parts.drawing.work.word();
    if (!word) return;
    UiFrame& frame = parts.frame;
    ImGui::Dummy({1, 6});
    put_wrapped_text(bold(frame),
                     concat("“", isolated(parts.drawing.word_of(*word)), "” by layer, ",
                            lens_place(parts.drawing.model(), parts.drawing.word_at(parts.drawing.row()))));
    const bool is_chosen = parts.drawing.word.has_value();
    const LockScope lock(frame, "word", frame.palette.paper);
    if (is_chosen && button(frame, "word=", "Ask for the model’s own word")) frame.next.view.word.clear();
    ImVec2 corner;
    parts.put<lens_curve_scene>(parts.memory.curve, corner);
}

void put_words_of_cell(LensParts& parts) {
    UiFrame& frame = parts.frame;
    ImGui::Dummy({1, 6});
    put_wrapped_text(bold(frame), concat("The most probable words ", lens_title_of_cell(parts.drawing)));
    put_wrapped_text(small(frame), "Press one to ask for it everywhere.");
    ImVec2 corner;
    const FigureBlock& scene = parts.put<lens_words_scene>(parts.memory.words, corner);
    const auto words = [&](const ScenePlace& place) {
        return concat("“", parts.drawing.word_of(place.index), "”",
                      parts.drawing.work.word() == place.index ? ", asked for" : "");
    };
    put_model_places(frame, scene, corner, words,
                     [&](const ScenePlace& place) { frame.next.view.word = parts.drawing.word_of(place.index); });
    ImGui::Dummy({1, 2});
}

void put_lens_sum(LensParts& parts) {
    if (!parts.drawing.word_of_sum()) return;
    UiFrame& frame = parts.frame;
    ImGui::Dummy({1, 6});
    put_wrapped_text(bold(frame),
                     concat("The logit of “", isolated(parts.drawing.word_of(*parts.drawing.word_of_sum())), "” ",
                            lens_title_of_cell(parts.drawing)));
    if (!parts.drawing.sum && !can_sum(parts.drawing))
        return put_wrapped_text(small(frame), "The word's column of the unembedding is being read from the file.");
    if (parts.drawing.sum)
        put_wrapped_text(small(frame), concat("The sum of ", parts.drawing.model().config.width, " products: ",
                                              parts.drawing.sum->formula, ". Press a channel to see its number made."));
    ImVec2 corner;
    const FigureBlock& scene = parts.put<lens_sum_scene>(parts.memory.products, corner);
    const auto words = [&](const ScenePlace& place) {
        const auto line = std::ranges::find(parts.drawing.sum->lines, std::optional(place.index), &LensLine::channel);
        return concat(line->label, " adds ", shown_thousandths(line->thousandths, true));
    };
    put_model_places(frame, scene, corner, words, [&](const ScenePlace& place) { parts.memory.channel = place.index; });
    ImGui::Dummy({1, 6});
    parts.put<lens_norm_scene>(parts.memory.norm, corner);
}

void put_lens_parts(LensParts& parts) {
    const float room = ImGui::GetContentRegionAvail().x - 6;
    if (room < kTwoLensColumns)
        return put_column(parts, room, put_lens_cells, put_lens_words_about, put_lens_curve, put_words_of_cell,
                          put_lens_sum);
    put_column(parts, room, put_lens_words_about, put_lens_cells);
    const float left = (room - kBetweenLensColumns) / 2;
    put_column(parts, left, put_lens_curve, put_words_of_cell);
    ImGui::SameLine(0, kBetweenLensColumns);
    put_column(parts, left, put_lens_sum);
}

// The sum of the open cell, made again only where it is another one.
const std::optional<LensSum>& kept_sum(LensViewMemory& memory, const LensDrawing& drawing) {
    if (!can_sum(drawing)) {
        memory.sum.reset();
        memory.sum_key = {};
        return memory.sum;
    }
    LensSumKey key = {.version = memory.version,
                      .layer = drawing.layer,
                      .row = drawing.row(),
                      .word = *drawing.word_of_sum(),
                      .channel = memory.channel};
    if (key != memory.sum_key) memory.sum = lens_sum(drawing.work.run(), key.layer, key.row, key.word, key.channel);
    memory.sum_key = key;
    return memory.sum;
}

void put_lens(UiFrame& frame, LensViewMemory& memory) {
    const ScreenRuler ruler(frame.fonts);
    const double room = static_cast<double>(ImGui::GetContentRegionAvail().x - 6);
    const int count =
        lens_columns(screen_style(ruler, frame.palette.is_dark), room, memory.shown->model->config.num_layers);
    const LensWindow shown = columns_on_screen(*memory.work, count, memory.first_column);
    LensDrawing drawing = lens_drawing(frame.state.view, *memory.work, *memory.shown, shown);
    drawing.sum = kept_sum(memory, drawing);
    LensParts parts = {frame,
                       memory,
                       drawing,
                       {.version = memory.version,
                        .num_found = memory.work->num_found(),
                        .layer = drawing.layer,
                        .row = drawing.row(),
                        .asked = drawing.work.word(),
                        .word_of_sum = drawing.word_of_sum(),
                        .channel = memory.channel,
                        .shown = shown,
                        .has_sum = drawing.sum.has_value()}};
    put_lens_parts(parts);
}

}  // namespace

void draw_lens(UiFrame& frame) {
    if (!frame.memory.lens_view) frame.memory.lens_view = std::make_shared<LensViewMemory>();
    LensViewMemory& memory = *frame.memory.lens_view;
    keep_lens(frame, memory);
    ImGui::Dummy({1, 2});
    put_model_card(frame, memory.shown ? &*memory.shown : nullptr);
    ImGui::BeginChild("lens", {0, 0}, ImGuiChildFlags_NavFlattened);
    if (memory.work)
        put_lens(frame, memory);
    else if (memory.shown)
        put_wrapped_text(body(frame), memory.problem);
    ImGui::Dummy({1, 8});
    scroll_by_finger(frame);
    ImGui::EndChild();
}

}  // namespace attn
