// The arrays of an archive, all at once: each goes where its name says.
#include <algorithm>
#include <cstdint>
#include <optional>

#include "core/ground/check.h"
#include "core/words/code_points.h"
#include "playground/state/shapes.h"
#include "playground/state/state_edits.h"
#include "playground/text/notes.h"
#include "share/opening/array_block.h"
#include "share/opening/import_tensor.h"
#include "share/opening/place_tensors.h"
#include "share/opening/tensor_names.h"

namespace attn {
namespace {

// The arrays of an archive: where they go, and which have no place here.
struct ArchiveParts {
    std::vector<Placement> placements;
    NameList used, other_sentences, wrong_length;
    bool has_all_rows = true;                                                // X has one row for each token
    std::vector<MaskReading> readings = {{.ones_hide = true, .words = ""}};  // of its masks

    bool has(TensorId tensor) const {
        return std::ranges::any_of(placements, [&](const Placement& one) { return one.tensor == tensor; });
    }
    bool has(const Placement& wanted) const {
        return std::any_of(placements.begin(), placements.end(), [&](const Placement& one) {
            return one.tensor == wanted.tensor && one.sentence == wanted.sentence;
        });
    }
};

Result<ArchiveParts> sort_arrays(std::string_view file_name, const std::vector<NamedArray>& arrays,
                                 const PlaygroundState& state) {
    using Parts = Result<ArchiveParts>;
    ArchiveParts parts;
    for (const NamedArray& named : arrays) {
        const std::optional<ArrayRole> role = role_of_name(named.name);
        ATTN_CHECK(role.has_value(), "no use for ", named.name);
        const int sentence = role->sentence >= 0 ? role->sentence : state.view.sentence;
        if (sentence >= static_cast<int>(state.inputs.texts.size())) {
            parts.other_sentences.add(quoted(named.name));
            continue;
        }
        Result<NumberBlock> block = block_of(named.name, named.array);
        if (!block) return Parts::failure(block.error());
        const bool is_by_token = is_of_sentence(role->tensor);
        Placement placement = {.tensor = role->tensor,
                               .sentence = is_by_token ? sentence : 0,
                               .block = role->is_turned ? turned(*block) : std::move(*block)};
        if (parts.has(placement))
            return Parts::failure(concat(quoted(file_name), " has ", placed_name(placement.tensor), " twice, once as ",
                                         quoted(named.name), "."));
        const int num_tokens = count_tokens(state.inputs, static_cast<std::size_t>(sentence));
        const bool has_length = static_cast<int>(placement.block.size()) == num_tokens;
        if (is_by_token && placement.tensor != TensorId::embeddings && !has_length) {
            parts.wrong_length.add(quoted(named.name));
            continue;
        }
        if (role->tensor == TensorId::mask && is_mask(placement.block)) {
            std::vector<MaskReading> readings = mask_readings(placement.block, named.array.is_boolean);
            if (readings.size() > 1) parts.readings = std::move(readings);
        }
        parts.has_all_rows = parts.has_all_rows && (!is_by_token || has_length);
        parts.used.add(concat(placed_name(placement.tensor), " ", shape_of(placement.block)));
        parts.placements.push_back(std::move(placement));
    }
    return parts;
}

std::vector<Placement> with_masks(std::vector<Placement> placements, const MaskReading& reading) {
    for (Placement& one : placements) {
        if (one.tensor == TensorId::mask && is_mask(one.block)) one.block = hidden_by(std::move(one.block), reading);
    }
    return placements;
}

// What a module does not have is not drawn at random beside its numbers: a bias that is missing is 0, and an output
// projection that is missing is told.
Notes complete_module(ArchiveParts& parts, PlaygroundState& state) {
    constexpr std::pair<TensorId, TensorId> kBiases[] = {{TensorId::w_query, TensorId::b_query},
                                                         {TensorId::w_key, TensorId::b_key},
                                                         {TensorId::w_value, TensorId::b_value},
                                                         {TensorId::w_out, TensorId::b_out}};
    Notes notes;
    const bool has_some_bias =
        parts.has(TensorId::b_query) || parts.has(TensorId::b_key) || parts.has(TensorId::b_value);
    const bool has_matrices =
        parts.has(TensorId::w_query) && parts.has(TensorId::w_key) && parts.has(TensorId::w_value);
    if (state.inputs.bias && has_matrices && !has_some_bias) {
        state.inputs.bias = false;
        notes.emplace_back("biases of queries, keys and values switched off: the file has none");
    }
    NameList zeros;
    for (const auto& [matrix, bias] : kBiases) {
        const bool is_meant = bias == TensorId::b_out || (has_some_bias && has_matrices);
        if (!is_meant || !parts.has(matrix) || parts.has(bias)) continue;
        const auto of_matrix = std::ranges::find(parts.placements, matrix, &Placement::tensor);
        parts.placements.push_back(
            {.tensor = bias, .sentence = 0, .block = {std::vector<float>(of_matrix->block.front().size(), 0.0F)}});
        zeros.add(placed_name(bias));
    }
    if (!zeros.empty()) notes.push_back(concat("set to 0, because the file has no such bias: ", zeros.text()));
    if (state.inputs.out && has_matrices && !parts.has(TensorId::w_out))
        notes.emplace_back("the output projection stays as it is: the file has none");
    return notes;
}

Notes notes_of_left_out(const ArchiveParts& parts, std::int64_t num_sentences) {
    Notes notes;
    if (!parts.other_sentences.empty())
        notes.push_back(
            concat("left out, there are ", counted(num_sentences, "sentence"), ": ", parts.other_sentences.text()));
    if (!parts.wrong_length.empty())
        notes.push_back(concat("left out, the sentence has another length: ", parts.wrong_length.text()));
    return notes;
}

}  // namespace

Result<FileOffer> offer_arrays(std::string_view file_name, const std::vector<NamedArray>& arrays,
                               const PlaygroundState& state, const Notes& notes) {
    using Offer = Result<FileOffer>;
    Result<ArchiveParts> read = sort_arrays(file_name, arrays, state);
    if (!read) return Offer::failure(read.error());
    ArchiveParts& parts = *read;
    if (parts.placements.empty()) {
        return Offer::failure(
            concat(quoted(file_name), " belongs to another sentence: ",
                   (parts.other_sentences.empty() ? parts.wrong_length : parts.other_sentences).text(),
                   " cannot be used here."));
    }
    PlaygroundState fitting = state;
    const Notes completed = complete_module(parts, fitting);
    FileOffer offer;
    offer.question = concat(quoted(file_name), " holds ", parts.used.text(), ".");
    for (const MaskReading& reading : parts.readings) {
        Result<Placed> placed = place_tensors(fitting, with_masks(parts.placements, reading));
        if (!placed) return Offer::failure(placed.error());
        FileChoice choice = {.label = "take them over", .state = placed->state, .notes = notes};
        if (!reading.words.empty()) choice.label += concat("; of the mask ", reading.words);
        if (!placed->changes.empty()) choice.label += concat("; ", changes_in_words(*placed));
        append_notes(choice.notes, completed);
        append_notes(choice.notes, notes_of_left_out(parts, static_cast<std::int64_t>(state.inputs.texts.size())));
        append_notes(choice.notes, placed->notes);
        offer.is_certain = placed->changes.empty() && parts.has_all_rows && parts.readings.size() == 1;
        if (!placed->changes.empty() && offer.choices.empty())
            offer.question += concat(" Here d_in is ", state.inputs.d_in, ", d_out is ", state.inputs.d_out, ".");
        offer.choices.push_back(std::move(choice));
    }
    if (!parts.has_all_rows)
        offer.question += " X does not have one row for each token: missing rows count as 0, extra rows are not used.";
    return offer;
}

}  // namespace attn
