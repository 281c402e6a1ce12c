#include "playground/link/model_keys.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <optional>
#include <string>

#include "core/ground/check.h"
#include "core/words/code_points.h"
#include "playground/link/key_rows.h"
#include "playground/link/link_text.h"
#include "playground/link/patch_keys.h"
#include "playground/text/format.h"

namespace attn {
namespace {

using namespace key_rows;

constexpr std::size_t kMostOff = 4096;  // heads; more are not read

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

}  // namespace

std::string write_off(const std::vector<HeadOff>& off) {
    std::string text;
    for (const HeadOff& one : off) text += concat(text.empty() ? "" : ",", write_head_off(one));
    return text;
}

void insert_model_keys(std::vector<KeyInfo>& table) {
    std::vector<KeyInfo> rows = {
        KeyInfo{.key = "model",
                .label = "model",
                .kind = KeyKind::text,
                .legal = said<"the name of a model">,
                .help = said<"a trained model whose layers are shown; without it matrices are drawn">,
                .decides_numbers = true,
                .read = [](State& s, Value v, Notes&) { s.inputs.model = v; },
                .write = [](const State& s) { return s.inputs.model.empty() ? Texts() : one(s.inputs.model); }},
        counted_from_one<"layer", &Inputs::layer>({.label = "layer",
                                                   .low = 1,
                                                   .high = kMaxLayers,
                                                   .legal = said<"a whole number from 1 to the model's layers">,
                                                   .help = said<"the layer of the model whose attention is shown">}),
        KeyInfo{.key = "off",
                .label = "heads switched off",
                .kind = KeyKind::list,
                .legal = said<"layer:head from 1, separated by commas; 2:* for all heads of a layer">,
                .help = said<"heads of the model that hand nothing on">,
                .decides_numbers = true,
                .read = [](State& s, Value v, Notes& n) { read_off(v, s.inputs.off, n); },
                .write = [](const State& s) { return s.inputs.off.empty() ? Texts() : one(write_off(s.inputs.off)); }},
        choice<"off_by", kOffByWords, &Inputs::off_by>(
            {.label = "switched off by",
             .legal = said<"zero or mean">,
             .help = said<"what such a head hands on instead: nothing, or its mean over the tokens">}),
    };
    rows.push_back(patch_key());
    const auto place = std::find_if(table.begin(), table.end(), [](const KeyInfo& row) { return row.key == "edit"; });
    table.insert(place, std::make_move_iterator(rows.begin()), std::make_move_iterator(rows.end()));
}

}  // namespace attn
