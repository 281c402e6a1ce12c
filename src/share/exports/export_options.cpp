// Reads each option, and moves bad values to legal ones.
#include "share/exports/export_options.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

#include "core/attention/stages.h"
#include "core/ground/check.h"
#include "core/words/code_points.h"
#include "playground/link/link_text.h"
#include "playground/text/format.h"

namespace attn {
namespace {

bool is_on(std::string_view value) {
    return value == "1";
}

double legal_scale(std::string_view value, double before, Notes& notes) {
    const std::optional<double> asked = parse_number(value);
    if (!asked) {
        notes.push_back(concat("scale ", quoted(value), " left out: it is not a number"));
        return before;
    }
    const double scale = std::clamp(*asked, kMinFigureScale, kMaxFigureScale);
    if (scale != *asked) notes.push_back(concat("scale set to ", exact_number(scale), ": it goes from 0.5 to 8"));
    return scale;
}

std::optional<int> legal_head(std::string_view value, int num_heads, Notes& notes) {
    const std::optional<double> asked = parse_number(value);
    if (!asked) {
        notes.push_back(concat("head ", quoted(value), " left out: it is not a number"));
        return std::nullopt;
    }
    const int head = static_cast<int>(std::clamp(std::round(*asked), 1.0, static_cast<double>(num_heads)));
    if (head != *asked) notes.push_back(concat("head set to ", head, ": there are ", counted(num_heads, "head")));
    return head - 1;
}

}  // namespace

ExportOptions read_export_options(std::string_view query, const PlaygroundState& state, Notes& notes) {
    ExportOptions options;
    NameList unknown;
    while (!query.empty()) {
        std::string_view rest = take_until(query, '&');
        if (rest.empty()) continue;
        const std::string key = decode_form(take_until(rest, '='));
        const std::string value = decode_form(rest);
        FigureOptions& figure = options.figure;
        if (key == "dark") {
            figure.is_dark = is_on(value);
        } else if (key == "transparent") {
            figure.is_transparent = is_on(value);
        } else if (key == "title") {
            figure.has_title = is_on(value);
        } else if (key == "legend") {
            figure.has_legend = is_on(value);
        } else if (key == "head") {
            figure.head = legal_head(value, state.inputs.num_heads, notes);
        } else if (key == "scale") {
            figure.scale = legal_scale(value, figure.scale, notes);
        } else if (key == "paper") {
            options.is_letter = value == "letter";
        } else if (key == "key") {
            options.is_key = is_on(value);
        } else if (key == "part") {
            options.part = value == "head"     ? ExportPart::head
                           : value == "window" ? ExportPart::window
                                               : ExportPart::all;
        } else if (key == "stage") {
            options.stage = stage_of_name(value);
            if (!options.stage) notes.push_back(concat("stage left out: there is no stage ", quoted(value)));
        } else {
            unknown.add(quoted(key));
        }
    }
    if (!unknown.empty()) notes.push_back(concat("ignored, no such option: ", unknown.text()));
    return options;
}

}  // namespace attn
