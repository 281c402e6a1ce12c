// What view=patch shows and says: what each patch from B's text into A's does to the choice between two words, as maps
// of layers by positions and layers by heads; and the run with the patches of the link. The picture, for paper and for
// the screen, and the same as the tables of the text version, as a sentence for a screen reader, as tables for
// spreadsheets and programs. Knows no screen.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/ground/result.h"
#include "model/roles/patch_effects.h"
#include "model/words/model_tokenizer.h"
#include "playground/models/model_numbers.h"
#include "playground/numbers/evaluation.h"
#include "playground/state/state.h"
#include "playground/text/notes.h"
#include "playground/text/text_table.h"
#include "scene/kit/figure_parts.h"

namespace attn {

// The logits after one row of a text, and its most probable words, in slices.
class NextOfRow {
public:
    NextOfRow(std::shared_ptr<ModelRun> run, int row) : logits_(std::move(run), row) {}
    bool advance(std::int64_t multiply_adds);
    bool is_done() const { return cell_.has_value(); }
    ModelProgress progress() const { return logits_.progress(); }
    std::span<const float> logits() const { return logits_.logits(); }
    const LensCell& cell() const { return *cell_; }  // once it is done

private:
    RowLogits logits_;
    std::optional<LensCell> cell_;
};

// What is drawn: `work` stays as it is. Effects may still be missing.
struct PatchDrawing {
    const PatchEffects& work;
    const std::vector<std::string>& words;        // of each token of A's text
    const std::vector<std::string>& other_words;  // of B's
    const ModelTokenizer* tokenizer = nullptr;
    std::vector<Patch> patches = {};     // of the link; a row may be kEveryToken
    const NextOfRow* patched = nullptr;  // the run with them; null without, or while it is not there
    bool prints_values = true;

    const Model& model() const { return work.run().model(); }
    int num_layers() const { return model().config.num_layers; }
    std::string word_of(int token) const;
    // Of the patched run; nothing while it is not there.
    std::optional<PatchedChoice> patched_choice() const;
    bool has_patch(const Patch& patch) const;
};

// The patch of a cell: of the stream before a layer at a position, or of a head at every token.
Patch stream_patch(int layer, int position);
Patch head_patch(int layer, int head);

// In thousandths, as they are printed: what is written of two choices subtracts to what is written of an effect.
std::int64_t thousandths_of(const PatchedChoice& choice);
// "+0.660"; "…" while it is not there, "" where the other text has no such position, "NaN".
std::string effect_in_words(const PatchDrawing& drawing, const PatchedChoice* choice);
// "the stream before layer 2 at “brush”", "head 3 of layer 2 at every token"
std::string patch_in_words(const PatchDrawing& drawing, const Patch& patch);
// "logit of “woman” − logit of “artist”"; empty while the words are not known.
std::string choice_in_words(const PatchDrawing& drawing);

// What the view shows, a sentence each; the last ones say what is particular to the two texts.
std::vector<std::string> patching_in_words(const PatchDrawing& drawing);

// The three choices: A's text, the patched one, B's. Places: none.
FigureBlock patch_choices_scene(const SceneStyle& style, const PatchDrawing& drawing, double width);
// Layers below each other; where the positions have no room side by side they go on below. The ground is orange where a
// patch moves the choice towards B's, violet where it moves it away. Places: "stream=2.5", the patch stream.2@5;
// index: layer * the text's tokens + position.
FigureBlock patch_streams_scene(const SceneStyle& style, const PatchDrawing& drawing, double width);
// The same of heads. Places: "head=2.7"; index: layer * heads + head.
FigureBlock patch_heads_scene(const SceneStyle& style, const PatchDrawing& drawing, double width);
FigureBlock patch_sheet(const SceneStyle& style, const PatchDrawing& drawing, double width);

std::vector<TextTable> tables_of_patches(const PatchDrawing& drawing);
// "Patching: logit of “woman” − logit of “artist” is 2.310, in the other text −1.201. Most moves it the stream …"
std::string patch_announcement(const PatchDrawing& drawing);

// CSV, a line a patch: part,layer,head,position,token,word,against,difference,effect,share; layers, heads and positions
// count from 1 as in the link, heads are patched at every token. The first two lines are the two texts as they are. All
// effects are there.
std::string patch_csv(const PatchDrawing& drawing);
// JSON: {"notes", "model", "row", "tokens", "other_tokens", "word", "against", "here", "there", "effects": [{"part",
// "layer", "head", "position", "word", "against", "difference", "effect", "share"}]}; word and against null where there
// is no choice.
std::string patch_json(const PatchDrawing& drawing, const Notes& notes);

// --- of a state: the model, its text, B's text, the two words (shown_patch.cpp)

struct PatchTexts {
    ModelText here;                    // without the patches
    ModelText there;                   // B's
    std::optional<ModelText> patched;  // with them; nothing where the state has none
};
// Nothing where a text, the model or its words are missing: then `problem` is a sentence.
std::optional<PatchTexts> patch_texts(const PlaygroundState& state, std::string& problem);
// Why there is nothing to patch from: what patch_texts says where the link has no compare=.
extern const std::string_view kNoOtherText;

// From nothing. The positions are those of lens_window.
std::unique_ptr<PatchEffects> begin_patches(const View& view, const PatchTexts& texts);
PatchDrawing patch_drawing(const PatchEffects& work, const PatchTexts& texts, const Inputs& inputs);

// This patch alone, or none where it is the only one already.
void press_patch(Inputs& inputs, const Patch& patch);
// Shows the first patch in the view matrix: the first stage that it changes, in its token's row.
void open_patched(PlaygroundState& state, const PatchTexts& texts);

// Of a state whose model is open: all at once, and a sentence where that costs too much.
std::vector<TextTable> tables_of_patch(const PlaygroundState& state, const Evaluator& evaluator);
std::string announcement_of_patch(const PlaygroundState& state);
// patch_csv of the state; fails with a sentence.
Result<std::string> csv_of_patch(const PlaygroundState& state);
// Needs an open model with two texts; computes it to the end.
Result<Figure> figure_of_patch(const FigureTask& task);

}  // namespace attn
