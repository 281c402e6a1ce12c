// Finds the choices by trying each: place_tensors says what would have to change, or why it is impossible.
#include "share/opening/import_tensor.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>

#include "core/ground/check.h"
#include "core/words/code_points.h"
#include "playground/state/shapes.h"
#include "playground/state/state_edits.h"
#include "playground/text/notes.h"
#include "share/opening/array_block.h"
#include "share/opening/place_tensors.h"
#include "share/opening/tensor_names.h"

namespace attn {
namespace {

Result<FileOffer> refuse_tensor(std::string sentence) {
    return Result<FileOffer>::failure(std::move(sentence));
}

// The shape of a tensor in letters.
std::string_view letters_of(TensorId tensor) {
    if (tensor == TensorId::embeddings) return "(T, d_in)";
    if (tensor == TensorId::mask) return "(T, T)";
    if (tensor == TensorId::w_out) return "(d_out, d_out)";
    if (is_role(tensor)) return "(T, d_out)";
    if (tensor == TensorId::w_down_query) return "(d_in, query_latent)";
    if (tensor == TensorId::w_down_kv) return "(d_in, latent)";
    if (tensor == TensorId::w_query_rope) return "(d_in, num_heads * rope_dim)";
    if (tensor == TensorId::w_key_rope) return "(d_in, rope_dim)";
    if (tensor == TensorId::q_norm || tensor == TensorId::k_norm) return "(head_dim,)";
    if (tensor == TensorId::sink_logits) return "(num_heads,)";
    return is_bias(tensor) ? "(d_out,)" : "(d_in, d_out)";
}

// Collects what one matrix may become.
class Choices {
public:
    Choices(const PlaygroundState& state, NumberBlock block, bool is_boolean)
        : state_(state), sentence_(state.view.sentence), block_(std::move(block)), is_boolean_(is_boolean) {
        num_tokens_ = count_tokens(state.inputs, static_cast<std::size_t>(sentence_));
    }

    void set_sentence(int sentence) {
        sentence_ = sentence;
        num_tokens_ = count_tokens(state_.inputs, static_cast<std::size_t>(sentence));
    }

    int num_tokens() const { return num_tokens_; }
    const NumberBlock& block() const { return block_; }

    Extent extent_of(TensorId tensor) const { return edit_extent(state_.inputs, num_tokens_, tensor); }
    std::string why_absent(TensorId tensor) const { return attn::why_absent(state_.inputs, tensor); }

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
        const std::string_view words = is_turned         ? ", transposed: its rows are outputs, as in nn.Linear"
                                       : keeps_positions ? ", and the positions are added to it"
                                                         : "";
        return put(tensor, is_turned ? turned(block_) : block_, words, keeps_positions);
    }

    // X: where positions are added to the token vectors, the visitor has to say whether the matrix already contains
    // them.
    void add_x() {
        if (add(TensorId::embeddings, false) && adds_positions(state_.inputs)) add(TensorId::embeddings, false, true);
    }

    // The mask: where its ones may hide or let through, the visitor has to say which.
    void add_mask() {
        for (const MaskReading& reading : mask_readings(block_, is_boolean_)) {
            const std::string words = reading.words.empty() ? "" : concat(": ", reading.words);
            put(TensorId::mask, hidden_by(block_, reading), words);
        }
    }

    std::vector<FileChoice>& choices() { return choices_; }
    const std::string& failure() const { return failure_; }  // why the first impossible choice is

private:
    bool put(TensorId tensor, NumberBlock block, std::string_view words, bool keeps_positions = false) {
        const Result<Placed> placed = place_tensors(
            state_, {{.tensor = tensor, .sentence = sentence_, .block = std::move(block)}}, keeps_positions);
        if (!placed) {
            if (failure_.empty()) failure_ = placed.error();
            return false;
        }
        std::string label = concat("as ", placed_name(tensor), words);
        if (!placed->changes.empty()) label += concat(words.empty() ? ", " : "; ", changes_in_words(*placed));
        const bool is_there = std::any_of(choices_.begin(), choices_.end(),
                                          [&](const FileChoice& choice) { return choice.label == label; });
        if (!is_there) choices_.push_back({.label = std::move(label), .state = placed->state, .notes = placed->notes});
        return true;
    }

    const PlaygroundState& state_;
    int sentence_;
    int num_tokens_ = 0;
    NumberBlock block_;
    bool is_boolean_;
    std::vector<FileChoice> choices_;
    std::string failure_;
};

void add_choice(Choices& choices, TensorId tensor, bool is_turned) {
    if (tensor == TensorId::embeddings) return choices.add_x();
    if (tensor == TensorId::mask && is_mask(choices.block())) return choices.add_mask();
    choices.add(tensor, is_turned);
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
        const bool is_of_variant = has_columns_of_latents(tensor) || (is_learned(tensor) && tensor >= TensorId::q_norm);
        if (is_of_variant && choices.extent_of(tensor) == Extent()) continue;  // would fit anything
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
        const std::string reason = choices.why_absent(role.tensor);
        const std::string here = !reason.empty()      ? concat("is not there: ", reason)
                                 : extent == Extent() ? std::string("is not there with these settings")
                                                      : concat("is (", extent.rows, ", ", extent.columns, ") here");
        offer.question += concat(role.is_turned ? ", (d_out, d_in) as in nn.Linear" : "", ", and ",
                                 placed_name(role.tensor), ", ", letters_of(role.tensor), ", ", here, ".");
    }
    if (is_x) offer.question += rows_of_x(num_rows, choices.num_tokens());
    add_choice(choices, role.tensor, role.is_turned);
    const std::size_t num_meant = choices.choices().size();  // 0 when it cannot be
    const std::string why_not = choices.failure();
    if (!fits || num_meant == 0) add_fitting(choices);
    if (choices.choices().empty()) return refuse_tensor(why_not);
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
    if (choices.choices().empty()) return refuse_tensor(choices.failure());
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

Result<FileOffer> offer_array(std::string_view name, const NumberArray& array, const PlaygroundState& state,
                              const Notes& notes) {
    Result<NumberBlock> block = block_of(name, array);
    if (!block) return refuse_tensor(block.error());
    Choices choices(state, std::move(*block), array.is_boolean);
    const std::optional<ArrayRole> in_archive = role_of_name(name);
    const std::optional<ArrayRole> role = in_archive ? in_archive : role_of_file(name);
    if (role && role->sentence >= 0 && role->sentence < static_cast<int>(state.inputs.texts.size()))
        choices.set_sentence(role->sentence);
    const std::string shape = shape_text(array.shape);
    Result<FileOffer> offer = role ? offer_named(name, shape, *role, choices) : offer_unnamed(name, shape, choices);
    if (offer) put_notes(*offer, notes);
    return offer;
}

}  // namespace attn
