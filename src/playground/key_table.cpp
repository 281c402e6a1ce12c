// The table of link keys: one row a key, walked by reader, writer, `attn keys` and the page.
#include <algorithm>
#include <cmath>

#include "core/check.h"
#include "playground/format.h"
#include "playground/hiding.h"
#include "playground/link_numbers.h"
#include "playground/link_tensors.h"
#include "playground/link_text.h"
#include "playground/link_view.h"
#include "playground/state_edits.h"
#include "playground/state_url.h"

namespace attn {
namespace {

using State = PlaygroundState;
using Texts = std::vector<std::string>;
using Value = std::string_view;

constexpr double kLargestSeed = 0x1p64 - 2048;  // the largest double below 2^64
constexpr std::string_view kSeedRange = "a whole number from 0 to 18446744073709551615";
static_assert(kMaxWidth == 1024 && kMaxSentences == 16 && kMaxEdits == 20000 && kMinTemperature == 0.001 &&
                  kMaxTemperature == 1000 && kMaxDropout == 0.999,
              "the words of the table name these limits");
constexpr std::string_view kWidthRange = "a whole number from 1 to 1024";

// Words for people, who see them in the settings and from `attn keys`. The engine module shows none, and its table is
// built without (tools/cmake/engine.cmake).
consteval std::string_view said([[maybe_unused]] std::string_view words) {
#ifdef ATTN_KEYS_WITHOUT_WORDS
    return {};
#else
    return words;
#endif
}

Texts one(std::string_view word) {
    return {std::string(word)};
}
Texts number(double value) {
    return {exact_number(value)};
}
Texts whole(std::uint64_t value) {
    return {concat(value)};
}
Texts flag(bool value) {
    return one(value ? "1" : "0");
}

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

// Heads and sentences count from 1 in links, from 0 inside.
void read_from_one(Value value, std::string_view key, int& field, Notes& notes) {
    int counted_from_one = field + 1;
    read_whole(value, key, counted_from_one, notes);
    field = counted_from_one - 1;
}

bool is_number(Value value) {
    const std::optional<double> number = read_double(value);
    return number && !std::isnan(*number);
}

void read_head(State& state, Value value, Notes& notes) {
    if (value.empty()) return state.view.head.reset();
    if (!is_number(value)) {
        notes.push_back(concat("head ", quoted(value), " left out: it is not a number"));
        return;
    }
    int head = 0;
    read_from_one(value, "head", head, notes);
    state.view.head = head;
}

// "head,row,column"
void read_cell(State& state, Value value, Notes& notes) {
    if (value.empty()) return state.view.cell.reset();
    int numbers[3] = {1, 0, 0};
    std::string_view rest = value;
    for (int& number : numbers) {
        const std::string_view text = take_until(rest, ',');
        if (!is_number(text)) {
            notes.push_back(concat("cell ", quoted(value), " left out: it must be head,row,column, three numbers"));
            return;
        }
        read_whole(text, "cell", number, notes);
    }
    state.view.cell = Cell{.head = numbers[0] - 1, .row = numbers[1], .column = numbers[2]};
}

Texts write_cell(const State& state) {
    if (!state.view.cell) return {};
    const Cell& cell = *state.view.cell;
    return {concat(cell.head + 1, ",", cell.row, ",", cell.column)};
}

void read_tensor(State& state, Value value, Notes& notes) {
    if (const std::optional<TensorId> tensor = editable_of_name(value)) {
        state.view.tensor = *tensor;
    } else {
        notes.push_back(concat("tensor stays ", editable_name(state.view.tensor), ": ", quoted(value),
                               " is nothing that can be edited"));
    }
}

std::vector<std::string_view> edit_names() {
    std::vector<std::string_view> names;
    for (const TensorId tensor : editable_tensors()) names.push_back(editable_name(tensor));
    return names;
}

void read_set(std::set<std::string>& names, Value value) {
    names.clear();
    for (std::string& name : read_names(value)) names.insert(std::move(name));
}

Texts write_set(const std::set<std::string>& names) {
    if (names.empty()) return {};
    std::string list;
    for (const std::string& name : names) list += concat(list.empty() ? "" : ",", name);
    return {list};
}

std::vector<std::string_view> stage_names() {
    std::vector<std::string_view> names;
    for (const StageInfo& info : stage_table()) names.push_back(info.name);
    return names;
}

// The fields of a row: key, label, kind, choices, low, high, legal, help, decides_numbers, repeats, read, write.
// clang-format off
std::vector<KeyInfo> make_table() {
    return {
        {"v", "version", KeyKind::whole_number, {}, 1, 1, said("1"), said("the version of the link's form; written first"), false, false,
         read_version, [](const State&) { return one("1"); }},
        {"text", "sentence", KeyKind::text, {}, 0, 0, said("any text, up to 16 times"), said("the sentence; repeated for a batch"), true, true,
         [](State& s, Value v, Notes&) { s.inputs.texts.emplace_back(v); },
         [](const State& s) { return s.inputs.texts; }},
        {"tokens", "tokens", KeyKind::choice, words_in(kTokenWords), 0, 0, said("words or chars"), said("what the sentence is cut into: words and punctuation, or characters"), true, false,
         [](State& s, Value v, Notes& n) { read_choice(kTokenWords, v, "tokens", s.inputs.tokens, n); },
         [](const State& s) { return one(word_of(kTokenWords, s.inputs.tokens)); }},
        {"embed", "embedding", KeyKind::choice, words_in(kEmbeddingWords), 0, 0, said("hash, ngrams, torch or typed"), said("how a token becomes a vector: hash of the word, of its pieces too, nn.Embedding, or numbers you type"), true, false,
         [](State& s, Value v, Notes& n) { read_choice(kEmbeddingWords, v, "embed", s.inputs.embed, n); },
         [](const State& s) { return one(word_of(kEmbeddingWords, s.inputs.embed)); }},
        {"embed_seed", "embedding seed", KeyKind::whole_number, {}, 0, kLargestSeed, said(kSeedRange), said("the seed of the token vectors, as in torch.manual_seed"), true, false,
         [](State& s, Value v, Notes& n) { read_seed(v, "embed_seed", s.inputs.embed_seed, n); },
         [](const State& s) { return whole(s.inputs.embed_seed); }},
        {"x", "typed embeddings", KeyKind::list, {}, 0, 0, said("rows separated by ; and numbers by ,"), said("typed embeddings, one row a token; repeated for a batch"), true, true,
         [](State& s, Value v, Notes& n) { s.inputs.typed.push_back(read_rows(v, n)); },
         [](const State& s) { Texts all; for (const TypedRows& rows : s.inputs.typed) all.push_back(write_rows(rows)); return all; }},
        {"pos", "positions", KeyKind::choice, words_in(kPositionWords), 0, 0, said("none or sin"), said("what is added to tell positions apart: nothing, or sines and cosines"), true, false,
         [](State& s, Value v, Notes& n) { read_choice(kPositionWords, v, "pos", s.inputs.positions, n); },
         [](const State& s) { return one(word_of(kPositionWords, s.inputs.positions)); }},
        {"d_in", "d_in", KeyKind::whole_number, {}, 1, kMaxWidth, said(kWidthRange), said("the width of X: numbers in the vector of a token"), true, false,
         [](State& s, Value v, Notes& n) { read_whole(v, "d_in", s.inputs.d_in, n); },
         [](const State& s) { return whole(static_cast<std::uint64_t>(s.inputs.d_in)); }},
        {"d_out", "d_out", KeyKind::whole_number, {}, 1, kMaxWidth, said(kWidthRange), said("the width of queries, keys and values, all heads together"), true, false,
         [](State& s, Value v, Notes& n) { read_whole(v, "d_out", s.inputs.d_out, n); },
         [](const State& s) { return whole(static_cast<std::uint64_t>(s.inputs.d_out)); }},
        {"heads", "heads", KeyKind::whole_number, {}, 1, kMaxWidth, said("a whole number that divides d_out"), said("into how many heads the d_out channels are split"), true, false,
         [](State& s, Value v, Notes& n) { read_whole(v, "heads", s.inputs.num_heads, n); },
         [](const State& s) { return whole(static_cast<std::uint64_t>(s.inputs.num_heads)); }},
        {"mask", "mask", KeyKind::choice, words_in(kMaskWords), 0, 0, said("causal or none"), said("causal: a token sees itself and what came before"), true, false,
         [](State& s, Value v, Notes& n) { read_choice(kMaskWords, v, "mask", s.inputs.mask, n); },
         [](const State& s) { return one(word_of(kMaskWords, s.inputs.mask)); }},
        {"mask_at", "masking", KeyKind::choice, words_in(kMaskAtWords), 0, 0, said("before, after or raw"), said("before the softmax; after it, rows divided by their sums again; or after it and nothing more, which is wrong"), true, false,
         [](State& s, Value v, Notes& n) { read_choice(kMaskAtWords, v, "mask_at", s.inputs.mask_at, n); },
         [](const State& s) { return one(word_of(kMaskAtWords, s.inputs.mask_at)); }},
        {"scale", "scale", KeyKind::choice, words_in(kScaleWords), 0, 0, said("sqrt, none or dim"), said("what scores are divided by: the square root of head_dim, nothing, head_dim"), true, false,
         [](State& s, Value v, Notes& n) { read_choice(kScaleWords, v, "scale", s.inputs.scale, n); },
         [](const State& s) { return one(word_of(kScaleWords, s.inputs.scale)); }},
        {"temperature", "temperature", KeyKind::number, {}, kMinTemperature, kMaxTemperature, said("a number from 0.001 to 1000"), said("scores are divided by it too: low sharpens the weights, high evens them out"), true, false,
         [](State& s, Value v, Notes& n) { read_number(v, "temperature", s.inputs.temperature, n); },
         [](const State& s) { return number(s.inputs.temperature); }},
        {"dropout", "dropout", KeyKind::number, {}, 0, kMaxDropout, said("a number from 0 to 0.999"), said("the share of weights set to 0, as in training; the rest grow by 1 / (1 - p)"), true, false,
         [](State& s, Value v, Notes& n) { read_number(v, "dropout", s.inputs.dropout, n); },
         [](const State& s) { return number(s.inputs.dropout); }},
        {"dropout_seed", "dropout seed", KeyKind::whole_number, {}, 0, kLargestSeed, said(kSeedRange), said("decides which weights are dropped; PyTorch builds differ here between platforms"), true, false,
         [](State& s, Value v, Notes& n) { read_seed(v, "dropout_seed", s.inputs.dropout_seed, n); },
         [](const State& s) { return whole(s.inputs.dropout_seed); }},
        {"init", "init", KeyKind::choice, words_in(kInitWords), 0, 0, said("torch.rand, torch.linear, torch.randn, identity or none"), said("where the learned matrices come from; none: queries, keys and values are X"), true, false,
         [](State& s, Value v, Notes& n) { read_choice(kInitWords, v, "init", s.inputs.init, n); },
         [](const State& s) { return one(word_of(kInitWords, s.inputs.init)); }},
        {"seed", "seed", KeyKind::whole_number, {}, 0, kLargestSeed, said(kSeedRange), said("torch.manual_seed before the matrices are made"), true, false,
         [](State& s, Value v, Notes& n) { read_seed(v, "seed", s.inputs.seed, n); },
         [](const State& s) { return whole(s.inputs.seed); }},
        {"bias", "bias", KeyKind::flag, {}, 0, 1, said("0 or 1"), said("a bias in the query, key and value projections (qkv_bias)"), true, false,
         [](State& s, Value v, Notes& n) { read_flag(v, "bias", s.inputs.bias, n); },
         [](const State& s) { return flag(s.inputs.bias); }},
        {"out", "output projection", KeyKind::flag, {}, 0, 1, said("0 or 1"), said("a last projection that mixes the merged heads"), true, false,
         [](State& s, Value v, Notes& n) { read_flag(v, "out", s.inputs.out, n); },
         [](const State& s) { return flag(s.inputs.out); }},
        {"edit", "edits", KeyKind::list, {}, 0, 0, said("tensor[row,column]=number, up to 20000 numbers"), said("a number changed by hand in x, queries, keys, values, w_query, w_key, w_value, b_query, b_key, b_value, w_out, b_out or mask"), true, true,
         [](State& s, Value v, Notes& n) { read_edit(v, s.inputs.edits, n); },
         [](const State& s) { return write_edits(s.inputs.edits); }},
        {"sentence", "sentence of the batch", KeyKind::whole_number, {}, 1, static_cast<double>(kMaxSentences), said("a whole number from 1 to the number of sentences"), said("which sentence of the batch is shown"), false, false,
         [](State& s, Value v, Notes& n) { read_from_one(v, "sentence", s.view.sentence, n); },
         [](const State& s) { return one(concat(s.view.sentence + 1)); }},
        {"view", "view", KeyKind::choice, words_in(kViewWords), 0, 0, said("matrix, lines, vectors, numbers, edit, compare, split, stacked, cost, dots or softmax"), said("how the numbers are shown"), false, false,
         [](State& s, Value v, Notes& n) { read_choice(kViewWords, v, "view", s.view.view, n); },
         [](const State& s) { return one(word_of(kViewWords, s.view.view)); }},
        {"stage", "stage", KeyKind::choice, stage_names(), 0, 0, said("the name of a stage"), said("which step is shown"), false, false,
         read_stage, [](const State& s) { return one(tensor_name(s.view.stage)); }},
        {"head", "enlarged head", KeyKind::whole_number, {}, 1, kMaxWidth, said("a whole number from 1 to heads"), said("the head that is enlarged; without it all heads are shown"), false, false,
         read_head, [](const State& s) { return s.view.head ? one(concat(*s.view.head + 1)) : Texts(); }},
        {"cell", "pinned cell", KeyKind::list, {}, 0, 0, said("head,row,column: heads from 1, rows and columns from 0"), said("the pinned cell of the shown stage"), false, false,
         read_cell, write_cell},
        {"window", "enlarged part", KeyKind::list, {}, 0, 0, said("first row,last row,first column,last column, from 0"), said("view=matrix: the part of the matrix that the picture is zoomed to; without it all of it"), false, false,
         [](State& s, Value v, Notes& n) { read_window(v, s.view.window, n); },
         [](const State& s) { return s.view.window ? one(write_window(*s.view.window)) : Texts(); }},
        {"combine", "heads together", KeyKind::choice, words_in(kCombineWords), 0, 0, said("none, mean or max"), said("one picture of all heads: their mean, or the largest number of any"), false, false,
         [](State& s, Value v, Notes& n) { read_choice(kCombineWords, v, "combine", s.view.combine, n); },
         [](const State& s) { return one(word_of(kCombineWords, s.view.combine)); }},
        {"row_stat", "beside each row", KeyKind::choice, words_in(kRowStatWords), 0, 0, said("none, sum, entropy or largest"), said("a number beside each row of the weights: its sum, its entropy in bits, its largest weight"), false, false,
         [](State& s, Value v, Notes& n) { read_choice(kRowStatWords, v, "row_stat", s.view.row_stat, n); },
         [](const State& s) { return one(word_of(kRowStatWords, s.view.row_stat)); }},
        {"select", "selected tokens", KeyKind::list, {}, 0, 0, said("tokens separated by commas, from 0"), said("query tokens that are looked at together"), false, false,
         [](State& s, Value v, Notes& n) { read_select(v, s.view.select, n); },
         [](const State& s) { return s.view.select.empty() ? Texts() : one(write_select(s.view.select)); }},
        {"wish", "wished-for pattern", KeyKind::list, {}, 0, 0, said("query>key separated by commas, tokens from 0"), said("which token should look at which: drawn over the picture"), false, false,
         [](State& s, Value v, Notes& n) { read_wish(v, s.view.wish, n); },
         [](const State& s) { return s.view.wish.empty() ? Texts() : one(write_wish(s.view.wish)); }},
        {"plane", "plane", KeyKind::list, {}, 0, 0, said("two channels such as 0,1, or principal"), said("the two channels that view=vectors draws, or the two principal directions"), false, false,
         [](State& s, Value v, Notes& n) { read_plane(v, s.view.plane, n); },
         [](const State& s) { return one(write_plane(s.view.plane)); }},
        {"tensor", "matrix", KeyKind::choice, edit_names(), 0, 0, said("x, w_query, ...: see edit"), said("the matrix that view=edit shows"), false, false,
         read_tensor, [](const State& s) { return one(editable_name(s.view.tensor)); }},
        {"compare", "compare with", KeyKind::text, {}, 0, 0, said("another link, percent-encoded"), said("the other state of view=compare"), false, false,
         [](State& s, Value v, Notes&) { s.view.compare = v; },
         [](const State& s) { return s.view.compare.empty() ? Texts() : one(s.view.compare); }},
        {"phase", "phase", KeyKind::whole_number, {}, 1, kNumPhases, said("a whole number from 1 to 3"), said("view=split: which of the shapes is shown, before, between or after the two reshapes"), false, false,
         [](State& s, Value v, Notes& n) { read_from_one(v, "phase", s.view.phase, n); },
         [](const State& s) { return one(concat(s.view.phase + 1)); }},
        {"pairs", "random pairs", KeyKind::whole_number, {}, 10, kMaxPairs, said("a whole number from 10 to 100000"), said("how many random pairs of query and key view=dots draws"), false, false,
         [](State& s, Value v, Notes& n) { read_whole(v, "pairs", s.view.pairs, n); },
         [](const State& s) { return one(concat(s.view.pairs)); }},
        {"pairs_seed", "seed of the pairs", KeyKind::whole_number, {}, 0, kLargestSeed, said(kSeedRange), said("decides the random pairs of view=dots"), false, false,
         [](State& s, Value v, Notes& n) { read_seed(v, "pairs_seed", s.view.pairs_seed, n); },
         [](const State& s) { return whole(s.view.pairs_seed); }},
        {"pairs_dim", "d", KeyKind::whole_number, {}, 1, kMaxPairsDim, said("a whole number from 1 to 512"), said("numbers in each query and key of view=dots"), false, false,
         [](State& s, Value v, Notes& n) { read_whole(v, "pairs_dim", s.view.pairs_dim, n); },
         [](const State& s) { return one(concat(s.view.pairs_dim)); }},
        {"vector", "vector", KeyKind::list, {}, 0, 0, said("up to 64 numbers separated by commas"), said("the numbers of view=softmax"), false, false,
         [](State& s, Value v, Notes& n) { read_vector(v, s.view.vector, n); },
         [](const State& s) { return one(write_vector(s.view.vector)); }},
        {"gain", "gain", KeyKind::number, {}, kMinGain, kMaxGain, said("a number from 0.1 to 20"), said("what the numbers of view=softmax are multiplied by"), false, false,
         [](State& s, Value v, Notes& n) { read_number(v, "gain", s.view.gain, n); },
         [](const State& s) { return number(s.view.gain); }},
        {"check", "check me", KeyKind::list, stage_names(), 0, 0, said("names of stages separated by commas, or all"), said("stages whose numbers are left blank for the visitor to fill in"), false, false,
         [](State& s, Value v, Notes& n) { read_check(v, s.view.check, n); },
         [](const State& s) { return s.view.check.empty() ? Texts() : one(write_check(s.view.check)); }},
        {"score", "score", KeyKind::list, {}, 0, 0, said("right/asked/hints, such as 7/9/1"), said("how a check went; the answers are in no link"), false, false,
         [](State& s, Value v, Notes& n) { read_score(v, s.view.score, n); },
         [](const State& s) { return s.view.score ? one(write_score(*s.view.score)) : Texts(); }},
        {"lesson", "lesson", KeyKind::text, {}, 0, 0, said("no-weights, trainable, scaling, causal, dropout, heads, split, batch, stacked, cost or sentences"), said("the lesson that is on; the link begins as its step, and the other keys are laid over it"), false, false,
         [](State& s, Value v, Notes&) { s.view.lesson = v; },
         [](const State& s) { return s.view.lesson.empty() ? Texts() : one(s.view.lesson); }},
        {"step", "step of the lesson", KeyKind::whole_number, {}, 1, 100, said("a whole number, from 1"), said("where in the lesson the visitor is"), false, false,
         [](State& s, Value v, Notes& n) { read_from_one(v, "step", s.view.step, n); },
         [](const State& s) { return one(concat(s.view.step + 1)); }},
        {"hide", "left out", KeyKind::list, {}, 0, 0, said("names separated by commas: parts of the screen, stage.weights, control.seed, weights[1,7,4]"), said("what is left out of the picture: parts, stages, controls, single numbers for a class to fill in"), false, false,
         [](State& s, Value v, Notes&) { read_set(s.view.hide, v); },
         [](const State& s) { return write_set(s.view.hide); }},
        {"lock", "locked", KeyKind::list, {}, 0, 0, said("link keys separated by commas, or all"), said("controls that are shown and cannot be changed"), false, false,
         [](State& s, Value v, Notes&) { read_set(s.view.lock, v); },
         [](const State& s) { return write_set(s.view.lock); }},
        {"theme", "theme", KeyKind::choice, words_in(kThemeWords), 0, 0, said("auto, light or dark"), said("auto follows the system"), false, false,
         [](State& s, Value v, Notes& n) { read_choice(kThemeWords, v, "theme", s.view.theme, n); },
         [](const State& s) { return one(word_of(kThemeWords, s.view.theme)); }},
        {"lang", "language", KeyKind::choice, {"en"}, 0, 0, said("en"), said("the language of the words on the screen"), false, false,
         [](State& s, Value v, Notes&) { s.view.lang = v; },
         [](const State& s) { return one(s.view.lang); }},
    };
}
// clang-format on

}  // namespace

std::span<const KeyInfo> key_table() {
    static const std::vector<KeyInfo> table = make_table();
    return table;
}

const KeyInfo& key_info(std::string_view key) {
    const std::span<const KeyInfo> table = key_table();
    const auto row = std::find_if(table.begin(), table.end(), [&](const KeyInfo& info) { return info.key == key; });
    ATTN_CHECK(row != table.end(), "no link key ", key);
    return *row;
}

}  // namespace attn
