// A model's picture is computed in slices between frames, and again only where its numbers change.
#include <algorithm>
#include <utility>

#include "ui/views/model_parts.h"

namespace attn {

constexpr std::int64_t kModelSlice = 48'000'000;  // multiply-adds at once: some milliseconds (BlockedProduct)

ModelViewMemory& model_view_memory(PanelMemory& memory) {
    if (!memory.model_view) memory.model_view = std::make_shared<ModelViewMemory>();
    return *memory.model_view;
}

bool will_not_come(const UiFrame& frame) {
    return std::ranges::any_of(frame.notes, [&](const std::string& note) { return frame.session.is_failure(note); });
}

bool keep_text(const PlaygroundState& state, KeptText& memory) {
    if (memory.text_of == state.inputs && memory.sentence == state.view.sentence && memory.shown) return true;
    const std::optional<ModelText> before = std::move(memory.shown);
    memory.text_of = state.inputs;
    memory.sentence = state.view.sentence;
    memory.shown = model_text(state.inputs, state.view.sentence);
    return before && memory.shown && memory.shown->model.get() == before->model.get() &&
           memory.shown->input == before->input;
}

void keep_picture(const Canvas& canvas, const PlaygroundState& state, KeptPicture& memory) {
    keep_text(state, memory);
    const std::optional<ModelText>& shown = memory.shown;
    if (!shown) {
        memory.work.reset();
        memory.key = {};
        return;
    }
    ModelKey key = {shown->model.get(), shown->input, next_row(state.view, shown->input.num_tokens())};
    if (!memory.work || key != memory.key) {
        memory.work = std::make_shared<ModelPictureWork>(shown->run, shown->words, key.row,
                                                         looked_at(state, shown->model->config));
        memory.key = std::move(key);
        memory.stop = stoppable(*shown->run);
        ++memory.version;
    }
    if (memory.work->has_picture())
        memory.work->choose_head(looked_at(state, memory.work->picture(), shown->tokenizer.get()));
    go_on_with_model(canvas.widgets, memory.stop, memory.work, 8, kModelSlice / 8);
}

}  // namespace attn
