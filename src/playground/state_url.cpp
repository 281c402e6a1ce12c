// See state_url.h. The keys themselves are in key_table.cpp.
#include "playground/state_url.h"

#include <algorithm>
#include <set>
#include <sstream>

#include "core/check.h"
#include "playground/json_writer.h"
#include "playground/link_text.h"

namespace attn {
namespace {

constexpr std::size_t kMostNotes = 12;  // of one link; a visitor reads no more

constexpr std::string_view word_of_kind(KeyKind kind) {
    switch (kind) {
        case KeyKind::text:
            return "text";
        case KeyKind::choice:
            return "choice";
        case KeyKind::whole_number:
            return "whole_number";
        case KeyKind::number:
            return "number";
        case KeyKind::flag:
            return "flag";
        case KeyKind::list:
            return "list";
    }
    return "";
}

// Reads the keys one after the other.
class LinkReader {
public:
    LinkReader() { result.state.inputs.texts.clear(); }  // the first `text` replaces the default sentence

    void read_pair(std::string_view pair) {
        std::string_view rest = pair;
        const std::string key = decode_form(take_until(rest, '='));
        const std::span<const KeyInfo> table = key_table();
        const auto row = std::find_if(table.begin(), table.end(), [&](const KeyInfo& info) { return info.key == key; });
        if (row == table.end()) {
            unknown_keys.add(quoted(key));
            return;
        }
        Notes notes;
        if (!keys_read.insert(row->key).second && !row->repeats) {
            notes.push_back(concat(key, " stands more than once: the last one counts"));
        }
        row->read(result.state, decode_form(rest), notes);
        keep(notes);
    }

    // The state is legal afterwards.
    void finish() {
        PlaygroundState& state = result.state;
        const PlaygroundState defaults = defaults_for(state.inputs);
        if (!keys_read.contains("text")) state.inputs.texts = defaults.inputs.texts;
        if (!keys_read.contains("d_in")) state.inputs.d_in = defaults.inputs.d_in;
        if (!unknown_keys.empty()) {
            keep({concat("ignored in the link, no such key: ", unknown_keys.text())});
        }
        keep(clamp_to_legal(state));
        if (num_more_notes > 0) result.notes.push_back(concat("and ", counted(num_more_notes, "more note")));
    }

    // A link of noise may cause millions of notes.
    void keep(const Notes& notes) {
        for (const std::string& note : notes) {
            if (result.notes.size() < kMostNotes) {
                result.notes.push_back(note);
            } else {
                ++num_more_notes;
            }
        }
    }

    ReadLink result;

private:
    std::set<std::string_view> keys_read;  // of the table
    NameList unknown_keys;
    std::int64_t num_more_notes = 0;
};

void write_key_as_json(const KeyInfo& info, JsonWriter& json) {
    json.begin_object();
    json.member("key", info.key);
    json.member("label", info.label);
    json.member("kind", word_of_kind(info.kind));
    json.key("choices");
    json.begin_row();
    for (const std::string_view choice : info.choices) json.text(choice);
    json.end_row();
    const bool is_number =
        info.kind == KeyKind::whole_number || info.kind == KeyKind::number || info.kind == KeyKind::flag;
    json.key("low");
    is_number ? json.number(info.low) : json.null();
    json.key("high");
    is_number ? json.number(info.high) : json.null();
    json.member("legal", info.legal);
    json.member("help", info.help);
    json.key("default");
    json.begin_row();
    for (const std::string& value : info.write(PlaygroundState())) json.text(value);
    json.end_row();
    json.key("decides_numbers");
    json.boolean(info.decides_numbers);
    json.key("repeats");
    json.boolean(info.repeats);
    json.end_object();
}

}  // namespace

PlaygroundState defaults_for(const Inputs& inputs) {
    PlaygroundState defaults;
    if (inputs.embed != EmbeddingKind::typed) return defaults;
    std::size_t widest = 0;
    for (const TypedRows& rows : inputs.typed) {
        for (const std::vector<float>& row : rows) widest = std::max(widest, row.size());
    }
    if (widest > 0) defaults.inputs.d_in = static_cast<int>(std::min<std::size_t>(widest, kMaxWidth));
    return defaults;
}

ReadLink read_link(std::string_view link) {
    LinkReader reader;
    std::string_view query = query_of(link);
    if (query.size() > kMaxLinkBytes) {
        query = query.substr(0, kMaxLinkBytes);
        reader.keep({concat("the link was cut after ", kMaxLinkBytes >> 20U, " MiB")});
    }
    while (!query.empty()) {
        const std::string_view pair = take_until(query, '&');
        if (!pair.empty()) reader.read_pair(pair);
    }
    reader.finish();
    return std::move(reader.result);
}

std::string write_link(const PlaygroundState& state) {
    const PlaygroundState defaults = defaults_for(state.inputs);
    std::string link;
    for (const KeyInfo& info : key_table()) {
        const std::vector<std::string> values = info.write(state);
        if (info.key != "v" && values == info.write(defaults)) continue;
        for (const std::string& value : values) {
            link += concat(link.empty() ? "" : "&", info.key, "=", encode_form(value));
        }
    }
    return link;
}

std::string keys_as_json() {
    std::ostringstream text;
    JsonWriter json(text);
    json.begin_array();
    for (const KeyInfo& info : key_table()) write_key_as_json(info, json);
    json.end_array();
    return text.str() + "\n";
}

}  // namespace attn
