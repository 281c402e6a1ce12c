// The pictures of view=door, for paper and for the screen: the sentence with its arcs, and the heads of the layer.
#pragma once

#include "scene/kit/figure_parts.h"
#include "views/door/door_picture.h"

namespace attn {

// A word of the sentence where it stands.
struct SetWord {
    std::string text;
    FigureBox box;
    DoorPiece::Kind kind = DoorPiece::Kind::token;
    int token = -1;
    bool is_next = false;  // the one that the model names
};

// The sentence in lines, with room for arcs above.
struct SetSentence {
    double size = 0, height = 0;  // points an em; of all of it
    bool is_one_line = true;
    std::vector<SetWord> words;
};
// `largest`: points an em, for a sentence that fits into one line.
SetSentence set_sentence(const TextRuler& ruler, const DoorDrawing& drawing, double width, double largest);

// The sentence in large letters, its lines wrapped, and the next word behind it where a model names one. Arcs go from
// the last token to the tokens that the heads in use look at: as wide as the weight, with its number. Unknown words are
// struck through.
FigureBlock door_sentence_scene(const SceneStyle& style, const DoorDrawing& drawing, double width, double largest);

// The heads of the layer as small maps, those in use in a frame. Places: "head=4", index: the head.
FigureBlock door_heads_scene(const SceneStyle& style, const DoorDrawing& drawing, double width);

}  // namespace attn
