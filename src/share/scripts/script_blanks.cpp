// What a script must not print: a class is to work it out. See write_blanks in script_parts.h.
#include <vector>

#include "core/ground/check.h"
#include "playground/check/withheld.h"
#include "playground/state/shapes.h"
#include "share/scripts/script_parts.h"

namespace attn {
namespace {

// An index of one axis; slices may lie outside of a shorter sentence.
std::string python_slice(int index) {
    return index < 0 ? std::string("slice(None)") : concat("slice(", index, ", ", index + 1, ")");
}

// The place of a value in the array of its stage: "...", "(slice(0, 1), slice(2, 3), slice(None))".
std::string python_place(const Inputs& inputs, const HiddenValue& value) {
    if (value.is_whole()) return "...";
    int head = value.head;
    if (head >= 0 && has_kv_heads(value.stage) && inputs.num_kv_heads != 0)
        head /= inputs.num_heads / inputs.num_kv_heads;
    const std::string place = concat(python_slice(value.row), ", ", python_slice(value.column));
    return stage_info(value.stage).has_heads ? concat("(", python_slice(head), ", ", place, ")")
                                             : concat("(", place, ")");
}

}  // namespace

void write_blanks(PythonText& python, const PlaygroundState& state, std::string_view library) {
    const std::vector<HiddenValue> values = withheld_values(state);
    if (values.empty()) return;
    python.leave_blanks();
    python.line(
        "# Some numbers are for you to work out. They are computed, but nan is printed in their place, and in that");
    python.line(
        "# of others that would give them away. No line here says whether an answer is right: it would tell it.");
    python.line("blanks = {");
    for (std::size_t n = 0; n < values.size();) {
        const TensorId stage = values[n].stage;
        std::vector<std::string> places;
        for (; n < values.size() && values[n].stage == stage; ++n)
            places.push_back(python_place(state.inputs, values[n]));
        python.line("    \"", tensor_name(stage), "\": ", python_list(places, "    "), ",");
    }
    python.line("}");
    python.line();
    python.line();
    python.line("def without_blanks(name, numbers):");
    python.line("    numbers = numbers.", library == "np." ? "copy" : "clone", "()");
    python.line("    for place in blanks.get(name, []):");
    python.line("        numbers[place] = ", library, "nan");
    python.line("    return numbers");
    python.line();
    python.line();
}

}  // namespace attn
