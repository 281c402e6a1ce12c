#include "playground/link/patch_keys.h"

#include <algorithm>
#include <charconv>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "core/ground/check.h"
#include "core/words/tokens.h"
#include "playground/link/key_rows.h"
#include "playground/link/link_text.h"
#include "playground/state/open_models.h"
#include "playground/text/format.h"

namespace attn {
namespace {

constexpr std::size_t kMostPatches = 4096;  // more are not read

std::optional<int> counted_from_1(std::string_view text, int most) {
    int number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size() || number < 1 || number > most) return std::nullopt;
    return number - 1;
}

// What stands before the layer, with the dot.
struct PatchWord {
    PatchOf of;
    std::string_view word;
};
constexpr PatchWord kPatchWords[] = {
    {PatchOf::stream, "stream."}, {PatchOf::mlp, "mlp."}, {PatchOf::weights, "weights."}, {PatchOf::head, ""}};

// "stream.2@5": the stream before layer 2 at the fifth token. "2:7@5": what head 7 of layer 2 hands on there.
std::optional<Patch> read_patch(std::string_view text) {
    const auto* word =
        std::ranges::find_if(kPatchWords, [&](const PatchWord& one) { return text.starts_with(one.word); });
    text.remove_prefix(word->word.size());
    std::string_view rest = text;
    std::string_view place = take_until(rest, '@');
    const std::optional<int> row =
        rest == "*" ? std::optional(kEveryToken) : counted_from_1(rest, static_cast<int>(kMaxTokens));
    std::string_view head_text = place;
    const std::optional<int> layer =
        counted_from_1(is_of_head(word->of) ? take_until(head_text, ':') : place, kMaxLayers);
    const std::optional<int> head = is_of_head(word->of) ? counted_from_1(head_text, kMaxWidth) : std::optional(0);
    if (!row || !layer || !head) return std::nullopt;
    return Patch{.of = word->of, .layer = *layer, .head = *head, .row = *row};
}

std::string write_patch(const Patch& patch) {
    const auto* word = std::ranges::find(kPatchWords, patch.of, &PatchWord::of);
    return concat(word->word, patch.layer + 1, is_of_head(patch.of) ? concat(":", patch.head + 1) : std::string(), "@",
                  patch.row == kEveryToken ? std::string("*") : concat(patch.row + 1));
}

// Whether a link can say it.
bool can_be_read(const Patch& patch) {
    return read_patch(write_patch(patch)) == patch;
}

// Why none of them can be; empty where they can.
std::string find_problem_of_patches(const Inputs& inputs, const PlaygroundState* other) {
    if (inputs.model.empty()) return "patch left out: numbers are patched in a model";
    if (other == nullptr)
        return "patch left out: the text that it comes from is that of compare=, which this link does not have";
    if (other->inputs.model != inputs.model)
        return "patch left out: the text that it comes from (compare=) is read by another model, or by none";
    return "";
}

void leave_out_absent(const OpenModel& model, const PlaygroundState& state, const OtherText& other,
                      std::vector<Patch>& patches, Notes& notes) {
    const auto num_tokens = [&](std::string_view of) { return static_cast<int>(model.tokenize(of).tokens.size()); };
    const int here = num_tokens(shown_sentence(state)), there = num_tokens(other.text);
    const ModelShape& shape = model.shape();
    NameList absent;
    std::erase_if(patches, [&](const Patch& patch) {
        const bool has_other_keys = patch.of == PatchOf::weights && shape.mask != Mask::causal && here != there;
        const bool is_there = patch.layer < shape.num_layers && patch.head < shape.num_heads &&
                              patch.row < std::min(here, there) && here > 0 && there > 0 && !has_other_keys &&
                              (patch.of != PatchOf::mlp || shape.has_mlp);
        if (!is_there) absent.add(write_patch(patch));
        return !is_there;
    });
    if (!absent.empty())
        notes.push_back(concat("patch: ", absent.text(), " left out; the model ", quoted(state.inputs.model), " has ",
                               counted(shape.num_layers, "layer"), " of ", counted(shape.num_heads, "head"),
                               shape.has_mlp ? "" : " and no MLP", ", the two texts have ", here, " and ",
                               counted(there, "token")));
}

}  // namespace

void read_patches(std::string_view value, std::vector<Patch>& patches, Notes& notes) {
    NameList unreadable;
    patches.clear();
    while (!value.empty() && patches.size() < kMostPatches) {
        const std::string_view one = take_until(value, ',');
        if (const std::optional<Patch> patch = read_patch(one)) {
            patches.push_back(*patch);
        } else {
            unreadable.add(quoted(one));
        }
    }
    if (!unreadable.empty())
        notes.push_back(
            concat("patch: ", unreadable.text(),
                   " left out; stream.2@5 is the stream before the second layer at the fifth token, mlp.2@5 "
                   "what its MLP adds, 2:7@5 what its seventh head hands on, weights.2:7@5 where that head "
                   "looks; @* is every token"));
}

std::string write_patches(const std::vector<Patch>& patches) {
    std::string text;
    for (const Patch& one : patches) text += concat(text.empty() ? "" : ",", write_patch(one));
    return text;
}

KeyInfo patch_key() {
    using namespace key_rows;
    return KeyInfo{
        .key = "patch",
        .label = "patches",
        .kind = KeyKind::list,
        .legal = said<"stream.layer@token, mlp.layer@token, layer:head@token or weights.layer:head@token from 1, "
                      "separated by commas; @* for every token">,
        .help = said<"numbers of the model that are taken over from the text of compare=">,
        .decides_numbers = true,
        .read = [](State& s, Value v, Notes& n) { read_patches(v, s.inputs.patches, n); },
        .write =
            [](const State& s) { return s.inputs.patches.empty() ? Texts() : one(write_patches(s.inputs.patches)); }};
}

bool has_patches(const Inputs& inputs) {
    return !inputs.patches.empty();
}

void leave_patches(Inputs& inputs) {
    inputs.patches.clear();
    inputs.patched_from.reset();
}

void clamp_patches(PlaygroundState& state, const PlaygroundState* other, Notes& notes) {
    Inputs& inputs = state.inputs;
    inputs.patched_from.reset();
    if (const std::string problem = find_problem_of_patches(inputs, other); !problem.empty()) {
        notes.push_back(problem);
        return inputs.patches.clear();
    }
    std::erase_if(inputs.patches, [](const Patch& patch) { return !can_be_read(patch); });
    std::sort(inputs.patches.begin(), inputs.patches.end());
    inputs.patches.erase(std::unique(inputs.patches.begin(), inputs.patches.end()), inputs.patches.end());
    OtherText from = {.text = shown_sentence(*other),
                      .off = other->inputs.off,
                      .off_by = other->inputs.off_by,
                      .edits = other->inputs.edits,
                      .sentence = other->view.sentence};
    if (const auto model = find_open_model(inputs.model)) leave_out_absent(*model, state, from, inputs.patches, notes);
    if (!inputs.patches.empty()) inputs.patched_from = std::move(from);
}

}  // namespace attn
