// A step: optimizer, then the forward and the backward pass of the new numbers, which say whether they can stay.
#include "core/learn/training.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <utility>

#include "core/fast/attend.h"
#include "core/ground/check.h"

namespace attn {
namespace {

void add(std::span<const float> numbers, std::span<float> sums) {
    for (std::size_t n = 0; n < sums.size(); ++n) sums[n] += numbers[n];
}

// Whether the sentence has a part in the loss.
bool has_terms(const Goal& goal) {
    return !goal.rows.empty() || std::any_of(goal.next.begin(), goal.next.end(), [](int next) { return next >= 0; });
}

bool all_finite(std::span<const float> numbers) {
    return std::all_of(numbers.begin(), numbers.end(), [](float number) { return std::isfinite(number); });
}

// All tensors of both, in one order, size 0 where there is none.
template <class A, class Visit>
void for_each_tensor(A& a, const Projections& b, const Visit& visit) {
    for (const TensorId id : kLearnedTensors) visit(id, numbers_of(a, id), numbers_of(b, id));
}

}  // namespace

Training::Training(TrainingProblem problem)
    : problem_(std::move(problem)),
      optimizer_(problem_.optimizer),
      traces_(problem_.sentences.size()),
      passes_(problem_.sentences.size()) {
    ATTN_CHECK(!problem_.sentences.empty(), "no sentence to train with");
    share_matrices();
    evaluate();
}

bool Training::step() {
    if (is_stopped_) return false;
    const std::vector<std::vector<float>> before = copy_of_learned();
    optimizer_.begin_step();
    std::size_t number = 0;
    for (const Learned& tensor : learned()) optimizer_.step(number++, tensor.gradient, tensor.numbers);
    share_matrices();
    if (is_finite()) {
        evaluate();
        if (std::isfinite(now_.loss)) {
            ++num_steps_;
            return true;
        }
    }
    put_back(before);
    evaluate();
    is_stopped_ = true;
    return false;
}

TrainingPoint Training::point() {
    ATTN_CHECK(!is_stopped_, "after step ", num_steps_, " training has stopped: the optimizer is one step ahead");
    return {.num_steps = num_steps_, .numbers = copy_of_learned(), .optimizer = optimizer_};
}

void Training::go_to(const TrainingPoint& point) {
    put_back(point.numbers);
    optimizer_ = point.optimizer;
    num_steps_ = point.num_steps;
    is_stopped_ = false;
    evaluate();
}

AttentionProblem Training::sentence_at(const TrainingPoint& point, int number) const {
    AttentionProblem problem = sentence(number);
    std::size_t next = 0;  // of the learned tensors
    for_each_tensor(problem.projections.edit(), now_.at,
                    [&](TensorId id, std::span<float> numbers, std::span<const float>) {
                        if (learns(id, numbers)) std::ranges::copy(point.numbers.at(next++), numbers.begin());
                    });
    if (!problem_.learned.contains(TensorId::embeddings)) return problem;
    for (int s = 0; s < static_cast<int>(problem_.sentences.size()); ++s) {
        if (!has_terms(sentence(s).goal)) continue;
        if (s == number) std::ranges::copy(point.numbers.at(next), elements(problem.embeddings).begin());
        ++next;
    }
    return problem;
}

const AttentionProblem& Training::sentence(int number) const {
    return problem_.sentences.at(static_cast<std::size_t>(number));
}

int Training::place_of(const Matrix& embeddings) const {
    int place = 0;
    while (place + 1 < static_cast<int>(problem_.sentences.size()) && sentence(place).embeddings != embeddings) ++place;
    return place;
}

const AttentionTrace& Training::trace(int number) const {
    return traces_.at(static_cast<std::size_t>(number));
}

const Gradients& Training::gradients(int number) const {
    return passes_.at(static_cast<std::size_t>(number)).gradients();
}

// Forward and backward of every sentence, the gradients of the matrices added up in the order of the sentences.
void Training::evaluate() {
    for (std::size_t s = 0; s < problem_.sentences.size(); ++s) {
        const AttentionProblem& sentence = problem_.sentences[s];
        traces_[s] = attend(sentence);
        const Gradients& gradients = passes_[s].run(sentence, traces_[s], sentence.goal);
        if (s == 0) {
            now_ = {gradients.loss, gradients.projections};
            continue;
        }
        now_.loss += gradients.loss;
        for_each_tensor(now_.at, gradients.projections,
                        [](TensorId, std::span<float> sums, std::span<const float> more) { add(more, sums); });
    }
}

bool Training::learns(TensorId id, std::span<const float> numbers) const {
    return problem_.learned.contains(id) && !numbers.empty();
}

// In one order, which that of the sentences ends.
std::vector<Training::Learned> Training::learned() {
    std::vector<Learned> tensors;
    for_each_tensor(problem_.sentences.front().projections.edit(), now_.at,
                    [&](TensorId id, std::span<float> numbers, std::span<const float> gradient) {
                        if (learns(id, numbers)) tensors.push_back({numbers, gradient});
                    });
    if (!problem_.learned.contains(TensorId::embeddings)) return tensors;
    for (std::size_t s = 0; s < problem_.sentences.size(); ++s) {
        if (!has_terms(problem_.sentences[s].goal)) continue;
        tensors.push_back({elements(problem_.sentences[s].embeddings), elements(passes_[s].gradients().embeddings)});
    }
    return tensors;
}

std::optional<NumberStep> Training::next_step(TensorId tensor, int sentence, int row, int column) const {
    if (is_stopped_) return std::nullopt;
    std::optional<NumberStep> step;
    std::size_t number = 0;  // of the learned tensors, in the order of learned()
    const auto visit = [&](bool is_it, std::size_t columns, std::span<const float> numbers,
                           std::span<const float> gradient) {
        if (is_it) {
            const std::size_t place = static_cast<std::size_t>(row) * columns + static_cast<std::size_t>(column);
            ATTN_CHECK(place < numbers.size(), "number ", place, " of ", numbers.size());
            step = optimizer_.next_step(number, place, gradient[place], numbers[place]);
        }
        ++number;
    };
    const Sizes sizes = sizes_of(problem_.sentences.front());
    const Projections& shared = problem_.sentences.front().projections;
    for_each_tensor(shared, now_.at, [&](TensorId id, std::span<const float> numbers, std::span<const float> gradient) {
        const auto columns = static_cast<std::size_t>(extent_of(sizes, id).columns);
        if (learns(id, numbers)) visit(id == tensor, columns, numbers, gradient);
    });
    if (!problem_.learned.contains(TensorId::embeddings)) return step;
    for (std::size_t s = 0; s < problem_.sentences.size(); ++s) {
        if (!has_terms(problem_.sentences[s].goal)) continue;
        const Matrix& embeddings = problem_.sentences[s].embeddings;
        visit(tensor == TensorId::embeddings && static_cast<int>(s) == sentence, embeddings.shape(1),
              elements(embeddings), elements(passes_[s].gradients().embeddings));
    }
    return step;
}

void Training::share_matrices() {
    for (std::size_t s = 1; s < problem_.sentences.size(); ++s)
        problem_.sentences[s].projections = problem_.sentences.front().projections;
}

std::vector<std::vector<float>> Training::copy_of_learned() {
    std::vector<std::vector<float>> copy;
    for (const Learned& tensor : learned()) copy.emplace_back(tensor.numbers.begin(), tensor.numbers.end());
    return copy;
}

void Training::put_back(const std::vector<std::vector<float>>& numbers) {
    std::size_t number = 0;
    for (const Learned& tensor : learned()) std::ranges::copy(numbers.at(number++), tensor.numbers.begin());
    share_matrices();
}

bool Training::is_finite() {
    const std::vector<Learned> tensors = learned();
    return std::all_of(tensors.begin(), tensors.end(), [](const Learned& one) { return all_finite(one.numbers); });
}

}  // namespace attn
