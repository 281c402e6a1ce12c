// The engine without a picture as C functions that turn links into JSON and files. The page's JavaScript calls them
// (web/page_engine.js), also where there is no canvas to draw on. Each text that is returned lives until the next call
// of any of these functions.
#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "core/ground/check.h"
#include "core/words/code_points.h"
#include "embedded/fonts.h"
#include "link_export.h"
#include "platform/platform.h"
#include "playground/find/find.h"
#include "playground/link/hiding.h"
#include "playground/link/state_url.h"
#include "playground/numbers/computation.h"
#include "playground/numbers/digest.h"
#include "playground/numbers/memory_needs.h"
#include "playground/print/trace_export.h"
#include "playground/text/json_writer.h"
#include "playground/visit/this_visit.h"
#include "scene/kit/colormap.h"
#include "share/exports/data_files.h"
#include "share/exports/export_options.h"
#include "share/exports/exports.h"
#include "share/opening/file_memory.h"
#include "share/opening/open_file.h"
#include "views/words/acts.h"
#include "views/words/check_acts.h"
#include "views/words/mirror.h"

namespace attn {
namespace {

const char* keep(std::string text) {
    static std::string kept;
    kept = std::move(text);
    return kept.c_str();
}

ExportFormat format_of(std::string_view name) {
    return name == "csv" ? ExportFormat::csv : name == "text" ? ExportFormat::text : ExportFormat::json;
}

// An unknown or absent name counts as the stage the link shows.
TensorId stage_of(const PlaygroundState& state, std::string_view name) {
    const std::optional<TensorId> stage = stage_of_name(name);
    return stage && is_present(state.inputs, *stage) ? *stage : state.view.stage;
}

// Apart: a first visit needs only what the program writes itself.
[[gnu::noinline]] const EmbeddedFile& more_of_font(int font) {
    return font == 0 ? kSansRegularMore : font == 1 ? kSansSemiBoldMore : kMonoRegularMore;
}

const EmbeddedFile& font_of(int font) {
    if (font > 2) return more_of_font(font - 3);
    return font == 0 ? kSansRegular : font == 1 ? kSansSemiBold : kMonoRegular;
}

std::string_view scope_name(ExportScope scope) {
    return scope == ExportScope::view ? "view" : scope == ExportScope::stage ? "stage" : "state";
}

// JSON as `write` writes it.
template <class Write>
std::string json_of(const Write& write) {
    std::string text;
    JsonWriter json(text);
    write(json);
    return text;
}

std::string error_as_json(const std::string& sentence) {
    return json_of([&](JsonWriter& json) {
        json.begin_object();
        json.member("error", sentence);
        json.end_object();
    });
}

std::string readiness_as_json(bool is_ready) {
    return json_of([&](JsonWriter& json) {
        json.begin_object();
        json.flag("is_ready", is_ready);
        json.end_object();
    });
}

void write_notes(JsonWriter& json, const Notes& notes) {
    json.key("notes");
    json.begin_array();
    for (const std::string& note : notes) json.text(note);
    json.end_array();
}

void write_export_table(JsonWriter& json) {
    json.begin_array();
    for (const ExportInfo& info : export_table()) {
        json.begin_object();
        json.member("name", info.name);
        json.member("label", info.label);
        json.member("about", info.about);
        json.member("scope", scope_name(info.scope));
        json.member("extension", info.extension);
        json.member("media_type", info.media_type);
        json.flag("is_text", info.is_text);
        json.end_object();
    }
    json.end_array();
}

void write_file(JsonWriter& json, const ExportedFile& file, std::size_t size) {
    json.begin_object();
    json.member("name", file.name);
    json.member("media_type", file.media_type);
    json.key("size");
    json.integer(static_cast<std::int64_t>(size));
    write_notes(json, file.notes);
    json.end_object();
}

// What write_offer takes: each link, and all of them in a text that grows.
std::int64_t bytes_of_links(const FileOffer& offer) {
    std::int64_t bytes = 0;
    for (const FileChoice& choice : offer.choices) bytes += bytes_of(choice.state);
    return 4 * bytes;
}

void write_offer(JsonWriter& json, const FileOffer& offer) {
    json.begin_object();
    json.member("question", offer.question);
    json.flag("is_certain", offer.is_certain);
    json.key("choices");
    json.begin_array();
    for (const FileChoice& choice : offer.choices) {
        json.begin_object();
        json.member("label", choice.label);
        json.member("link", write_link(choice.state));
        write_notes(json, choice.notes);
        json.end_object();
    }
    json.end_array();
    json.end_object();
}

// The bytes of the file that was exported last, until engine_export is called again.
std::string& exported_bytes() {
    static std::string bytes;
    return bytes;
}

// The one that is being made.
std::unique_ptr<LinkExport>& exporting() {
    static std::unique_ptr<LinkExport> one;
    return one;
}

std::string export_link(std::string_view link, std::string_view kind, std::string_view options, double seconds) {
    exported_bytes().clear();
    if (!exporting() || !exporting()->is_of(link, kind, options)) {
        exporting().reset();  // its memory first
        exporting() = std::make_unique<LinkExport>(link, kind, options);
        const std::string refusal = exporting()->begin();
        if (!refusal.empty()) {
            exporting().reset();
            return error_as_json(refusal);
        }
    }
    if (!exporting()->advance(seconds)) return readiness_as_json(false);
    Result<ExportedFile> file = exporting()->take_file();
    exporting().reset();
    if (!file) return error_as_json(file.error());
    exported_bytes() = std::move(file->bytes);
    return json_of([&](JsonWriter& json) { write_file(json, *file, exported_bytes().size()); });
}

// The numbers of engine_prepare.
Computation& prepared() {
    static Computation computation;
    return computation;
}

std::string prepare(const PlaygroundState& state) {
    constexpr double kSlice = 0.010;
    Computation& computation = prepared();
    if (computation.evaluator().state() != state && !has_room_for(state)) return error_as_json(no_room_note(state));
    computation.begin(state);
    computation.work(kSlice, Platform::seconds);
    return readiness_as_json(computation.is_complete());
}

// The numbers of a state: what engine_prepare has left to do. Where its model waits for bytes, what is there.
const Evaluator& evaluator_of(const PlaygroundState& state) {
    Computation& computation = prepared();
    computation.begin(state);
    do computation.work(1, Platform::seconds);
    while (!computation.is_complete() && !waits_for_model(state.inputs));
    return computation.evaluator();
}

// The visit that the picture and the text version share, at this link: a step of it where it was elsewhere.
Session& visit_at(std::string_view link, const ReadLink& read) {
    Session& visit = this_visit();
    visit.look_at_models();
    if (visit.state() != read.state) visit.open_link(link);
    visit.settle(Platform::seconds());
    return visit;
}

std::string act(std::string_view link, std::string_view name, std::string_view typed) {
    static NextWordWork work;
    const ReadLink read = read_link(link);
    Session& visit = visit_at(link, read);
    const ActOutcome outcome = do_act(visit, evaluator_of(read.state), work, name, typed, Platform::seconds());
    return json_of([&](JsonWriter& json) {
        json.begin_object();
        json.flag("is_done", outcome.is_done);
        json.member("link", write_link(visit.state()));
        json.member("said", outcome.said);
        json.end_object();
    });
}

std::string hideable_as_json() {
    return json_of([](JsonWriter& json) {
        json.begin_object();
        json.key("parts");
        json.begin_row();
        for (const std::string_view part : hideable_parts()) json.text(part);
        json.end_row();
        json.key("stages");
        json.begin_array();
        for (const StageInfo& info : stage_table()) {
            json.begin_object();
            json.member("name", info.name);
            json.member("title", info.title);
            json.flag("has_heads", info.has_heads);
            json.end_object();
        }
        json.end_array();
        json.key("controls");
        json.begin_row();
        for (const std::string_view key : lockable_keys()) json.text(key);
        json.end_row();
        json.end_object();
    });
}

}  // namespace
}  // namespace attn

extern "C" {

// export_trace of a link. `stage` empty: all; `format` json, csv or text. {"error": a sentence} for a stage that is not
// there, and for more numbers than a page can hold (kMaxFileNumbers).
const char* engine_trace(const char* link, const char* stage, const char* format) {
    const attn::ReadLink read = attn::read_link(link);
    const std::string_view name = stage;
    const std::optional<attn::TensorId> chosen = attn::stage_of_name(name);
    if (!name.empty() && (!chosen || !attn::is_present(read.state.inputs, *chosen))) {
        return attn::keep(attn::error_as_json(attn::concat("These numbers have no stage ", attn::quoted(name), ".")));
    }
    const std::string obstacle = attn::trace_obstacle(read.state.inputs, chosen);
    if (!obstacle.empty()) return attn::keep(attn::error_as_json(obstacle));
    if (!attn::has_room_for(read.state)) return attn::keep(attn::error_as_json(attn::no_room_text(read.state)));
    return attn::keep(attn::export_trace(read.state, read.notes, chosen, attn::format_of(format)));
}

// The digest of a link's numbers: 16 hexadecimal digits. Or the sentence that says why there is no room for them.
const char* engine_digest(const char* link) {
    const attn::ReadLink read = attn::read_link(link);
    if (!attn::has_room_for(read.state)) return attn::keep(attn::no_room_text(read.state));
    return attn::keep(attn::digest_text(attn::digest_of(read.state.inputs)));
}

// export_explanation of a cell of the link's shown sentence; head counts from 1. A stage, head or cell that is not
// there is moved to the nearest that is. Empty text for an empty sentence.
const char* engine_explain(const char* link, const char* stage, int head, int row, int column, const char* format) {
    const attn::ReadLink read = attn::read_link(link);
    const attn::PlaygroundState& state = read.state;
    if (!attn::has_room_for(state)) return attn::keep(attn::error_as_json(attn::no_room_text(state)));
    const attn::Evaluation evaluation = attn::evaluate(state.inputs, state.view.sentence);
    if (evaluation.is_empty()) return attn::keep("");
    const attn::TensorId chosen = attn::stage_of(state, stage);
    const attn::Extent extent = attn::extent_of(evaluation.sizes, chosen);
    const int num_heads = attn::stage_info(chosen).has_heads ? evaluation.sizes.num_heads : 1;
    const attn::Explanation explanation = attn::explain(
        *evaluation.problem, evaluation.trace, evaluation.parts, chosen, std::clamp(head, 1, num_heads) - 1,
        std::clamp(row, 0, extent.rows - 1), std::clamp(column, 0, extent.columns - 1));
    return attn::keep(attn::export_explanation(evaluation, explanation, read.notes, attn::format_of(format)));
}

// keys_as_json.
const char* engine_keys() {
    return attn::keep(attn::keys_as_json());
}

// What `hide` and `lock` understand: {"parts": [name, ...], "stages": [{"name", "title", "has_heads"}, ...],
// "controls": [link key, ...]}.
const char* engine_hideable() {
    return attn::keep(attn::hideable_as_json());
}

// found_as_json: what `query` finds in the state of a link.
const char* engine_find(const char* link, const char* query) {
    return attn::keep(attn::found_as_json(query, attn::read_link(link).state));
}

// Works on the numbers of a link for about 10 ms, longer texts take several calls with the same link: {"is_ready":
// whether they are there}, then engine_mirror is quick; or {"error": a sentence}, where there is no memory for them.
const char* engine_prepare(const char* link) {
    return attn::keep(attn::prepare(attn::read_link(link).state));
}

// mirror_as_json of a link, and mirror_head_as_json.
const char* engine_mirror(const char* link) {
    const attn::ReadLink read = attn::read_link(link);
    return attn::keep(attn::mirror_as_json(read, attn::evaluator_of(read.state)));
}

// The text version's visit goes to this link: mirror_as_json with undo, the check and what was answered.
const char* engine_visit(const char* link) {
    const attn::ReadLink read = attn::read_link(link);
    attn::Session& visit = attn::visit_at(link, read);
    const attn::Evaluator& evaluator = attn::evaluator_of(read.state);
    attn::keep_checks(visit, evaluator);
    return attn::keep(attn::mirror_as_json(read, evaluator, &visit));
}

// do_act on the visit at this link, in pieces: {"is_done": false}, call again; else {"is_done", "link", "said"}.
const char* engine_act(const char* link, const char* name, const char* typed) {
    return attn::keep(attn::act(link, name, typed));
}

const char* engine_mirror_head(const char* link, int head) {
    const attn::ReadLink read = attn::read_link(link);
    return attn::keep(attn::mirror_head_as_json(read, attn::evaluator_of(read.state), head));
}

// Gives back the memory of the numbers that engine_prepare and engine_mirror computed.
void engine_forget() {
    attn::prepared().give_up_memory();
}

// The link with every value moved to the nearest legal one.
const char* engine_legal_link(const char* link) {
    return attn::keep(attn::write_link(attn::read_link(link).state));
}

// map_color as 0xRRGGBB.
int engine_map_color(int is_diverging, int is_dark, double t) {
    const attn::ColorMap map = is_diverging != 0 ? attn::ColorMap::diverging : attn::ColorMap::sequential;
    const attn::Rgb color = attn::map_color(map, is_dark != 0, static_cast<float>(t));
    const auto byte = [](float part) { return static_cast<int>(std::lround(part * 255)); };
    return byte(color.r) << 16 | byte(color.g) << 8 | byte(color.b);
}

// The bytes of a built-in font and how many they are. 0 regular, 1 semibold, 2 mono: what the program writes itself;
// 3 to 5: the other characters of the same.
const unsigned char* engine_font_data(int font) {
    return attn::font_of(font).data;
}
int engine_font_size(int font) {
    return static_cast<int>(attn::font_of(font).size);
}

// export_table: [{"name", "label", "about", "scope": "view" | "stage" | "state", "extension", "media_type",
// "is_text"}].
const char* engine_exports() {
    return attn::keep(attn::json_of(attn::write_export_table));
}

// A file of that table made from a link, `options` as read_export_options reads them: {"name", "media_type", "size",
// "notes"}, or {"error": a sentence}. Works for about so many seconds: {"is_ready": false} where there is more to do,
// and the same call goes on. One file at a time: another call begins another one.
const char* engine_export(const char* link, const char* kind, const char* options, double seconds) {
    return attn::keep(attn::export_link(link, kind, options, seconds));
}

// The bytes of the file that engine_export told about, until it is called again.
const char* engine_export_bytes() {
    return attn::exported_bytes().data();
}

// open_file of `size` bytes on top of a link: {"question", "is_certain", "choices": [{"label", "link", "notes"}]}, or
// {"error": a sentence}. `link` of a choice is the whole state afterwards.
const char* engine_open(const char* link, const char* name, const char* bytes, int size) {
    const attn::NamedFile file = {.name = name, .bytes = {bytes, static_cast<std::size_t>(size)}};
    const attn::Result<attn::FileOffer> offer = attn::open_file(file, attn::read_link(link).state);
    if (!offer) return attn::keep(attn::error_as_json(offer.error()));
    const std::string no_room = attn::why_no_room(attn::bytes_of_links(*offer));
    if (!no_room.empty()) return attn::keep(attn::error_as_json(no_room));
    return attn::keep(attn::json_of([&](attn::JsonWriter& json) { attn::write_offer(json, *offer); }));
}

}  // extern "C"
