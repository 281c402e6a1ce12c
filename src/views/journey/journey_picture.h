// What view=journey shows and says: a token's row at each stop of its way through a model, in lines from the embeddings
// to the next word. The picture, for paper and for the screen, and the same as the tables of the text version, as a
// sentence for a screen reader, as tables for spreadsheets and programs. Knows no screen.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/ground/result.h"
#include "model/roles/journey.h"
#include "model/words/model_tokenizer.h"
#include "playground/models/model_numbers.h"
#include "playground/numbers/evaluation.h"
#include "playground/state/state.h"
#include "playground/text/notes.h"
#include "playground/text/text_table.h"
#include "scene/kit/figure_parts.h"
#include "views/lens/lens_picture.h"

namespace attn {

// What is drawn: `work` stays as it is. Layers may still be missing.
struct JourneyDrawing {
    const JourneyWork& work;
    const std::vector<std::string>& words;  // of each token of the text
    const ModelTokenizer* tokenizer = nullptr;
    bool prints_values = true;

    const Model& model() const { return work.run().model(); }
    int num_layers() const { return model().config.num_layers; }
    const std::string& word_at(int position) const { return words[static_cast<std::size_t>(position)]; }
    const std::string& word() const { return word_at(work.row()); }
};

// The lens of the token at its end, after the last layer; nothing while its words are not there, or without a head.
std::optional<LensDrawing> lens_at_end(const JourneyDrawing& drawing);

// In files: "head", "mlp".
std::string_view share_name(JourneyShare::From from);

// A sum as it is printed, in thousandths: a reader who adds gets its length to the last digit.
struct PrintedSum {
    std::vector<std::int64_t> along;  // of each share
    std::int64_t rounding = 0;        // what the rounded lines lack of the length
    std::int64_t length = 0;
};
// Nothing where a number is none, or too large to be printed like this.
std::optional<PrintedSum> printed_sum(const JourneySum& sum);

// One line of the picture.
struct JourneyLine {
    enum class Kind { heading, layer, stop, share, rounding, total } kind = Kind::stop;
    std::string place = {};           // "layer=2", "stop=mlp_hidden", "head=3"; empty: nothing to press
    int index = 0;                    // of the place: the layer, the stage, the head
    std::string label;                // "MLP sums", "head 3"
    std::string words = {};           // how it is made, where a head looks
    std::span<const float> row = {};  // empty: none is drawn
    int num_heads = 1;                // rows side by side in it
    bool is_signed = true;
    std::string length = {}, along = {};  // as they are printed
    double bar = 0;                       // along as a part of the largest one's size, -1 to 1
    std::string next = {};                // the word that the stream would give
    bool is_open = false;                 // of a layer
};

// From top to bottom: what the embedding is the sum of, the layers, each one line but for the open one, whose stops and
// sums stand below it, and what comes after the last.
std::vector<JourneyLine> journey_lines(const JourneyDrawing& drawing);

// What the view shows, a sentence each; the last ones say what is particular to the model's kind.
std::vector<std::string> journey_in_words(const Model& model);

// "“woman” 0.5421": what the stream after layer `layer` would give, 0 being before the first; "" where that is not
// there, or the model has no head.
std::string next_in_words(const JourneyDrawing& drawing, int layer);

// `size` cells for a row of more numbers: of neighbours the one that is farthest from 0; a hidden one only where all of
// them are hidden, and NaN where one is. A row of at most `size` numbers stays as it is.
std::vector<float> joined_row(std::span<const float> row, int size);

// The lines of the picture. Places: as the lines have them.
FigureBlock journey_scene(const SceneStyle& style, const JourneyDrawing& drawing, double width);
// The most probable next words; empty where there are none.
FigureBlock journey_end_scene(const SceneStyle& style, const JourneyDrawing& drawing, double width);
// All of it, with what the view shows above.
FigureBlock journey_sheet(const SceneStyle& style, const JourneyDrawing& drawing, double width);

std::vector<TextTable> tables_of_way(const JourneyDrawing& drawing);

// "Journey of “brush”, layer 2 of 12: attention adds 3.214, MLP 8.020; the stream is 15.301 long. Next “woman” 0.5421."
std::string journey_announcement(const JourneyDrawing& drawing);

// CSV, a line a share of a sum and one for the sum, of all layers:
// layer,stream,part,head,length,along,most_seen,weight; layer 0 is how the embedding adds up; heads and positions count
// from 0. The work is done.
std::string journey_csv(const JourneyDrawing& drawing);

// JSON: {"notes", "model", "row", "tokens", "sums": [{"layer", "stream", "is_normed", "length", "shares": [{"part",
// "head", "length", "along", "most_seen", "weight"}]}], "stops": [{"layer", "stage", "length"}], "next": [{"id",
// "word", "probability"}]}. The work is done.
std::string journey_json(const JourneyDrawing& drawing, const Notes& notes);

// --- of a state: the model and its text, the token, the layer that is open (shown_journey.cpp)

// The layer whose stops are shown.
int open_journey_layer(const Inputs& inputs, const ModelConfig& config);

// The work on the journey of the state's token, from nothing.
std::unique_ptr<JourneyWork> begin_journey(const PlaygroundState& state, const ModelText& text);

JourneyDrawing journey_drawing(const JourneyWork& work, const ModelText& text);

// Shows a stop in the view matrix: its stage, the token's row, the largest number of it pinned. `layer` is what the
// stop belongs to, `stop` has its row.
void open_stop(PlaygroundState& state, const JourneyStop& stop, int layer, int row);

// Of a state whose model is open: all at once, and a sentence where that costs too much.
std::vector<TextTable> tables_of_journey(const PlaygroundState& state, const Evaluator& evaluator);
// Empty without a model, and where it takes more than part of a frame: then what else is on the screen is said.
std::string announcement_of_journey(const PlaygroundState& state);
// journey_csv of the state; fails with a sentence.
Result<std::string> csv_of_journey(const PlaygroundState& state);
// Needs an open model with a text; computes it to the end.
Result<Figure> figure_of_journey(const FigureTask& task);

}  // namespace attn
