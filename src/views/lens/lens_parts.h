// What view=lens shows and says. The picture, for paper and for the screen, in parts that panel and figure put
// together: the cells, the curve of one word, the open cell's words, its sum. And the same as the tables of the text
// version, as a sentence for a screen reader, as tables for spreadsheets and programs.
#pragma once

#include <string>
#include <vector>

#include "playground/text/notes.h"
#include "playground/text/text_table.h"
#include "scene/kit/figure_parts.h"
#include "views/lens/lens_picture.h"

namespace attn {

// How many positions have room side by side, one at least.
int lens_columns(const SceneStyle& style, double width, int num_layers);

// Layers below each other, the embeddings first, the positions of `drawing.shown` side by side. In a cell the most
// probable word, its probability, and the rank of the word that is asked for where it is another one; the ground is
// darker where the probability is larger. Places: "lens=2.7", after layer 2 at position 7; index: layer * the text's
// tokens + position.
FigureBlock lens_cells_scene(const SceneStyle& style, const LensDrawing& drawing, double width);

// The probability of the word that is asked for after each layer, at the position that is looked at, and its ranks.
FigureBlock lens_curve_scene(const SceneStyle& style, const LensDrawing& drawing, double width);

// The most probable words of the open cell as bars. Places: "word=artist", index: the token.
FigureBlock lens_words_scene(const SceneStyle& style, const LensDrawing& drawing, double width);

// What adds up to the logit, and how it becomes a probability. Places: "channel=17", index: the channel.
FigureBlock lens_sum_scene(const SceneStyle& style, const LensDrawing& drawing, double width);
// The steps of the norm to the number of one channel.
FigureBlock lens_norm_scene(const SceneStyle& style, const LensDrawing& drawing, double width);

// "after “brush”, layer 2"
std::string lens_title_of_cell(const LensDrawing& drawing);

// All parts below each other.
FigureBlock lens_sheet(const SceneStyle& style, const LensDrawing& drawing, double width);

// --- words
// What the lens is; positions by layers; the chosen word by layer; the open cell's words; its sum. Cells that are not
// there yet are "…".
std::vector<TextTable> tables_of_cells(const LensDrawing& drawing);

// "“woman” 0.5421"
std::string lens_word_in_words(const LensDrawing& drawing, const LensWord& word);
// The most probable words of the open cell, which is there and has numbers.
TextTable lens_words_table(const LensDrawing& drawing);

// "“woman” 0.5421", with ", rank 3 of “woman” …" where a word is asked for that is not the first; "no number", "…".
std::string lens_cell_in_words(const LensDrawing& drawing, int layer, int position);

// "Logit lens after “the”, layer 2: “artist” 0.5421. “woman”: 0.0012, rank 17."
std::string lens_announcement(const LensDrawing& drawing);

// CSV, a line a word of a cell, the most probable ones and the one that is asked for:
// layer,position,token,rank,id,word,logit,probability; layer 0 is before the first layer, positions count from 0. A
// cell without numbers is a line without a word, whose numbers are NaN. Needs all cells of the work.
std::string lens_csv(const LensDrawing& drawing);

// JSON: {"notes", "model", "word", "tokens", "cells": [{"layer", "position", "words": [{"rank", "id", "word", "logit",
// "probability"}], "chosen", "row_max", "row_sum"}]}, "chosen" and "word" null where there is none.
std::string lens_json(const LensDrawing& drawing, const Notes& notes);

}  // namespace attn
