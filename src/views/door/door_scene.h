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
    bool is_room = false;  // not to be drawn: here a word will stand once the model is open
};

// The sentence in lines, with room for arcs above.
struct SetSentence {
    double size = 0, height = 0;  // points an em; of all of it
    bool is_one_line = true;
    std::vector<SetWord> words;
};

struct SentenceRoom {
    double width = 0;
    double largest = 0;      // points an em, for a sentence that fits into one line
    double highest_arc = 0;  // that an arc rises over the words, at most
};
// For a column of this width in a scene of this height, both in points.
SentenceRoom sentence_room(double width, double height);

SetSentence set_sentence(const TextRuler& ruler, const DoorDrawing& drawing, const SentenceRoom& room);

// The sentence in large letters, its lines wrapped, and the next word behind it where a model names one. Arcs go from
// the last token to the tokens that the heads in use look at: as wide as the weight, with its number. Unknown words are
// struck through.
FigureBlock door_sentence_scene(const SceneStyle& style, const DoorDrawing& drawing, const SentenceRoom& room);

// The heads of the layer as small maps, those in use in a frame. Places: "head=4", index: the head.
FigureBlock door_heads_scene(const SceneStyle& style, const DoorDrawing& drawing, double width);

}  // namespace attn
