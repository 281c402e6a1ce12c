// The same numbers as the picture, in its order.
#include <cmath>
#include <utility>

#include "core/attention/stages.h"
#include "core/ground/check.h"
#include "playground/print/trace_export.h"
#include "playground/text/format.h"
#include "playground/text/json_writer.h"
#include "views/journey/journey_picture.h"
#include "views/lens/lens_parts.h"
#include "views/model/model_picture.h"
#include "views/model/model_text.h"
#include "views/model/vote_column.h"

namespace attn {
namespace {

// visit(layer, sum): layer 0 is how the embedding adds up.
template <typename Visit>
void visit_sums(const JourneyDrawing& drawing, const Visit& visit) {
    ATTN_CHECK(drawing.work.is_done(), "the journey is not computed");
    visit(0, *drawing.work.embedded());
    int number = 0;
    for (const JourneyLayer& layer : drawing.work.layers()) {
        ++number;
        for (const JourneySum& sum : layer.sums) visit(number, sum);
    }
}

TextTable lines_table(std::string title) {
    return {
        .title = std::move(title), .columns = {"line", "made of", "length", "along the sum", "next word"}, .rows = {}};
}

}  // namespace

std::vector<std::string> journey_in_words(const Model& model) {
    std::vector<std::string> words = {
        "One token on its way through the model: its row at each stop, from its embedding to the next word. Layers add "
        "to the residual stream, which is a sum.",
        "A row's length is the root of the sum of its squares. “Along the sum” is how much of a part points where the "
        "sum points: these numbers add up to the sum's length."};
    if (model.config.norms_sums())
        words.emplace_back("This model's norms come after its sums: each sum is normed before it goes on.");
    if (model.config.is_parallel)
        words.emplace_back("This model's MLP does not wait for the attention: both read the stream that comes in.");
    if (!find_lens_problem(model.weights).empty()) words.emplace_back("Its files have no head, so no word is said.");
    return words;
}

std::vector<TextTable> tables_of_way(const JourneyDrawing& drawing) {
    std::vector<TextTable> tables;
    for (std::string& sentence : journey_in_words(drawing.model()))
        tables.push_back({.title = std::move(sentence), .columns = {}, .rows = {}});
    TextTable table = lines_table("");
    const auto finish = [&](std::string title) {
        if (!table.rows.empty()) tables.push_back(std::move(table));
        table = lines_table(std::move(title));
    };
    for (const JourneyLine& line : journey_lines(drawing)) {
        const bool is_layer = line.kind == JourneyLine::Kind::layer;
        if (line.kind == JourneyLine::Kind::heading) {
            finish(line.label);
        } else if (is_layer && line.is_open) {
            finish(concat("Layer ", line.index + 1, ": ", line.words));
        } else {
            if (is_layer && table.title != "Layers") finish("Layers");
            table.rows.push_back({line.label, line.words, line.length, line.along, line.next});
        }
    }
    finish("");
    if (const std::optional<LensDrawing> lens = lens_at_end(drawing)) tables.push_back(lens_words_table(*lens));
    return tables;
}

std::string journey_announcement(const JourneyDrawing& drawing) {
    const JourneyWork& work = drawing.work;
    std::string words =
        concat("Journey of “", drawing.word(), "”, layer ", work.layer() + 1, " of ", drawing.num_layers(), ": ");
    if (!work.has_open_layer()) return words + "being computed.";
    const JourneyLayer& layer = work.layers()[static_cast<std::size_t>(work.layer())];
    words += concat("attention adds ", shown_number(layer.attention().length, 3));
    if (layer.mlp() != nullptr) words += concat(", MLP ", shown_number(layer.mlp()->length, 3));
    words += concat("; the stream is ", shown_number(layer.last().length, 3), " long.");
    const std::string next = next_in_words(drawing, drawing.num_layers());
    return next.empty() || next == "…" ? words : concat(words, " At the end ", next, ".");
}

std::string journey_csv(const JourneyDrawing& drawing) {
    std::string out = "layer,stream,part,head,length,along,most_seen,weight\n";
    visit_sums(drawing, [&](int layer, const JourneySum& sum) {
        const std::string place = concat(layer, ",", tensor_name(sum.result), ",");
        for (const JourneyShare& share : sum.shares) {
            const bool is_head = share.from == JourneyShare::From::head;
            out += concat(place, share_name(share.from), ",", is_head ? concat(share.head) : std::string(), ",",
                          exact_number(share.length), ",", exact_number(share.along), ",",
                          share.most_seen ? concat(*share.most_seen, ",", exact_number(share.weight)) : ",", "\n");
        }
        out += concat(place, "sum,,", exact_number(sum.length), ",", exact_number(sum.length), ",,\n");
    });
    return out;
}

std::string journey_json(const JourneyDrawing& drawing, const Notes& notes) {
    std::string text;
    JsonWriter json(text);
    json.begin_object();
    json.texts("notes", notes);
    json.member("model", kind_name(drawing.model().config.kind));
    json.integer("row", drawing.work.row());
    json.texts("tokens", drawing.words);
    json.key("sums");
    json.begin_array();
    visit_sums(drawing, [&](int layer, const JourneySum& sum) {
        json.begin_object();
        json.integer("layer", layer);
        json.member("stream", tensor_name(sum.result));
        json.flag("is_normed", sum.is_normed);
        json.number("length", sum.length);
        json.key("shares");
        json.begin_array();
        for (const JourneyShare& share : sum.shares) {
            json.begin_object();
            json.member("part", share_name(share.from));
            json.key("head");
            share.from == JourneyShare::From::head ? json.integer(share.head) : json.null();
            json.number("length", share.length);
            json.number("along", share.along);
            json.key("most_seen");
            share.most_seen ? json.integer(*share.most_seen) : json.null();
            json.number("weight", share.weight);
            json.end_object();
        }
        json.end_array();
        json.end_object();
    });
    json.end_array();
    json.key("stops");
    json.begin_array();
    const auto stop = [&](int layer, const JourneyStop& one) {
        if (stage_info(one.stage).columns != Axis::channel) return;
        json.begin_object();
        json.integer("layer", layer);
        json.member("stage", tensor_name(one.stage));
        json.number("length", one.length);
        json.end_object();
    };
    int layer = 0;
    for (const JourneyLayer& one : drawing.work.layers()) {
        ++layer;
        for (const JourneyStop& each : one.stops) stop(layer, each);
    }
    for (const JourneyStop& each : drawing.work.end()) stop(layer, each);
    json.end_array();
    json.key("next");
    json.begin_array();
    if (const LensWork* lens = drawing.work.lens()) {
        for (const LensWord& word : lens->cell(drawing.num_layers(), drawing.work.row())->words) {
            json.begin_object();
            json.integer("id", word.token);
            json.member("word", word_of_token(drawing.tokenizer, word.token));
            json.number("probability", word.probability);
            json.end_object();
        }
    }
    json.end_array();
    json.end_object();
    return text + "\n";
}

}  // namespace attn
