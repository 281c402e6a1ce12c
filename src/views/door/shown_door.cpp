// The parts of the scene below each other, as on a narrow screen.
#include "views/door/shown_door.h"

#include <utility>

#include "core/ground/check.h"
#include "views/door/door_scene.h"
#include "views/door/door_text.h"
#include "views/model/model_layout.h"

namespace attn {
namespace {

constexpr double kDoorWidth = 760, kBelowPart = 16, kLargestWord = 26;

}  // namespace

ComputedDoor compute_door(const PlaygroundState& state, const Evaluation& evaluation) {
    ComputedDoor door = {.model = compute_model(state), .drawing = {}};
    door.drawing = door_drawing(state, evaluation, door.model ? &door.model->text : nullptr,
                                door.model ? door.model->work.get() : nullptr);
    return door;
}

Result<Figure> figure_of_door(const FigureTask& task) {
    SentenceRoom room = sentence_room(kDoorWidth, 0);
    room.largest = kLargestWord;
    const ComputedDoor door = compute_door(task.state, task.evaluation);
    const DoorDrawing& drawing = door.drawing;
    if (drawing.reader == DoorReader::none)
        return Result<Figure>::failure("There is no figure of the opening scene while its model is not open.");
    FigureBlock picture = door_sentence_scene(task, drawing, room);
    if (drawing.model) {
        picture = stacked_blocks(std::move(picture), soft_text(task, door_effect(drawing), kDoorWidth), kBelowPart);
        picture = stacked_blocks(std::move(picture), heading_text(task, "The next word", kDoorWidth), kBelowPart);
        picture = stacked_blocks(std::move(picture), model_next_scene(task, *drawing.model, kDoorWidth), 4);
    }
    const std::string heads =
        drawing.model ? concat("All heads of layer ", drawing.layer + 1) : std::string("All heads");
    picture = stacked_blocks(std::move(picture), heading_text(task, heads, kDoorWidth), kBelowPart);
    picture = stacked_blocks(std::move(picture), door_heads_scene(task, drawing, kDoorWidth), 6);
    FigureWords words;
    words.title = quoted_sentence(task);
    words.subtitle = door_subtitle(drawing, task.state.inputs.model);
    words.description = drawing_in_words(drawing, task.state.inputs.model);
    return finished_figure(task, std::move(words), std::move(picture));
}

std::vector<TextTable> tables_of_door(const PlaygroundState& state, const Evaluator& evaluator) {
    return tables_of_drawing(compute_door(state, evaluator.shown()).drawing);
}

std::string announcement_of_door(const PlaygroundState& state, const Evaluation& evaluation) {
    return drawing_in_words(compute_door(state, evaluation).drawing, state.inputs.model);
}

}  // namespace attn
