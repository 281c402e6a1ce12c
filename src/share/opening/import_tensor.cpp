// Finds the choices by trying each: place_tensors says what would have to change, or why it is impossible.
#include "share/opening/import_tensor.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>

#include "core/ground/check.h"
#include "playground/link/link_numbers.h"
#include "playground/state/shapes.h"
#include "playground/state/state_edits.h"
#include "playground/text/notes.h"
#include "share/opening/place_tensors.h"
#include "share/opening/tensor_names.h"

namespace attn {
namespace {

Result<FileOffer> refuse(std::string sentence) {
    return Result<FileOffer>::failure(std::move(sentence));
}

// Where a number stands: "row 1, column 0" of a matrix, "(0, 1, 0)" of others.
std::string place_of(std::size_t index, std::size_t columns) {
    return concat("row ", index / columns, ", column ", index % columns);
}

// Without the axis of length 1 before a matrix.
std::span<const std::int64_t> axes_of(std::span<const std::int64_t> shape) {
    return shape.size() == 3 && shape.front() == 1 ? shape.subspan(1) : shape;
}

// The matrix of an array: one axis is a row, and of three the first must be 1.
Result<NumberBlock> block_of(std::string_view name, const NumberArray& array) {
    using Block = Result<NumberBlock>;
    std::string refusal = why_no_tensor(name, array.shape);
    if (!refusal.empty()) return Block::failure(std::move(refusal));
    const auto columns = static_cast<std::size_t>(array.shape.back());
    NumberBlock block;
    for (std::size_t at = 0; at < array.numbers.size(); ++at) {
        const double number = array.numbers[at];
        if (!std::isfinite(number) || is_too_large_for_float(number)) {
            const std::string_view what = std::isnan(number)   ? "NaN"
                                          : std::isinf(number) ? number > 0 ? "infinity" : "minus infinity"
                                                               : "a number too large for a float";
            return Block::failure(concat(quoted(name), " has ", what, " at ", place_of(at, columns),
                                         ": only finite numbers can be used."));
        }
        if (at % columns == 0) block.emplace_back().reserve(columns);
        block.back().push_back(nearest_float(number));
    }
    return block;
}

NumberBlock turned(const NumberBlock& block) {
    NumberBlock result(block.front().size(), std::vector<float>(block.size()));
    for (std::size_t i = 0; i < block.size(); ++i) {
        for (std::size_t c = 0; c < block[i].size(); ++c) result[c][i] = block[i][c];
    }
    return result;
}

bool is_learned_matrix(TensorId tensor) {
    return tensor == TensorId::w_query || tensor == TensorId::w_key || tensor == TensorId::w_value ||
           tensor == TensorId::w_out;
}

// The shape of a tensor in letters.
std::string_view letters_of(TensorId tensor) {
    if (tensor == TensorId::embeddings) return "(T, d_in)";
    if (tensor == TensorId::mask) return "(T, T)";
    if (tensor == TensorId::w_out) return "(d_out, d_out)";
    if (is_role(tensor)) return "(T, d_out)";
    return is_bias(tensor) ? "(d_out,)" : "(d_in, d_out)";
}

bool is_mask(const NumberBlock& block) {
    return std::all_of(block.begin(), block.end(), [](const std::vector<float>& row) {
        return std::all_of(row.begin(), row.end(), [](float number) { return number == 0 || number == 1; });
    });
}

std::string joined(const std::vector<std::string>& parts) {
    std::string text;
    for (const std::string& part : parts) text += concat(text.empty() ? "" : ", ", part);
    return text;
}

// Collects what one matrix may become.
class Choices {
public:
    Choices(const PlaygroundState& state, NumberBlock block)
        : state_(state), sentence_(state.view.sentence), block_(std::move(block)) {
        num_tokens_ = count_tokens(state.inputs, static_cast<std::size_t>(sentence_));
    }

    void set_sentence(int sentence) {
        sentence_ = sentence;
        num_tokens_ = count_tokens(state_.inputs, static_cast<std::size_t>(sentence));
    }

    int num_tokens() const { return num_tokens_; }
    const NumberBlock& block() const { return block_; }

    Extent extent_of(TensorId tensor) const { return edit_extent(state_.inputs, num_tokens_, tensor); }

    // Whether the matrix fits as it is; X with more or fewer rows than tokens does too.
    bool fits(TensorId tensor, bool is_turned) const {
        const Extent extent = extent_of(tensor);
        const auto rows = static_cast<int>(is_turned ? block_.front().size() : block_.size());
        const auto columns = static_cast<int>(is_turned ? block_.size() : block_.front().size());
        if (tensor == TensorId::embeddings) return columns == extent.columns;
        if (tensor == TensorId::mask && !is_mask(block_)) return false;
        return extent == Extent{.rows = rows, .columns = columns} && rows > 0;
    }

    // Adds the choice once; false, with the sentence kept, when it cannot be.
    bool add(TensorId tensor, bool is_turned, bool keeps_positions = false) {
        const Result<Placed> placed = place_tensors(
            state_, {{.tensor = tensor, .sentence = sentence_, .block = is_turned ? turned(block_) : block_}},
            keeps_positions);
        if (!placed) {
            if (failure_.empty()) failure_ = placed.error();
            return false;
        }
        std::string label = concat("as ", placed_name(tensor));
        if (is_turned) label += ", transposed: its rows are outputs, as in nn.Linear";
        if (keeps_positions) label += ", and the positions are added to it";
        if (!placed->changes.empty())
            label += concat(is_turned || keeps_positions ? "; " : ", ", joined(placed->changes));
        const bool is_there = std::any_of(choices_.begin(), choices_.end(),
                                          [&](const FileChoice& choice) { return choice.label == label; });
        if (!is_there) choices_.push_back({.label = std::move(label), .state = placed->state, .notes = placed->notes});
        return true;
    }

    // X: where positions are added to the token vectors, the visitor has to say whether the matrix already contains
    // them.
    void add_x() {
        if (add(TensorId::embeddings, false) && state_.inputs.positions == Positions::sin)
            add(TensorId::embeddings, false, true);
    }

    std::vector<FileChoice>& choices() { return choices_; }
    const std::string& failure() const { return failure_; }  // why the first impossible choice is

private:
    const PlaygroundState& state_;
    int sentence_;
    int num_tokens_ = 0;
    NumberBlock block_;
    std::vector<FileChoice> choices_;
    std::string failure_;
};

void add_choice(Choices& choices, TensorId tensor, bool is_turned) {
    tensor == TensorId::embeddings ? choices.add_x() : static_cast<void>(choices.add(tensor, is_turned));
}

// Adds every tensor that the matrix fits, as it is or transposed.
void add_fitting(Choices& choices) {
    for (const TensorId tensor : editable_tensors()) {
        if (choices.fits(tensor, false)) {
            add_choice(choices, tensor, false);
        } else if (is_learned_matrix(tensor) && choices.fits(tensor, true)) {
            add_choice(choices, tensor, true);
        }
    }
}

// What it can become when the sizes follow it.
void add_adapting(Choices& choices) {
    const std::size_t rows = choices.block().size(), columns = choices.block().front().size();
    for (const TensorId tensor : editable_tensors()) {
        if (tensor == TensorId::mask) continue;  // the sentence does not follow it
        if (is_role(tensor) && static_cast<int>(rows) != choices.num_tokens()) continue;
        if (is_bias(tensor) && rows != 1) continue;
        if (tensor == TensorId::w_out && rows != columns) continue;
        add_choice(choices, tensor, false);
    }
}

// A remark about an X without one row for each token; else empty.
std::string rows_of_x(int num_rows, int num_tokens) {
    if (num_rows == num_tokens) return "";
    return concat(" The sentence has ", counted(num_tokens, "token"), ": as X, ",
                  num_rows < num_tokens
                      ? concat("the numbers of the last ", num_tokens - num_rows, " count as 0.")
                      : concat("the last ", counted(num_rows - num_tokens, "row"), " would not be used."));
}

// An array whose name says what it is.
Result<FileOffer> offer_named(std::string_view name, const std::string& shape, const ArrayRole& role,
                              Choices& choices) {
    const bool fits = choices.fits(role.tensor, role.is_turned);
    const bool is_x = role.tensor == TensorId::embeddings;
    const int num_rows = static_cast<int>(choices.block().size());
    FileOffer offer;
    offer.question = concat(quoted(name), " holds ", shape, " numbers");
    if (fits) {
        offer.question += concat(" for ", placed_name(role.tensor), ".");
    } else {
        const Extent extent = choices.extent_of(role.tensor);
        const std::string here = extent == Extent() ? std::string("is not there with these settings")
                                                    : concat("is (", extent.rows, ", ", extent.columns, ") here");
        offer.question += concat(role.is_turned ? ", (d_out, d_in) as in nn.Linear" : "", ", and ",
                                 placed_name(role.tensor), ", ", letters_of(role.tensor), ", ", here, ".");
    }
    if (is_x) offer.question += rows_of_x(num_rows, choices.num_tokens());
    add_choice(choices, role.tensor, role.is_turned);
    const std::size_t num_meant = choices.choices().size();  // 0 when it cannot be
    const std::string why_not = choices.failure();
    if (!fits || num_meant == 0) add_fitting(choices);
    if (choices.choices().empty()) return refuse(why_not);
    if (num_meant == 0) offer.question += " " + why_not;
    offer.choices = std::move(choices.choices());
    offer.is_certain = fits && num_meant == 1 && (!is_x || num_rows == choices.num_tokens());
    return offer;
}

// An array that could be anything: certain only where it is as long as the sentence and as wide as X.
Result<FileOffer> offer_unnamed(std::string_view name, const std::string& shape, Choices& choices) {
    FileOffer offer;
    offer.question = concat(quoted(name), " holds ", shape, " numbers. What are they?");
    const int num_rows = static_cast<int>(choices.block().size());
    add_fitting(choices);
    const std::size_t num_fitting = choices.choices().size();
    offer.is_certain =
        num_fitting == 1 && choices.fits(TensorId::embeddings, false) && num_rows == choices.num_tokens();
    if (!offer.is_certain && num_fitting <= 1) add_adapting(choices);
    if (!offer.is_certain) choices.add_x();
    if (choices.choices().empty()) return refuse(choices.failure());
    offer.question += rows_of_x(num_rows, choices.num_tokens());
    offer.choices = std::move(choices.choices());
    return offer;
}

// Notes about the array itself: with the question where there is one, else with the only choice.
void put_notes(FileOffer& offer, const Notes& notes) {
    if (offer.choices.size() == 1) {
        offer.choices[0].notes.insert(offer.choices[0].notes.begin(), notes.begin(), notes.end());
        return;
    }
    for (const std::string& note : notes) offer.question += concat(" (", note, ".)");
}

}  // namespace

std::string why_no_tensor(std::string_view name, std::span<const std::int64_t> shape) {
    constexpr auto kMost = static_cast<std::int64_t>(kMaxBlockSide);
    const std::span<const std::int64_t> axes = axes_of(shape);
    const std::string what = concat(quoted(name), " is ", shape_text(shape), ": ");
    if (axes.empty() || axes.size() > 2)
        return what + "an array needs one or two axes, or three of which the first has length 1.";
    if (std::find(axes.begin(), axes.end(), 0) != axes.end()) return what + "it holds no numbers.";
    if (*std::max_element(axes.begin(), axes.end()) <= kMost) return "";
    const bool is_long = axes.size() == 2 && axes.front() > kMost;
    return concat(what, "no matrix here has more than ", with_thousands(kMost), is_long ? " rows." : " columns.");
}

Result<FileOffer> offer_array(std::string_view name, const NumberArray& array, const PlaygroundState& state,
                              const Notes& notes) {
    Result<NumberBlock> block = block_of(name, array);
    if (!block) return refuse(block.error());
    Choices choices(state, std::move(*block));
    const std::optional<ArrayRole> in_archive = role_of_name(name);
    const std::optional<ArrayRole> role = in_archive ? in_archive : role_of_file(name);
    if (role && role->sentence >= 0 && role->sentence < static_cast<int>(state.inputs.texts.size()))
        choices.set_sentence(role->sentence);
    const std::string shape = shape_text(array.shape);
    Result<FileOffer> offer = role ? offer_named(name, shape, *role, choices) : offer_unnamed(name, shape, choices);
    if (offer) put_notes(*offer, notes);
    return offer;
}

std::vector<bool> usable_arrays(const std::vector<std::string>& names) {
    std::vector<std::optional<ArrayRole>> roles;
    for (const std::string& name : names) roles.push_back(role_of_name(name));
    const bool has_matrices = std::any_of(roles.begin(), roles.end(), [](const std::optional<ArrayRole>& role) {
        return role && is_learned_matrix(role->tensor);
    });
    std::vector<bool> usable;
    for (const std::optional<ArrayRole>& role : roles)
        usable.push_back(role && !(has_matrices && is_role(role->tensor)));
    return usable;
}

namespace {

// The arrays of an archive: where they go, and which have no place here.
struct ArchiveParts {
    std::vector<Placement> placements;
    NameList used, other_sentences, wrong_length;
    bool has_all_rows = true;  // X has one row for each token

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
        parts.has_all_rows = parts.has_all_rows && (!is_by_token || has_length);
        parts.used.add(concat(placed_name(placement.tensor), " ", shape_of(placement.block)));
        parts.placements.push_back(std::move(placement));
    }
    return parts;
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
    const Result<ArchiveParts> read = sort_arrays(file_name, arrays, state);
    if (!read) return refuse(read.error());
    const ArchiveParts& parts = *read;
    if (parts.placements.empty()) {
        return refuse(concat(quoted(file_name), " belongs to another sentence: ",
                             (parts.other_sentences.empty() ? parts.wrong_length : parts.other_sentences).text(),
                             " cannot be used here."));
    }
    Result<Placed> placed = place_tensors(state, parts.placements);
    if (!placed) return refuse(placed.error());
    FileOffer offer;
    offer.question = concat(quoted(file_name), " holds ", parts.used.text(), ".");
    if (!placed->changes.empty()) {
        offer.question += concat(" Here d_in is ", state.inputs.d_in, ", d_out is ", state.inputs.d_out, ".");
    }
    if (!parts.has_all_rows)
        offer.question += " X does not have one row for each token: missing rows count as 0, extra rows are not used.";
    FileChoice choice = {.label = "take them over", .state = placed->state, .notes = notes};
    if (!placed->changes.empty()) choice.label += concat("; ", joined(placed->changes));
    append_notes(choice.notes, notes_of_left_out(parts, static_cast<std::int64_t>(state.inputs.texts.size())));
    append_notes(choice.notes, placed->notes);
    offer.choices.push_back(std::move(choice));
    offer.is_certain = placed->changes.empty() && parts.has_all_rows;
    return offer;
}

}  // namespace attn
