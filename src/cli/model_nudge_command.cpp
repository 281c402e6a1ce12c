// Finds the number, moves it, and writes both losses.
#include "cli/model_nudge_command.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "core/ground/check.h"
#include "core/words/code_points.h"
#include "model/learn/model_nudge.h"
#include "playground/text/format.h"
#include "playground/text/json_writer.h"
#include "playground/text/notes.h"

namespace attn {
namespace {

constexpr int kLossDigits = 10;  // the two losses differ in the last five, about

// The number at a place of a tensor, in the file's order; nothing where there is none.
std::optional<std::int64_t> number_at(const std::vector<std::int64_t>& shape, const std::vector<std::int64_t>& place) {
    if (place.size() != shape.size()) return std::nullopt;
    std::int64_t number = 0;
    for (std::size_t k = 0; k < shape.size(); ++k) {
        if (place[k] >= shape[k]) return std::nullopt;
        number = number * shape[k] + place[k];
    }
    return number;
}

std::string place_text(const std::vector<std::int64_t>& place) {
    std::string text;
    for (const std::int64_t one : place) text += concat(text.empty() ? "" : ",", one);
    return text;
}

// The tensors whose names have something in common with what was asked for.
std::string why_no_tensor(const Model& model, const std::string& name) {
    NameList near;
    for (const auto& tensor : model.tensors) {
        const bool is_near = tensor->name().find(name) != std::string::npos;
        if (is_near && near.size() < 8) near.add(quoted(tensor->name()));
    }
    return concat("The model has no tensor ", quoted(name),
                  near.empty() ? concat("; one of its names is ", quoted(model.tensors.front()->name()), ".")
                               : concat("; names with it are ", near.text(), "."));
}

}  // namespace

std::string write_nudge(const ModelFolder& folder, const ModelOptions& options, ModelInput input,
                        std::string& written) {
    const Model& model = folder.model;
    if (options.tensor.empty() || options.place.empty())
        return "Say which number: --tensor with the name of a tensor, and --place, such as 3,17.";
    const auto found =
        std::ranges::find_if(model.tensors, [&](const auto& one) { return one->name() == options.tensor; });
    if (found == model.tensors.end()) return why_no_tensor(model, options.tensor);
    const ModelTensor& tensor = **found;
    const std::optional<std::int64_t> number = number_at(tensor.filed().tensor.shape, options.place);
    if (!number)
        return concat("There is no number ", place_text(options.place), ": ", tensor.name(), " is ",
                      tensor_shape_text(tensor.filed().tensor.shape), ".");
    const std::string problem = find_loss_problem(model, input);
    if (!problem.empty()) return problem;

    float value = 0;
    tensor.copy(*number, {&value, 1});
    const ModelNudge nudge = nudge_model(model, input, tensor, *number);
    const std::optional<double> gradient = gradient_of_number(model, input, tensor, *number);
    if (options.format == ExportFormat::json) {
        JsonWriter json(written);
        json.begin_object();
        json.key("notes");
        json.begin_array();
        for (const std::string& note : options.notes) json.text(note);
        json.end_array();
        json.member("tensor", tensor.name());
        json.key("place");
        json.begin_row();
        for (const std::int64_t one : options.place) json.integer(one);
        json.end_row();
        json.key("number");
        json.number(value);
        for (const auto& [key, one] : {std::pair("epsilon", nudge.epsilon), std::pair("up", nudge.up),
                                       std::pair("down", nudge.down), std::pair("slope", nudge.slope())}) {
            json.key(key);
            json.number(one);
        }
        json.key("gradient");
        gradient ? json.number(*gradient) : json.null();
        json.end_object();
        written += "\n";
        return "";
    }
    for (const std::string& note : options.notes) written += concat("note: ", note, "\n");
    const std::string name = concat(tensor.name(), " [", place_text(options.place), "]");
    const std::string step = exact_number(static_cast<float>(nudge.epsilon));
    written += concat(name, " = ", shown_number(static_cast<double>(value)), "\n");
    written += concat("loss with it + ", step, ": ", shown_number(nudge.up, kLossDigits), "\n");
    written += concat("loss with it − ", step, ": ", shown_number(nudge.down, kLossDigits), "\n");
    written += concat("difference / (2 × ", step, ") = ", shown_number(nudge.slope()), "\n");
    if (gradient) written += concat("gradient, back through all layers = ", shown_number(*gradient), "\n");
    return "";
}

}  // namespace attn
