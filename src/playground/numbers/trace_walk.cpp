// Computes sentence after sentence, and hands each stage to a visitor, a band of rows at a time.
#include "playground/numbers/trace_walk.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "core/fast/score_rows.h"
#include "core/ground/check.h"
#include "playground/numbers/shown_rows.h"

namespace attn {
namespace {

constexpr int kNumbersAtOnce = 1 << 15;  // of a band, about: a score band's rows are made together
constexpr int kMostRowsAtOnce = 64;

}  // namespace

TraceWalk::TraceWalk(Inputs inputs, std::optional<TensorId> only, std::int64_t visit_cost)
    : inputs_(std::move(inputs)), stages_(present_stages(inputs_)), visit_cost_(visit_cost) {
    if (only) {
        ATTN_CHECK(is_present(inputs_, *only), "stage ", tensor_name(*only), " is not present");
        stages_ = {*only};
    } else {  // all stages of an attention: a digest of a model's layer says the same as before the layer was whole
        std::erase_if(stages_, is_block_stage);
    }
    for (std::size_t s = 0; s < inputs_.texts.size(); ++s) in_all_ += sentence_cost(s);
}

// What it costs to have a row of a stage and to visit it, in multiply-adds.
std::int64_t TraceWalk::row_cost(const Sizes& sizes, TensorId stage) const {
    const bool is_derived = is_score_row(stage) && stage != TensorId::weights && stage != TensorId::dropped_weights;
    return extent_of(sizes, stage).columns * (visit_cost_ + (is_derived ? sizes.head_dim() : 0));
}

std::int64_t TraceWalk::sentence_cost(std::size_t sentence) const {
    const Sizes sizes = sizes_of(inputs_, count_tokens(inputs_, sentence));
    std::int64_t cost = 0;
    for (const TensorId stage : stages_) {
        cost += row_cost(sizes, stage) * num_matrices(sizes, stage) * sizes.num_tokens;
    }
    return cost;
}

bool TraceWalk::advance(TraceVisitor& visitor, std::int64_t multiply_adds, const Evaluation* known,
                        int known_sentence) {
    std::int64_t left = multiply_adds;
    while (!is_done() && left > 0) {
        const Evaluation* evaluation = known_sentence == sentence_ ? known : nullptr;
        const bool wants_block = is_block_stage(stages_.front());
        if (evaluation && wants_block && !evaluation->is_empty() && !evaluation->trace.block) evaluation = nullptr;
        if (evaluation == nullptr) {
            if (known != nullptr && known->run) own_.take_run(known->run);
            own_.begin(inputs_, sentence_, 0, wants_block);
            if (!own_.evaluation().is_complete() && !own_.advance(left)) return false;
            evaluation = &own_.evaluation();
        }
        ATTN_CHECK(evaluation->is_complete(), "the evaluation of sentence ", sentence_, " is not complete");
        const std::int64_t cost = visit_band(visitor, *evaluation);
        done_ += cost;
        left -= cost;
    }
    return is_done();
}

// Shows the next rows of the sentence, with what begins and ends there. Returns what it cost.
std::int64_t TraceWalk::visit_band(TraceVisitor& visitor, const Evaluation& evaluation) {
    const bool begins_stage = matrix_ == 0 && row_ == 0;
    if (stage_ == 0 && begins_stage) visitor.begin_sentence(evaluation);
    if (evaluation.is_empty()) {
        end_sentence(visitor);
        return 0;
    }
    const TensorId stage = stages_[stage_];
    const Extent extent = extent_of(evaluation.sizes, stage);
    if (begins_stage) visitor.begin_stage(evaluation, stage);
    if (row_ == 0) visitor.begin_matrix(evaluation, stage, matrix_);
    const int num_rows = std::clamp(kNumbersAtOnce / extent.columns, 1, kMostRowsAtOnce);
    const int end = std::min(row_ + num_rows, extent.rows);
    visitor.add_rows(evaluation,
                     stage_rows(evaluation, stage, first_reader(evaluation.sizes, stage, matrix_), row_, end));
    const std::int64_t cost = (end - row_) * row_cost(evaluation.sizes, stage);
    row_ = end;
    if (row_ < extent.rows) return cost;
    visitor.end_matrix();
    row_ = 0;
    if (++matrix_ < num_matrices(evaluation.sizes, stage)) return cost;
    visitor.end_stage();
    matrix_ = 0;
    if (++stage_ == stages_.size()) end_sentence(visitor);
    return cost;
}

void TraceWalk::end_sentence(TraceVisitor& visitor) {
    visitor.end_sentence();
    ++sentence_;
    stage_ = 0;
    const std::shared_ptr<TrainingRun> run = own_.evaluation().run;
    own_ = CachedEvaluation();
    own_.take_run(run);
}

double TraceWalk::share_done() const {
    return is_done() ? 1 : static_cast<double>(done_) / static_cast<double>(std::max<std::int64_t>(in_all_, 1));
}

}  // namespace attn
