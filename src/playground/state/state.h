// What the visitor chose, and nothing else: one state. Inputs decide the numbers, View decides the picture.
// Every field has its default beside it; links, presets, undo and tests all speak this structure.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "core/attention/attention.h"
#include "core/attention/goal.h"
#include "core/attention/projections.h"
#include "core/attention/stages.h"
#include "core/learn/optimizer.h"
#include "core/words/embeddings.h"
#include "core/words/tokens.h"
#include "model/layers/head_off.h"
#include "model/layers/patch.h"
#include "playground/state/view_list.h"

namespace attn {

inline constexpr int kMaxWidth = 1024;                        // d_in and d_out
inline constexpr int kMaxModelWidth = 8192;                   // of an open model: HeatmapRenderer::kMaxSide
inline constexpr std::size_t kMaxSentences = 16;              // of a batch
inline constexpr std::size_t kMaxTextBytes = 1 << 17;         // of one sentence in UTF-8, far more than 2,048 words
inline constexpr std::int64_t kMaxScoreElements = 1LL << 26;  // num_heads * T * T: 256 MiB of scores
inline constexpr std::size_t kMaxTypedNumbers = 1 << 18;      // typed embeddings of all sentences together
inline constexpr std::size_t kMaxEdits = 20000;
inline constexpr double kMinTemperature = 0.001;
inline constexpr double kMaxTemperature = 1000;
inline constexpr double kMinCap = 0.001;
inline constexpr double kMaxCap = 1000;
inline constexpr double kMaxDropout = 0.999;
inline constexpr double kMinRopeBase = 1;
inline constexpr double kMaxRopeBase = 1e12;
inline constexpr int kMaxPosShift = 1'000'000;    // either way: portable sines know angles up to 2^20
inline constexpr int kMaxLayers = 512;            // of a model
inline constexpr std::size_t kMaxModelName = 64;  // bytes
inline constexpr int kMaxPairs = 100000;          // of the dot product experiment
inline constexpr int kMaxPairsDim = 512;
inline constexpr std::size_t kMaxVector = 64;  // numbers of the softmax experiment
inline constexpr double kMinGain = 0.1;
inline constexpr double kMaxGain = 20;
inline constexpr int kMaxCachedTokens = 2048;       // of view=cache: as many as a sentence has at most
inline constexpr int kMaxLength = 1'000'000;        // tokens a user, of its memory meter
inline constexpr double kMaxCard = 10'000;          // GB
inline constexpr double kMaxNextTemperature = 100;  // of view=model: how the next word is drawn
inline constexpr int kMaxTopK = 1'000'000;
inline constexpr double kMinTopP = 0.001;
inline constexpr int kMaxSaid = 2048;
inline constexpr std::size_t kMaxWordBytes = 512;
inline constexpr std::size_t kMaxTargets = 4096;
inline constexpr double kMinRate = 1e-9;
inline constexpr double kMaxRate = 1e9;
inline constexpr std::size_t kMaxCompareBytes = 1 << 20;
inline constexpr int kNumPhases = 3;  // of view=split

enum class EmbeddingKind { hash, ngrams, torch, typed };
enum class ViewKind {
#define ATTN_VIEW_KIND(name, ...) name,
    ATTN_VIEWS(ATTN_VIEW_KIND)
#undef ATTN_VIEW_KIND
};
enum class Combine { none, mean, max };              // of the heads of a (T, T) stage
enum class RowStat { none, sum, entropy, largest };  // beside each row of the weights
enum class CacheElement { f32, bf16, int8, int4 };   // how a cache keeps a number
enum class LayerMap { head, mean, rollout };         // of view=model: one head's weights, or all heads together
enum class Theme { automatic, light, dark };

// Typed embeddings of one sentence: rows of numbers; rows may differ in length, the last one is not empty. Missing
// numbers count as 0.
using TypedRows = std::vector<std::vector<float>>;

// A program that opens no models has nothing to copy, to compare or to ask.
struct NoModelName {
    static constexpr bool empty() { return true; }
    static constexpr void clear() {}
    constexpr operator std::string_view() const { return {}; }
    bool operator==(const NoModelName&) const = default;
};
struct NoModelLayer {
    constexpr NoModelLayer(int = 0) {}
    constexpr operator int() const { return 0; }
    bool operator==(const NoModelLayer&) const = default;
};
using ModelName = std::conditional_t<kOpensModels, std::string, NoModelName>;
using ModelLayer = std::conditional_t<kOpensModels, int, NoModelLayer>;

// One number changed by hand on top of what the seed gives.
struct Edit {
    TensorId tensor = TensorId::w_query;  // embeddings ("x" in links), w_*, b_*, mask
    int sentence = 0;                     // of the batch; for embeddings and mask only, else 0
    int row = 0;                          // biases: 0
    int column = 0;
    float value = 0;                             // finite; mask: 0 visible, 1 hidden
    [[no_unique_address]] ModelLayer layer = 0;  // of the model; 0 without one

    bool operator==(const Edit&) const = default;
};
inline constexpr int kShownLayer = -1;  // of an edit in a link, until clamp_to_legal names it

inline constexpr int kShownSentence = -1;  // of a target in a link, until clamp_to_legal names it
inline constexpr int kEveryHead = -1;      // likewise: one target a head; of HeadOff: all heads of the layer

// This query of this head should look at this key: drawn over maps and lines, and what goal=pattern trains for. The
// shares of a row are divided by their sum. A target that the mask hides is drawn and not trained for.
struct TargetCell {
    int sentence = 0;  // of the batch
    int head = 0;
    int query = 0;
    int key = 0;
    double share = 1;  // > 0

    bool operator==(const TargetCell&) const = default;
};

// The text that patches come from, in the model of the link.
struct OtherText {
    std::string text;
    std::vector<HeadOff> off;
    OffBy off_by = OffBy::zero;
    std::vector<Edit> edits;
    int sentence = 0;  // whose edits count

    bool operator==(const OtherText&) const = default;
};

struct Inputs {
    std::vector<std::string> texts = {"The artist painted the portrait of a woman with a brush"};
    TokenKind tokens = TokenKind::words;
    EmbeddingKind embed = EmbeddingKind::hash;
    std::uint64_t embed_seed = 123;
    std::vector<TypedRows> typed;  // one entry a sentence; the last one serves the sentences that have none
    Positions positions = Positions::sin;
    RotaryPairs rope_pairs = RotaryPairs::halves;
    double rope_base = 10000;  // kMinRopeBase to kMaxRopeBase
    int pos_shift = 0;         // of rope: how far the whole sentence stands from the beginning
    int d_in = 8;
    int d_out = 4;
    int num_heads = 2;
    int num_kv_heads = 0;  // heads of keys and values, a divisor of num_heads below it; 0: as many
    KvFrom kv_from = KvFrom::drawn;
    int latent = 0;        // width of the vector that keys and values are made of, at most d_out; 0: of X
    int query_latent = 0;  // the same of queries
    int rope_dim = 0;      // of rope with a latent: even, so many numbers of a head are turned alone; 0: off
    bool qk_norm = false;  // RMS norms of each head's queries and keys, their weights learned; not with latents
    Mask mask = Mask::causal;
    int mask_window = 0;  // keys that a query sees, as MaskWindow counts them; 0: no window
    int mask_sinks = 0;   // first keys that stay visible beside it; 0 without a window
    MaskAt mask_at = MaskAt::before;
    bool sink_logits = false;  // a sink a head, learned, beside the keys of the softmax; with a mask before it alone
    Scale scale = Scale::sqrt;
    double temperature = 1;
    double score_cap = 0;  // kMinCap to kMaxCap, which no scaled score passes; 0: none
    double logit_cap = 0;  // the same of logits, with goal `next`
    double dropout = 0;
    std::uint64_t dropout_seed = 123;
    Init init = Init::torch_linear;
    std::uint64_t seed = 123;
    bool bias = false;
    bool out = true;
    std::vector<Edit> edits;  // at most one a cell, sorted by tensor, sentence, row, column (set_edit keeps them so)
    // The recipe: training begins at the numbers above, edits included, and the numbers after `steps` are what is
    // shown.
    GoalKind goal = GoalKind::none;
    std::vector<TargetCell> targets;  // at most one a cell, sorted by sentence, head, query, key
    int steps = 0;
    OptimizerKind optimizer = OptimizerKind::sgd;
    double rate = 0.1;
    std::set<TensorId> train;  // w_query ... b_out, embeddings; empty: all matrices and biases that there are

    RotarySettings rotary() const {
        if (kForwardOnly) return {};
        return {.is_on = positions == Positions::rope,
                .pairs = rope_pairs,
                .base = rope_base,
                .shift = pos_shift,
                .own_dim = kHasLatents ? rope_dim : 0};
    }
    bool has_sink() const { return kHasSinks && sink_logits; }
    bool has_qk_norm() const { return !kForwardOnly && qk_norm; }
    // A trained model: its numbers take the place of drawn ones, and it fixes most of the above (link/model_limits.h).
    ModelName model;                             // its name (state/open_models.h); empty: none
    [[no_unique_address]] ModelLayer layer = 0;  // of the model, whose attention is shown
#ifndef ATTN_NO_MODELS
    std::vector<HeadOff> off;  // heads that are switched off, sorted, each once
    OffBy off_by = OffBy::zero;
    std::vector<Patch> patches;             // taken over from B's text (View::compare), sorted, each once
    std::optional<OtherText> patched_from;  // that text, as clamp_to_legal reads it; nothing without patches
#endif

    MaskWindow window() const { return {.keys = mask_window, .sinks = mask_sinks}; }
    bool operator==(const Inputs&) const = default;
};

// A pinned cell of the shown stage.
struct Cell {
    int head = 0;  // 0 for stages without heads
    int row = 0;
    int column = 0;

    bool operator==(const Cell&) const = default;
};

// A part of the shown matrix: rows and columns from the first to the last, both included.
struct CellWindow {
    int first_row = 0, last_row = 0;
    int first_column = 0, last_column = 0;

    int num_rows() const { return last_row - first_row + 1; }
    int num_columns() const { return last_column - first_column + 1; }
    bool contains(int row, int column) const {
        return row >= first_row && row <= last_row && column >= first_column && column <= last_column;
    }
    bool operator==(const CellWindow&) const = default;
};

// The two channels of the head that the vectors view draws; `is_principal`: the two principal directions instead.
struct Plane {
    bool is_principal = false;
    int x = 0;
    int y = 1;

    bool operator==(const Plane&) const = default;
};

// How many of the asked-for numbers were answered right, and with how many hints. For handing in; answers are not kept.
struct Score {
    int right = 0;
    int asked = 0;
    int hints = 0;

    bool operator==(const Score&) const = default;
};

struct View {
    ViewKind view = ViewKind::matrix;
    TensorId stage = TensorId::weights;
    int sentence = 0;                  // which one of the batch is shown
    std::optional<int> head;           // the enlarged head; nothing: all heads
    std::optional<Cell> cell;          // pinned
    std::optional<CellWindow> window;  // view=matrix: the part that is enlarged, of all heads; nothing: all of it
    std::set<int> select;              // query tokens that are looked at together
    Combine combine = Combine::none;
    RowStat row_stat = RowStat::none;
    Plane plane;                          // view=vectors
    TensorId tensor = TensorId::w_query;  // view=edit: the one that is edited
    std::string compare;                  // view=compare: the link of the other state, B; empty: none yet
    int phase = 0;                        // view=split: which of the kNumPhases shapes is shown
    int pairs = 1000;                     // view=dots: random pairs of query and key
    std::uint64_t pairs_seed = 123;       // of their numbers
    int pairs_dim = 64;                   // the head_dim whose histograms are shown
    std::vector<float> vector = {0.1F, -0.2F, 0.3F, -0.2F, 0.5F};  // view=softmax
    double gain = 1;                                               // what it is multiplied by
#ifndef ATTN_FORWARD_ONLY
    int prompt = 4;                             // view=cache: tokens that are computed at once, before the steps
    int at = 0;                                 // steps after them, a token each
    int length = 4096;                          // of its memory meter: tokens that a user's cache holds
    CacheElement element = CacheElement::bf16;  // what they are kept as
    double card = 80;                           // GB of memory that users share
#endif
#ifndef ATTN_NO_MODELS
    LayerMap map = LayerMap::head;  // view=model
    std::optional<int> lens;        // view=lens: after which layer, 0: before the first; nothing: after the last
    std::string word;               // whose votes are shown; empty: the most probable next word's
    std::string against;            // view=patch: what it is chosen against; empty: the most probable word of B's text
    double next_temperature = 1;    // how the next word is drawn
    int top_k = 0;                  // 0: from all words
    double top_p = 1;               // 1: likewise
    std::uint64_t next_seed = 123;
    int said = 0;  // words drawn since the seed
#endif
    std::set<TensorId> check;    // stages that are blanked for the visitor to fill in
    bool asks_counts = false;    // view=cache: its counts are blanked likewise
    std::optional<Score> score;  // of the last check
    std::string lesson;          // name of the lesson that is on; empty: none
    int step = 0;                // of it, from 0
    std::set<std::string> hide;  // what is left out: see playground/hiding.h
    std::set<std::string> lock;  // controls that are shown and cannot be changed: link keys
    Theme theme = Theme::automatic;
    std::string lang = "en";

    bool operator==(const View&) const = default;
};

struct PlaygroundState {
    Inputs inputs;
    View view;

    bool operator==(const PlaygroundState&) const = default;
};

// Of the batch, the sentence that is shown. The state is legal.
inline const std::string& shown_sentence(const PlaygroundState& state) {
    return state.inputs.texts[static_cast<std::size_t>(state.view.sentence)];
}

}  // namespace attn
