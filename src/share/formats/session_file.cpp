// Turns a file into a link, so that one reader knows the keys and one function decides what is legal.
#include "share/formats/session_file.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "core/ground/check.h"
#include "core/words/code_points.h"
#include "playground/link/link_text.h"
#include "playground/text/format.h"
#include "playground/text/json_writer.h"

namespace attn {
namespace {

// Values beyond so many are not read: the longest list of a state has kMaxEdits values, and twice as many are looked
// at.
constexpr std::size_t kMaxValues = 3 * kMaxEdits;
constexpr double kLargestExact = 9007199254740991;  // 2^53 - 1: readers of JSON round larger whole numbers

// Where byte `position` (from 1) of the text stands, for people.
std::string place_of(std::string_view text, std::size_t position) {
    const std::string_view before = text.substr(0, std::min(position > 0 ? position - 1 : 0, text.size()));
    const auto line = std::count(before.begin(), before.end(), '\n') + 1;
    const std::size_t line_start = before.rfind('\n') + 1;  // npos + 1 is 0
    return concat("line ", line, ", column ", before.size() - line_start + 1);
}

// Collects the contents of a session file while the parser reads it.
class SessionHandler {
public:
    std::string link;  // of the state
    std::optional<std::string> format;
    std::optional<double> version;
    bool has_state = false;
    NameList ignored;
    std::size_t error_position = 0;
    std::size_t num_values = 0;  // and objects and lists

    bool key(std::string& name) {
        if (depth_ == 1) top_key_ = name;
        if (depth_ == 2 && is_in_state_) state_key_ = name;
        return true;
    }
    bool string(std::string& value) { return take(value, "a text"); }
    bool number_integer(std::int64_t value) { return take_number(static_cast<double>(value), concat(value)); }
    bool number_unsigned(std::uint64_t value) { return take_number(static_cast<double>(value), concat(value)); }
    bool number_float(double value, const std::string& written) { return take_number(value, written); }
    bool boolean(bool value) { return take(value ? "1" : "0", "true or false"); }
    bool null() { return take("", "null"); }
    bool binary(std::vector<std::uint8_t>&) { return true; }  // JSON has none

    bool start_object(std::size_t) {
        if (!open_value()) return false;
        if (++depth_ == 2 && top_key_ == "state") is_in_state_ = has_state = true;
        return true;
    }
    bool end_object() {
        if (--depth_ == 1) is_in_state_ = false;
        return true;
    }
    bool start_array(std::size_t) {
        if (!open_value()) return false;
        if (++depth_ == 3 && is_in_state_) num_in_list_ = 0;
        return true;
    }
    bool end_array() {
        if (--depth_ == 2 && is_in_state_ && num_in_list_ == 0) add("");  // an empty list, which empties the key's
        return true;
    }
    bool parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception&) {
        error_position = position;
        return false;
    }

private:
    // A container begins where a value of the file could stand.
    bool open_value() {
        if (depth_ == 1 && top_key_ != "state") ignored.add(attn::quoted(top_key_));
        if (depth_ == 3 && is_in_state_) ignored.add(attn::quoted(state_key_));
        return ++num_values <= kMaxValues;
    }

    bool take_number(double value, const std::string& written) {
        if (depth_ == 1 && top_key_ == "version") {
            version = value;
            return true;
        }
        return take(written, "a number");
    }

    bool take(const std::string& value, std::string_view) {
        if (depth_ == 1) {
            if (top_key_ == "format") {
                format = value;
            } else {
                ignored.add(attn::quoted(top_key_));
            }
        }
        const bool is_of_state = is_in_state_ && (depth_ == 2 || depth_ == 3);
        if (is_of_state) add(value);
        return ++num_values <= kMaxValues;
    }

    void add(std::string_view value) {
        ++num_in_list_;
        if (link.size() > kMaxLinkBytes) return;  // read_link cuts it there
        link += concat(link.empty() ? "" : "&", encode_form(state_key_), "=", encode_form(value));
    }

    int depth_ = 0;  // of open objects and arrays
    bool is_in_state_ = false;
    std::string top_key_, state_key_;
    std::size_t num_in_list_ = 0;
};

void write_value(JsonWriter& json, const KeyInfo& info, const std::string& value) {
    const bool is_number =
        info.kind == KeyKind::whole_number || info.kind == KeyKind::number || info.kind == KeyKind::flag;
    const std::optional<double> number = is_number ? parse_number(value) : std::nullopt;
    if (!number || std::abs(*number) > kLargestExact) {
        json.text(value);
    } else if (*number == std::floor(*number)) {
        json.integer(static_cast<std::int64_t>(*number));
    } else {
        json.number(*number);
    }
}

}  // namespace

std::string write_session(const PlaygroundState& state) {
    std::string text;
    JsonWriter json(text);
    json.begin_object();
    json.member("format", kSessionFormat);
    json.key("version");
    json.integer(kSessionVersion);
    json.key("state");
    json.begin_object();
    const std::string link = write_link(state);
    std::string_view rest = link;
    std::string open_list;  // the repeating key whose list is open
    while (!rest.empty()) {
        std::string_view pair = take_until(rest, '&');
        const std::string key = decode_form(take_until(pair, '='));
        const std::string value = decode_form(pair);
        if (key == "v") continue;  // the file has a version of its own
        const KeyInfo& info = key_info(key);
        if (!open_list.empty() && open_list != key) {
            json.end_array();
            open_list.clear();
        }
        if (info.repeats && open_list.empty()) {
            json.key(key);
            json.begin_array();
            open_list = key;
        } else if (!info.repeats) {
            json.key(key);
        }
        write_value(json, info, value);
    }
    if (!open_list.empty()) json.end_array();
    json.end_object();
    json.end_object();
    return text + "\n";
}

Result<ReadLink> read_session(std::string_view json) {
    if (json.size() > kMaxSessionBytes) {
        return Result<ReadLink>::failure(
            concat("The session file has more than ", kMaxSessionBytes >> 20U, " MiB, and no state takes so many."));
    }
    SessionHandler file;
    const bool is_whole = nlohmann::json::sax_parse(json.begin(), json.end(), &file);
    if (file.num_values > kMaxValues) {
        return Result<ReadLink>::failure(concat("The session file has more than ",
                                                with_thousands(static_cast<std::int64_t>(kMaxValues)),
                                                " values, and no state takes so many."));
    }
    if (!is_whole) {
        return Result<ReadLink>::failure(
            concat("The file is not valid JSON: it cannot be read from ", place_of(json, file.error_position), " on."));
    }
    if (file.format != kSessionFormat) {
        return Result<ReadLink>::failure(
            file.format
                ? concat("The file says it is ", attn::quoted(*file.format), ", not \"", kSessionFormat, "\".")
                : concat("The file is JSON but not a session: it has no \"format\": \"", kSessionFormat, "\"."));
    }
    if (!file.version || !(*file.version >= 1)) {
        return Result<ReadLink>::failure(
            concat("The session file has no version: \"version\": ", kSessionVersion, " is missing."));
    }
    if (!file.has_state) return Result<ReadLink>::failure("The session file has no \"state\", an object of link keys.");
    ReadLink read = read_link(concat("#", file.link));
    Notes notes;
    if (*file.version > kSessionVersion) {
        notes.push_back(concat("the file was written by a newer program (its version is ", exact_number(*file.version),
                               ", this one knows ", kSessionVersion, "): it is opened as far as it is understood"));
    }
    if (!file.ignored.empty()) notes.push_back(concat("ignored in the file: ", file.ignored.text()));
    append_notes(notes, read.notes);
    read.notes = std::move(notes);
    return read;
}

}  // namespace attn
