// The picture of view=model, for paper and for the screen, in parts that panel and figure put together: the heads, the
// next words, the votes, one map, what one head does, the stream.
#pragma once

#include <optional>
#include <string>

#include "playground/state/state.h"
#include "scene/kit/figure_parts.h"
#include "views/model/model_picture.h"
#include "views/model/vote_column.h"

namespace attn {

// What is drawn of the state B that stands beside the drawn one, A (other_picture.h).
struct OtherPicture {
    std::string words = {};                 // what B is, or why there is no picture of it
    const ModelPicture* picture = nullptr;  // null: not there
    const ModelTokenizer* tokenizer = nullptr;
    bool has_same_words = false;           // its vocabulary is A's
    std::optional<VoteColumn> votes = {};  // for the word of A
};

// What is drawn. All layers of the picture are done.
struct ModelDrawing {
    const ModelPicture& picture;
    const ModelTokenizer* tokenizer = nullptr;
    int layer = 0;  // whose head, or whose heads together, are looked at
    int head = 0;
    LayerMap map = LayerMap::head;
    std::optional<int> word = {};          // the token of the vocabulary that is voted for
    std::optional<VoteColumn> votes = {};  // for it
    std::string votes_problem = {};        // in their place
    bool prints_values = true;
    bool shows_effects = true;               // what switching each head off does to the word
    std::optional<OtherPicture> other = {};  // nothing: there is no B
};

// Layers below each other, heads side by side, at the end their mean and the rollout. Places: "layer=2&head=3",
// "layer=2&map=mean", "layer=2&map=rollout"; index: layer * (num_heads + 2) + head, num_heads for the mean, one more
// for the rollout. With many heads the cards are small and have no words.
FigureBlock model_heads_scene(const SceneStyle& style, const ModelDrawing& drawing, double width);
bool has_many_heads(const ModelConfig& config);

// The most probable next words as bars, the chosen one among them; below each bar that of B, with A − B. Places:
// "word=artist", index: the token.
FigureBlock model_next_scene(const SceneStyle& style, const ModelDrawing& drawing, double width);

// What each part adds to the chosen word's logit, and in B; a line shows where B's bar ends. Places: "vote=2.3" of
// heads, index: layer * num_heads + head.
FigureBlock model_votes_scene(const SceneStyle& style, const ModelDrawing& drawing, double width);

// The row of the chosen map from which the next word is looked at; empty where tokens are joined.
FigureBlock model_row_scene(const SceneStyle& style, const ModelDrawing& drawing, double width);
// The chosen map with its tokens.
FigureBlock model_map_scene(const SceneStyle& style, const ModelDrawing& drawing, double width);

// What switching the chosen head does to the next words; empty of heads together. Its scores, or what heads together
// show. Both below each other.
FigureBlock model_switched_scene(const SceneStyle& style, const ModelDrawing& drawing, double width);
FigureBlock model_scores_scene(const SceneStyle& style, const ModelDrawing& drawing, double width);
FigureBlock model_head_scene(const SceneStyle& style, const ModelDrawing& drawing, double width);

// The residual stream's length by layer.
FigureBlock model_stream_scene(const SceneStyle& style, const ModelDrawing& drawing, double width);

// "Layer 2 · Head 4", "Layer 2 · mean of the heads", "Layers 1 to 2 · rollout".
std::string map_title(const ModelDrawing& drawing);
// The strongest score of a head, "token before .97"; empty where the text tells none.
std::string role_in_words(const HeadPicture& head);
// A score or a mean weight with two decimals: "0.39", "<0.01".
std::string shown_score(double score);
// "after “brush”"
std::string place_of_next(const ModelPicture& picture);
// How the chosen word's logit becomes its probability: "probability: e^(logit − 6.6202) / 21.5987".
std::string softmax_in_words(const ModelPicture& picture);
// Before and after the chosen head is switched; false while that is computed.
bool has_switched(const ModelPicture& picture);
// "Head 4 of layer 2 off:" or "on again:".
std::string switch_in_words(const ModelPicture& picture);

inline constexpr int kShownNextWords = 6;
// The tokens whose bars are drawn: the most probable ones, and `word` if it is not among them.
std::vector<int> shown_next_words(const ModelPicture& picture, std::optional<int> word);

}  // namespace attn
