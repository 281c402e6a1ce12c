// The table of link keys: one row a key, walked by reader, writer, `attn keys` and the page.
#include "playground/link/key_table.h"

#include <algorithm>
#include <cmath>

#include "core/ground/check.h"
#include "core/words/code_points.h"
#include "playground/link/cache_keys.h"
#include "playground/link/key_rows.h"
#include "playground/link/link_tensors.h"
#include "playground/link/link_text.h"
#include "playground/link/link_view.h"
#include "playground/link/model_keys.h"
#include "playground/link/position_keys.h"
#include "playground/link/recipe_keys.h"
#include "playground/link/saying_keys.h"
#include "playground/link/variant_keys.h"
#include "playground/state/state_edits.h"
#include "playground/text/format.h"

namespace attn {
namespace {

using namespace key_rows;

constexpr std::size_t kMostTextsRead = 10'000;  // enough for clamp_to_legal to say how many there are, as a rule
static_assert(kMaxWidth == 1024 && kMaxSentences == 16 && kMaxEdits == 20000 && kMinTemperature == 0.001 &&
                  kMaxTemperature == 1000 && kMaxDropout == 0.999,
              "the words of the table name these limits");
constexpr KeyName kWidthRange = "a whole number from 1 to 1024";

void read_version(State&, Value value, Notes& notes) {
    if (value != "1")
        notes.push_back(concat("v is ", quoted(value), ": this program knows version 1 and reads the link as such"));
}

void read_stage(State& state, Value value, Notes& notes) {
    if (const std::optional<TensorId> stage = stage_of_name(value)) {
        state.view.stage = *stage;
    } else {
        notes.push_back(concat("stage stays ", tensor_name(state.view.stage), ": there is no stage ", quoted(value)));
    }
}

void read_tensor(State& state, Value value, Notes& notes) {
    if (const std::optional<TensorId> tensor = editable_of_name(value)) {
        state.view.tensor = *tensor;
    } else {
        notes.push_back(
            concat("tensor stays ", editable_name(state.view.tensor), ": ", quoted(value), " cannot be edited"));
    }
}

std::vector<std::string_view> edit_names() {
    std::vector<std::string_view> names;
    for (const TensorId tensor : editable_tensors()) names.push_back(editable_name(tensor));
    return names;
}

std::vector<std::string_view> stage_names() {
    std::vector<std::string_view> names;
    for (const StageInfo& info : stage_table()) names.push_back(info.name);
    return names;
}

std::vector<KeyInfo> make_table() {
    return {
        KeyInfo{.key = "v",
                .label = "version",
                .kind = KeyKind::whole_number,
                .low = 1,
                .high = 1,
                .legal = said<"1">,
                .help = said<"the version of the link's form; written first">,
                .read = read_version,
                .write = [](const State&) { return one("1"); }},
        KeyInfo{.key = "text",
                .label = "sentence",
                .kind = KeyKind::text,
                .legal = said<"any text, up to 16 times">,
                .help = said<"the sentence; repeated for a batch">,
                .decides_numbers = true,
                .repeats = true,
                .read =
                    [](State& s, Value v, Notes&) {
                        if (s.inputs.texts.size() < kMostTextsRead) s.inputs.texts.emplace_back(v);
                    },
                .write = [](const State& s) { return s.inputs.texts; }},
        choice<"tokens", kTokenWords, &Inputs::tokens>(
            {.label = "tokens",
             .legal = said<"words or chars">,
             .help = said<"what the sentence is cut into: words and punctuation, or characters">}),
        choice<"embed", kEmbeddingWords, &Inputs::embed>(
            {.label = "embedding",
             .legal = said<"hash, ngrams, torch or typed">,
             .help = said<"how a token becomes a vector: drawn from a hash of the word, of its pieces too, "
                          "nn.Embedding, or numbers "
                          "you type">}),
        seed<"embed_seed", &Inputs::embed_seed>(
            {.label = "embedding seed", .help = said<"the seed of the token vectors, as in torch.manual_seed">}),
        KeyInfo{.key = "x",
                .label = "typed embeddings",
                .kind = KeyKind::list,
                .legal = said<"rows separated by ; and numbers by ,">,
                .help = said<"typed embeddings, one row per token; repeated for a batch">,
                .decides_numbers = true,
                .repeats = true,
                .read =
                    [](State& s, Value v, Notes& n) {
                        if (s.inputs.typed.size() <= kMaxSentences) s.inputs.typed.push_back(read_rows(v, n));
                    },
                .write =
                    [](const State& s) {
                        Texts all;
                        for (const TypedRows& rows : s.inputs.typed) all.push_back(write_rows(rows));
                        return all;
                    }},
        choice<"pos", kPositionWords, &Inputs::positions>(
            {.label = "positions",
             .legal = said<"none, sin, rope, alibi or learned">,
             .help = said<"how positions are told apart: not at all; by sines and cosines added to the embeddings; by "
                          "turning queries and keys (RoPE); by scores that fall with the distance (ALiBi); by the rows "
                          "of a table, drawn from embed_seed and added likewise (learned, as in GPT-2)">}),
        whole_number<"d_in", &Inputs::d_in>(
            {.label = "d_in",
             .low = 1,
             .high = kMaxWidth,
             .legal = said<kWidthRange>,
             .help = said<"the width of the embeddings (X): numbers in the vector of a token">}),
        whole_number<"d_out", &Inputs::d_out>(
            {.label = "d_out",
             .low = 1,
             .high = kMaxWidth,
             .legal = said<kWidthRange>,
             .help = said<"the width of queries, keys and values, all heads together">}),
        whole_number<"heads", &Inputs::num_heads>({.label = "heads",
                                                   .low = 1,
                                                   .high = kMaxWidth,
                                                   .legal = said<"a whole number that divides d_out">,
                                                   .help = said<"into how many heads the d_out channels are split">}),
        choice<"mask", kMaskWords, &Inputs::mask>({.label = "mask",
                                                   .legal = said<"causal or none">,
                                                   .help = said<"causal: a token sees itself and what came before">}),
        choice<"mask_at", kMaskAtWords, &Inputs::mask_at>(
            {.label = "masking",
             .legal = said<"before, after or raw">,
             .help = said<"when keys are hidden: before the softmax; after it, rows divided by their sums again; or "
                          "after it and nothing "
                          "more, which is wrong">}),
        choice<"scale", kScaleWords, &Inputs::scale>(
            {.label = "scale",
             .legal = said<"sqrt, none or dim">,
             .help = said<"what scores are divided by: the square root of head_dim, nothing, head_dim">}),
        number<"temperature", &Inputs::temperature>(
            {.label = "temperature",
             .low = kMinTemperature,
             .high = kMaxTemperature,
             .legal = said<"a number from 0.001 to 1000">,
             .help = said<"scores are divided by it too: low sharpens the weights, high evens them out">}),
        number<"dropout", &Inputs::dropout>(
            {.label = "dropout",
             .low = 0,
             .high = kMaxDropout,
             .legal = said<"a number from 0 to 0.999">,
             .help = said<"the share of weights set to 0, as in training; the rest are divided by 1 - p">}),
        seed<"dropout_seed", &Inputs::dropout_seed>(
            {.label = "dropout seed",
             .help = said<"decides which weights are dropped; PyTorch builds differ here between platforms">}),
        choice<"init", kInitWords, &Inputs::init>(
            {.label = "init",
             .legal = said<"torch.rand, torch.linear, torch.randn, identity or none">,
             .help = said<"where the learned matrices come from; none: queries, keys and values are the embeddings">}),
        seed<"seed", &Inputs::seed>({.label = "seed", .help = said<"torch.manual_seed before the matrices are made">}),
        flag<"bias", &Inputs::bias>(
            {.label = "bias", .help = said<"a bias in the query, key and value projections (qkv_bias)">}),
        flag<"out", &Inputs::out>(
            {.label = "output projection", .help = said<"a last projection that mixes the merged heads">}),
        KeyInfo{
            .key = "edit",
            .label = "edits",
            .kind = KeyKind::list,
            .legal = said<"tensor[row,column]=number, up to 20000 numbers; of a model layer.tensor[row,column]=number">,
            .help = said<"a number changed by hand in x, queries, keys, values, w_query, w_key, w_value, "
                         "w_down_query, w_down_kv, w_query_rope, w_key_rope, b_query, "
                         "b_key, b_value, w_out, b_out, q_norm, k_norm, sink_logits or mask">,
            .decides_numbers = true,
            .repeats = true,
            .read = [](State& s, Value v, Notes& n) { read_edit(v, s.inputs.edits, n); },
            .write = [](const State& s) { return write_edits(s.inputs.edits, !s.inputs.model.empty()); }},
        counted_from_one<"sentence", &View::sentence>(
            {.label = "sentence of the batch",
             .low = 1,
             .high = static_cast<double>(kMaxSentences),
             .legal = said<"a whole number from 1 to the number of sentences">,
             .help = said<"which sentence of the batch is shown">}),
        choice<"view", kViewWords, &View::view>(
            {.label = "view",
             .legal = said<"matrix, lines, model, cache, learn, compare, vectors, "
                           "numbers, edit, split, stacked, cost, dots, softmax, lens, journey or patch">,
             .help = said<"how the numbers are shown">}),
        KeyInfo{.key = "stage",
                .label = "stage",
                .kind = KeyKind::choice,
                .choices = stage_names(),
                .legal = said<"the name of a stage">,
                .help = said<"which step is shown">,
                .read = read_stage,
                .write = [](const State& s) { return one(tensor_name(s.view.stage)); }},
        KeyInfo{.key = "head",
                .label = "enlarged head",
                .kind = KeyKind::whole_number,
                .low = 1,
                .high = kMaxWidth,
                .legal = said<"a whole number from 1 to heads">,
                .help = said<"the head that is enlarged; without it all heads are shown">,
                .read = [](State& s, Value v, Notes& n) { read_head(v, s.view.head, n); },
                .write = [](const State& s) { return s.view.head ? one(concat(*s.view.head + 1)) : Texts(); }},
        KeyInfo{.key = "cell",
                .label = "pinned cell",
                .kind = KeyKind::list,
                .legal = said<"head,row,column: heads from 1, rows and columns from 0">,
                .help = said<"the pinned cell of the shown stage">,
                .read = [](State& s, Value v, Notes& n) { read_cell(v, s.view.cell, n); },
                .write = [](const State& s) { return s.view.cell ? one(write_cell(*s.view.cell)) : Texts(); }},
        KeyInfo{.key = "window",
                .label = "enlarged part",
                .kind = KeyKind::list,
                .legal = said<"first row,last row,first column,last column, from 0">,
                .help = said<"view=matrix: the part of the matrix that the picture is zoomed to; without it all of it">,
                .read = [](State& s, Value v, Notes& n) { read_window(v, s.view.window, n); },
                .write = [](const State& s) { return s.view.window ? one(write_window(*s.view.window)) : Texts(); }},
        choice<"combine", kCombineWords, &View::combine>(
            {.label = "heads together",
             .legal = said<"none, mean or max">,
             .help = said<"one picture of all heads: their mean, or the largest number of any">}),
        choice<"row_stat", kRowStatWords, &View::row_stat>(
            {.label = "beside each row",
             .legal = said<"none, sum, entropy or largest">,
             .help =
                 said<"a number beside each row of the weights: its sum, its entropy in bits, its largest weight">}),
        KeyInfo{
            .key = "select",
            .label = "selected tokens",
            .kind = KeyKind::list,
            .legal = said<"tokens separated by commas, from 0">,
            .help = said<"query tokens that are looked at together">,
            .read = [](State& s, Value v, Notes& n) { read_select(v, s.view.select, n); },
            .write = [](const State& s) { return s.view.select.empty() ? Texts() : one(write_select(s.view.select)); }},
        KeyInfo{.key = "plane",
                .label = "plane",
                .kind = KeyKind::list,
                .legal = said<"two channels such as 0,1, or principal">,
                .help = said<"the two channels that view=vectors draws, or the two principal directions">,
                .read = [](State& s, Value v, Notes& n) { read_plane(v, s.view.plane, n); },
                .write = [](const State& s) { return one(write_plane(s.view.plane)); }},
        KeyInfo{.key = "tensor",
                .label = "matrix",
                .kind = KeyKind::choice,
                .choices = edit_names(),
                .legal = said<"x, w_query, ...: see edit">,
                .help = said<"the matrix that view=edit shows">,
                .read = read_tensor,
                .write = [](const State& s) { return one(editable_name(s.view.tensor)); }},
        KeyInfo{.key = "compare",
                .label = "compare with",
                .kind = KeyKind::text,
                .legal = said<"another link, percent-encoded">,
                .help = said<"the other state of view=compare and view=model">,
                .read = [](State& s, Value v, Notes&) { s.view.compare = v; },
                .write = [](const State& s) { return s.view.compare.empty() ? Texts() : one(s.view.compare); }},
        counted_from_one<"phase", &View::phase>(
            {.label = "phase",
             .low = 1,
             .high = kNumPhases,
             .legal = said<"a whole number from 1 to 3">,
             .help = said<"view=split: which of the shapes is shown, before, between or after the two reshapes">}),
        whole_number<"pairs", &View::pairs>({.label = "random pairs",
                                             .low = 10,
                                             .high = kMaxPairs,
                                             .legal = said<"a whole number from 10 to 100000">,
                                             .help = said<"how many random pairs of query and key view=dots draws">}),
        seed<"pairs_seed", &View::pairs_seed>(
            {.label = "seed of the pairs", .help = said<"decides the random pairs of view=dots">}),
        whole_number<"pairs_dim", &View::pairs_dim>({.label = "d",
                                                     .low = 1,
                                                     .high = kMaxPairsDim,
                                                     .legal = said<"a whole number from 1 to 512">,
                                                     .help = said<"numbers in each query and key of view=dots">}),
        KeyInfo{.key = "vector",
                .label = "vector",
                .kind = KeyKind::list,
                .legal = said<"up to 64 numbers separated by commas">,
                .help = said<"the numbers of view=softmax">,
                .read = [](State& s, Value v, Notes& n) { read_vector(v, s.view.vector, n); },
                .write = [](const State& s) { return one(write_vector(s.view.vector)); }},
        number<"gain", &View::gain>({.label = "gain",
                                     .low = kMinGain,
                                     .high = kMaxGain,
                                     .legal = said<"a number from 0.1 to 20">,
                                     .help = said<"what the numbers of view=softmax are multiplied by">}),
        KeyInfo{.key = "check",
                .label = "check me",
                .kind = KeyKind::list,
                .choices = stage_names(),
                .legal = said<"names of stages separated by commas, or all; counts, of view=cache">,
                .help = said<"what is left blank for the visitor to fill in">,
                .read = [](State& s, Value v, Notes& n) { read_check(v, s.view, n); },
                .write =
                    [](const State& s) {
                        const std::string names = write_check(s.view);
                        return names.empty() ? Texts() : one(names);
                    }},
        KeyInfo{.key = "score",
                .label = "score",
                .kind = KeyKind::list,
                .legal = said<"right/asked/hints, such as 7/9/1">,
                .help = said<"how a check went; the answers are in no link">,
                .read = [](State& s, Value v, Notes& n) { read_score(v, s.view.score, n); },
                .write = [](const State& s) { return s.view.score ? one(write_score(*s.view.score)) : Texts(); }},
        KeyInfo{.key = "lesson",
                .label = "lesson",
                .kind = KeyKind::text,
                .legal = said<"no-weights, why-softmax, dictionary, trainable, scaling, dog-bites-man, causal, "
                              "masks, dropout, heads, split, batch, stacked, cost, linear, shares, one-row, "
                              "sentences, twice, cache, groups, turning, fainter, latent, one-step, way-back, "
                              "readings, head-dim, saturated, learned, block, next-word, votes, off, copying, "
                              "layers, stream-sum, depths, patching, circuit, bertviz, byte-pairs or "
                              "own-sentence">,
                .help = said<"the lesson that is on; the link begins as its step, and the other keys are laid over it">,
                .read = [](State& s, Value v, Notes&) { s.view.lesson = v; },
                .write = [](const State& s) { return s.view.lesson.empty() ? Texts() : one(s.view.lesson); }},
        counted_from_one<"step", &View::step>({.label = "step of the lesson",
                                               .low = 1,
                                               .high = 100,
                                               .legal = said<"a whole number, from 1">,
                                               .help = said<"where in the lesson the visitor is">}),
        KeyInfo{
            .key = "hide",
            .label = "left out",
            .kind = KeyKind::list,
            .legal =
                said<"names separated by commas: parts of the screen, stage.weights, control.seed, weights[1,7,4]">,
            .help =
                said<"what is left out of the picture: parts, stages, controls, single numbers for a class to fill in">,
            .read = [](State& s, Value v, Notes&) { read_set(s.view.hide, v); },
            .write = [](const State& s) { return write_set(s.view.hide); }},
        KeyInfo{.key = "lock",
                .label = "locked",
                .kind = KeyKind::list,
                .legal = said<"link keys separated by commas, or all">,
                .help = said<"controls that are shown and cannot be changed">,
                .read = [](State& s, Value v, Notes&) { read_set(s.view.lock, v); },
                .write = [](const State& s) { return write_set(s.view.lock); }},
        choice<"theme", kThemeWords, &View::theme>(
            {.label = "theme", .legal = said<"auto, light or dark">, .help = said<"auto follows the system">}),
        KeyInfo{.key = "lang",
                .label = "language",
                .kind = KeyKind::choice,
                .choices = {"en"},
                .legal = said<"en">,
                .help = said<"the language of the words on the screen">,
                .read = [](State& s, Value v, Notes&) { s.view.lang = v; },
                .write = [](const State& s) { return one(s.view.lang); }},
    };
}

std::vector<KeyInfo> make_whole_table() {
    std::vector<KeyInfo> table = make_table();
    insert_recipe_keys(table);
    insert_variant_keys(table);
    insert_position_keys(table);
    insert_cache_keys(table);
    insert_saying_keys(table);
    insert_model_keys(table);
    return table;
}

}  // namespace

std::span<const KeyInfo> key_table() {
    static const std::vector<KeyInfo> table = make_whole_table();
    return table;
}

const KeyInfo& key_info(std::string_view key) {
    const std::span<const KeyInfo> table = key_table();
    const auto row = std::find_if(table.begin(), table.end(), [&](const KeyInfo& info) { return info.key == key; });
    ATTN_CHECK(row != table.end(), "no link key ", key);
    return *row;
}

void empty_list(Inputs& inputs, std::string_view key) {
    if (key == "text") inputs.texts.clear();
    if (key == "x") inputs.typed.clear();
    if (key == "edit") inputs.edits.clear();
    if (key == "target") inputs.targets.clear();
}

}  // namespace attn
