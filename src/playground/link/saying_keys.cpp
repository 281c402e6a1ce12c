// Rows of the key table for view=model and view=lens.
#include "playground/link/saying_keys.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <memory>
#include <utility>

#include "core/ground/check.h"
#include "core/words/code_points.h"
#include "core/words/tokens.h"
#include "playground/link/key_rows.h"
#include "playground/state/open_models.h"
#include "playground/text/format.h"

namespace attn {
namespace {

void read_lens(std::string_view value, std::optional<int>& lens, Notes& notes) {
    if (value.empty()) return lens.reset();
    constexpr int kUnread = std::numeric_limits<int>::min();
    int layer = kUnread;
    Notes told;
    read_whole(value, "lens", layer, told);
    if (layer == kUnread) {
        notes.push_back(concat("lens ", quoted(value), " left out: it is not a number"));
        return;
    }
    append_notes(notes, told);
    lens = layer;
}

}  // namespace

void insert_saying_keys(std::vector<KeyInfo>& table) {
    using namespace key_rows;
    std::vector<KeyInfo> rows = {
        choice<"map", kLayerMapWords, &View::map>(
            {.label = "map",
             .legal = said<"head, mean or rollout">,
             .help = said<"view=model: the weights of one head, the mean over a layer's heads, or attention rollout">}),
        KeyInfo{.key = "lens",
                .label = "layer of the lens",
                .kind = KeyKind::whole_number,
                .low = 0,
                .high = kMaxLayers,
                .legal = said<"a whole number from 0 to the model's layers">,
                .help = said<"view=lens: after which layer the stream is asked, 0: before the first; without it the "
                             "last">,
                .read = [](State& s, Value v, Notes& n) { read_lens(v, s.view.lens, n); },
                .write = [](const State& s) { return s.view.lens ? one(concat(*s.view.lens)) : Texts(); }},
        KeyInfo{.key = "word",
                .label = "word voted for",
                .kind = KeyKind::text,
                .legal = said<"a word of the model">,
                .help = said<"view=model, view=lens and view=patch: whose logit is asked for; without it the most "
                             "probable next word's">,
                .read = [](State& s, Value v, Notes&) { s.view.word = v; },
                .write = [](const State& s) { return s.view.word.empty() ? Texts() : one(s.view.word); }},
        KeyInfo{.key = "against",
                .label = "word against it",
                .kind = KeyKind::text,
                .legal = said<"a word of the model">,
                .help = said<"view=patch: the word whose logit is subtracted; without it the most probable next word "
                             "of the text of compare=">,
                .read = [](State& s, Value v, Notes&) { s.view.against = v; },
                .write = [](const State& s) { return s.view.against.empty() ? Texts() : one(s.view.against); }},
        number<"next_temperature", &View::next_temperature>(
            {.label = "temperature of the draw",
             .low = 0,
             .high = kMaxNextTemperature,
             .legal = said<"a number from 0 to 100">,
             .help = said<"view=model: what logits are divided by before a word is drawn; 0: the most probable word">}),
        whole_number<"top_k", &View::top_k>(
            {.label = "top-k",
             .low = 0,
             .high = kMaxTopK,
             .legal = said<"a whole number from 0 to 1000000">,
             .help = said<"view=model: a word is drawn from so many of the most probable ones; 0: from all">}),
        number<"top_p", &View::top_p>(
            {.label = "top-p",
             .low = kMinTopP,
             .high = 1,
             .legal = said<"a number from 0.001 to 1">,
             .help = said<"view=model: a word is drawn from the most probable ones that together have this much">}),
        seed<"next_seed", &View::next_seed>(
            {.label = "seed of the draws",
             .help = said<"view=model: torch.manual_seed before the first word is drawn">}),
        whole_number<"said", &View::said>(
            {.label = "words said",
             .low = 0,
             .high = kMaxSaid,
             .legal = said<"a whole number from 0 to 2048">,
             .help = said<"view=model: words drawn since the seed; the next one is the draw after them">}),
    };
    const auto place = std::find_if(table.begin(), table.end(), [](const KeyInfo& row) { return row.key == "check"; });
    table.insert(place, std::make_move_iterator(rows.begin()), std::make_move_iterator(rows.end()));
}

namespace {

bool has_defaults(const View& view) {
    return view.next_temperature == 1 && view.top_k == 0 && view.top_p == 1 && view.said == 0 && view.word.empty() &&
           view.against.empty() && !view.lens;
}

void clean_word(std::string_view key, std::string& text, Notes& notes) {
    CleanText word = clean_utf8(text);
    if (word.num_replaced > 0) {
        text = std::move(word.text);
        notes.push_back(concat(key, " has unreadable characters: \xEF\xBF\xBD stands in their place"));
    }
    if (text.size() <= kMaxWordBytes) return;
    notes.push_back(concat(key, " left out: ", quoted(text), " is longer than a word of a model"));
    text.clear();
}

// Apart, because a first visit needs none of it (tools/split.mjs).
[[gnu::noinline]] void move_saying(const Inputs& inputs, View& view, Notes& notes) {
    const auto move = [&](std::string_view key, auto& field, auto legal, const std::string& why) {
        if (field == legal) return;
        field = legal;
        notes.push_back(concat(key, " set to ", exact_number(static_cast<double>(legal)), ": ", why));
    };
    const double temperature = std::isnan(view.next_temperature)
                                   ? View().next_temperature
                                   : std::clamp(view.next_temperature, 0.0, kMaxNextTemperature);
    move("next_temperature", view.next_temperature, temperature, "it goes from 0 to 100");
    if (temperature > 0 && temperature < kMinTemperature)
        move("next_temperature", view.next_temperature, kMinTemperature,
             "0 is the most probable word; else at least that");
    move("top_k", view.top_k, std::clamp(view.top_k, 0, kMaxTopK), "it goes from 0, which is all words, to 1000000");
    const double top_p = std::isnan(view.top_p) ? View().top_p : std::clamp(view.top_p, kMinTopP, 1.0);
    move("top_p", view.top_p, top_p, "it goes from 0.001 to 1, which is all words");
    if (view.lens) {
        const std::shared_ptr<const OpenModel> model = open_model_of(inputs);
        const int most = model ? model->shape().num_layers : kMaxLayers;
        move("lens", *view.lens, std::clamp(*view.lens, 0, most),
             concat("it goes from 0, before the first layer, to ", most, model ? ", after the last" : ""));
    }
    move("said", view.said, std::clamp(view.said, 0, kMaxSaid), "it goes from 0 to 2048");
    clean_word("word", view.word, notes);
    clean_word("against", view.against, notes);
}

}  // namespace

void clamp_saying(const Inputs& inputs, View& view, Notes& notes) {
    if (!has_defaults(view)) move_saying(inputs, view, notes);
}

}  // namespace attn
