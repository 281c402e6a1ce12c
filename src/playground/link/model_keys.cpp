#include "playground/link/model_keys.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <iterator>
#include <memory>
#include <optional>
#include <string>

#include "core/ground/check.h"
#include "core/words/code_points.h"
#include "playground/link/key_rows.h"
#include "playground/link/link_text.h"
#include "playground/state/open_models.h"
#include "playground/text/format.h"

namespace attn {
namespace {

constexpr std::size_t kMostOff = 4096;  // heads; more are not read

// What a model decides, as keys; clamp_fixed moves the same fields.
constexpr std::array<std::string_view, 22> kFixed = {
    "tokens",      "embed",   "embed_seed", "x",           "pos",   "d_in",    "d_out", "heads",
    "kv_heads",    "kv_from", "mask",       "mask_window", "scale", "mask_at", "init",  "mask_sinks",
    "temperature", "dropout", "seed",       "bias",        "out",   "goal"};

std::optional<int> read_from_1(std::string_view text, int most) {
    int number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size() || number < 1 || number > most) return std::nullopt;
    return number - 1;
}

// "2:3", or "1:*" for all heads of a layer.
std::optional<HeadOff> read_head_off(std::string_view text) {
    const std::optional<int> layer = read_from_1(take_until(text, ':'), kMaxLayers);
    const std::optional<int> head = text == "*" ? std::optional(kEveryHead) : read_from_1(text, kMaxWidth);
    if (!layer || !head) return std::nullopt;
    return HeadOff{.layer = *layer, .head = *head};
}

void read_off(std::string_view value, std::vector<HeadOff>& off, Notes& notes) {
    NameList unreadable;
    off.clear();
    while (!value.empty() && off.size() < kMostOff) {
        const std::string_view one = take_until(value, ',');
        if (const std::optional<HeadOff> head = read_head_off(one)) {
            off.push_back(*head);
        } else {
            unreadable.add(quoted(one));
        }
    }
    if (!unreadable.empty())
        notes.push_back(concat("off: ", unreadable.text(),
                               " left out; 2:3 is the third head of the second layer, 2:* are all heads of it"));
}

std::string write_head_off(const HeadOff& off) {
    return concat(off.layer + 1, ":", off.head == kEveryHead ? std::string("*") : concat(off.head + 1));
}

std::string write_off(const std::vector<HeadOff>& off) {
    std::string text;
    for (const HeadOff& one : off) text += concat(text.empty() ? "" : ",", write_head_off(one));
    return text;
}

// Sorted, each once; where all heads of a layer are off no single one of it needs to be named.
void put_in_order(std::vector<HeadOff>& off) {
    std::sort(off.begin(), off.end());
    off.erase(std::unique(off.begin(), off.end()), off.end());
    int all_of = -1;  // the layer whose heads are all off: kEveryHead comes before its heads
    std::erase_if(off, [&](const HeadOff& one) {
        if (one.head == kEveryHead) all_of = one.layer;
        return one.head != kEveryHead && one.layer == all_of;
    });
}

void clamp_without_model(Inputs& inputs, Notes& notes) {
    if (inputs.layer != 0) notes.push_back("layer set to 1: without a model there is one layer");
    if (!inputs.off.empty()) notes.push_back("off left out: heads are switched off in a model");
    inputs.layer = 0;
    inputs.off.clear();
}

// Gives a field the model's value. Where somebody had chosen another one, its key is named.
class FixedFields {
public:
    template <class Field>
    void put(std::string_view key, Field& field, const Field& value, const Field& as_default) {
        if (field == value) return;
        if (field != as_default) moved_.add(std::string(key));
        field = value;
    }
    const NameList& moved() const { return moved_; }

private:
    NameList moved_;
};

void clamp_fixed(const OpenModel& model, Inputs& inputs, Notes& notes) {
    const ModelShape& shape = model.shape();
    const Inputs defaults;
    FixedFields fields;
    const auto as_default = [&](std::string_view key, auto Inputs::* field) {
        fields.put(key, inputs.*field, defaults.*field, defaults.*field);
    };
    const auto fix = [&](std::string_view key, auto Inputs::* field, const auto& value) {
        fields.put(key, inputs.*field, value, defaults.*field);
    };
    as_default("tokens", &Inputs::tokens);
    as_default("embed", &Inputs::embed);
    as_default("embed_seed", &Inputs::embed_seed);
    as_default("x", &Inputs::typed);
    fix("pos", &Inputs::positions, Positions::none);
    fix("d_in", &Inputs::d_in, shape.width);
    fix("d_out", &Inputs::d_out, shape.num_heads * shape.head_dim);
    fix("heads", &Inputs::num_heads, shape.num_heads);
    fix("kv_heads", &Inputs::num_kv_heads, shape.num_kv_heads == shape.num_heads ? 0 : shape.num_kv_heads);
    as_default("kv_from", &Inputs::kv_from);
    fix("mask", &Inputs::mask, shape.mask);
    fix("mask_window", &Inputs::mask_window, shape.windows[static_cast<std::size_t>(inputs.layer)]);
    as_default("mask_sinks", &Inputs::mask_sinks);
    as_default("mask_at", &Inputs::mask_at);
    fix("scale", &Inputs::scale, shape.scale);
    as_default("temperature", &Inputs::temperature);
    as_default("dropout", &Inputs::dropout);
    as_default("init", &Inputs::init);
    as_default("seed", &Inputs::seed);
    fix("bias", &Inputs::bias, shape.has_bias);
    fix("out", &Inputs::out, shape.has_out);
    as_default("goal", &Inputs::goal);
    as_default("steps", &Inputs::steps);
    if (!fields.moved().empty())
        notes.push_back(concat(fields.moved().text(), ": the model ", quoted(inputs.model), " decides"));
}

void clamp_layer(const ModelShape& shape, Inputs& inputs, Notes& notes) {
    const int layer = std::clamp(inputs.layer, 0, shape.num_layers - 1);
    if (layer != inputs.layer)
        notes.push_back(concat("layer set to ", layer + 1, ": the model ", quoted(inputs.model), " has ",
                               counted(shape.num_layers, "layer")));
    inputs.layer = layer;
    NameList absent;
    std::erase_if(inputs.off, [&](const HeadOff& off) {
        const bool is_there = off.layer < shape.num_layers && off.head < shape.num_heads;
        if (!is_there) absent.add(write_head_off(off));
        return !is_there;
    });
    if (!absent.empty())
        notes.push_back(concat("off: ", absent.text(), " left out, the model ", quoted(inputs.model), " has ",
                               counted(shape.num_layers, "layer"), " of ", counted(shape.num_heads, "head")));
}

}  // namespace

void insert_model_keys(std::vector<KeyInfo>& table) {
    using namespace key_rows;
    std::vector<KeyInfo> rows = {
        KeyInfo{.key = "model",
                .label = "model",
                .kind = KeyKind::text,
                .legal = said("the name of a model"),
                .help = said("a trained model whose layers are shown; without it matrices are drawn"),
                .decides_numbers = true,
                .read = [](State& s, Value v, Notes&) { s.inputs.model = v; },
                .write = [](const State& s) { return s.inputs.model.empty() ? Texts() : one(s.inputs.model); }},
        counted_from_one<"layer", &Inputs::layer>({.label = "layer",
                                                   .low = 1,
                                                   .high = kMaxLayers,
                                                   .legal = said("a whole number from 1 to the model's layers"),
                                                   .help = said("the layer of the model whose attention is shown")}),
        KeyInfo{.key = "off",
                .label = "heads switched off",
                .kind = KeyKind::list,
                .legal = said("layer:head from 1, separated by commas; 2:* for all heads of a layer"),
                .help = said("heads of the model that hand nothing on"),
                .decides_numbers = true,
                .read = [](State& s, Value v, Notes& n) { read_off(v, s.inputs.off, n); },
                .write = [](const State& s) { return s.inputs.off.empty() ? Texts() : one(write_off(s.inputs.off)); }},
        choice<"off_by", kOffByWords, &Inputs::off_by>(
            {.label = "switched off by",
             .legal = said("zero or mean"),
             .help = said("what such a head hands on instead: nothing, or its mean over the tokens")}),
    };
    const auto place = std::find_if(table.begin(), table.end(), [](const KeyInfo& row) { return row.key == "edit"; });
    table.insert(place, std::make_move_iterator(rows.begin()), std::make_move_iterator(rows.end()));
}

void clamp_model(Inputs& inputs, Notes& notes) {
    if (inputs.model.size() > kMaxModelName || one_line(inputs.model) != inputs.model) {
        notes.push_back(concat("model left out: a model's name is one line of at most ", kMaxModelName, " bytes"));
        inputs.model.clear();
    }
    if (inputs.model.empty()) return clamp_without_model(inputs, notes);
    inputs.layer = std::clamp(inputs.layer, 0, kMaxLayers - 1);
    put_in_order(inputs.off);
    const std::shared_ptr<const OpenModel> model = find_open_model(inputs.model);
    if (!model) return;
    clamp_layer(model->shape(), inputs, notes);
    clamp_fixed(*model, inputs, notes);
}

bool is_fixed_by_model(const Inputs& inputs, std::string_view key) {
    return open_model_of(inputs) && std::find(kFixed.begin(), kFixed.end(), key) != kFixed.end();
}

}  // namespace attn
