// The numbers of view=door, the opening scene: a sentence, where one head looks back from its last token, and what
// switching that head off does to the next word. Knows no screen.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/roles/ablation.h"
#include "playground/numbers/evaluation.h"
#include "playground/state/state.h"
#include "views/model/shown_model.h"

namespace attn {

// What stands for the token that a model puts before a text.
inline constexpr std::string_view kStartPiece = "start";

// A part of the sentence as it was typed: a token, or letters between tokens.
struct DoorPiece {
    enum class Kind {
        token,
        added,    // the model puts it around the text
        unknown,  // the model does not know it and leaves it out
        cut_off,  // behind the last token that the model reads
    };
    std::string text;
    Kind kind = Kind::token;
    int token = 0;         // its index, or that of the next token
    bool has_gap = false;  // white space before it
};

// All of the sentence, in order.
std::vector<DoorPiece> door_pieces(const Tokens& tokens);

// Whose numbers the scene shows.
enum class DoorReader {
    none,    // a model that is not open: there are none
    random,  // heads that have learned nothing
    model,
};

// One head's weight from the last token to an earlier one.
struct DoorArc {
    int head = 0, key = 0;
    double weight = 0;
};

struct DoorDrawing {
    DoorReader reader = DoorReader::none;
    std::vector<DoorPiece> pieces;
    std::vector<std::string> tokens;
    int row = 0;  // the token that looks back: the last one, or that of the pinned cell
    int layer = 0, num_layers = 1;
    std::vector<Matrix> maps;                   // weights of each head of the layer; -inf in hidden cells
    std::vector<bool> is_off;                   // of each head
    std::vector<int> heads;                     // that are in use: one, or two
    std::vector<DoorArc> arcs;                  // of these heads, the largest weight first
    std::shared_ptr<const ModelDrawing> model;  // with DoorReader::model
    std::optional<DecidingHeads> deciding;      // of the layer, for the chosen word; nothing: the model is too large

    bool is_at_end() const { return row + 1 == static_cast<int>(tokens.size()); }
    // Whether the heads in use are off.
    bool are_off() const;
    // Whether they are those that decide the word, or, where none does, those that come nearest.
    bool shows_deciding() const { return deciding && deciding->heads == heads; }
};

// `work`: the picture of the state's model, null while it is not there. `evaluation` is complete and has tokens.
DoorDrawing door_drawing(const PlaygroundState& state, const Evaluation& evaluation, const ModelText* text,
                         const ModelPictureWork* work);

}  // namespace attn
