// Computes the numbers of a step for the claims of lesson_claims.h.
#include "playground/lessons/lesson_claims.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "core/ground/check.h"
#include "playground/link/state_url.h"

namespace attn::test {

Seen::Seen(std::string link) : link_(std::move(link)) {
    const ReadLink read = read_link(link_);
    INFO(link_);
    CHECK(read.notes == Notes());
    state_ = read.state;
    evaluator_.update(state_);
}

Seen Seen::with(std::string_view keys) const {
    const std::string base = keys.starts_with("step=") ? link_.substr(0, link_.find("&step=")) : link_;
    return Seen(concat(base, "&", keys));
}

Matrix Seen::matrix(TensorId stage, int head) const {
    return shown_matrix(evaluation(), stage, head - 1);
}

double Seen::at(TensorId stage, int row, int column, int head) const {
    return static_cast<double>(matrix(stage, head)(row, column));
}

Numbers Seen::row(TensorId stage, int row, int head) const {
    const Matrix all = matrix(stage, head);
    Numbers numbers;
    for (int c = 0; c < length(all, 1); ++c) numbers.push_back(static_cast<double>(all(row, c)));
    return numbers;
}

Numbers Seen::largest(TensorId stage, int head) const {
    Numbers numbers;
    for (int i = 0; i < evaluation().num_tokens(); ++i) numbers.push_back(largest_of(row(stage, i, head)));
    return numbers;
}

Numbers Seen::sums(TensorId stage, int head) const {
    Numbers numbers;
    for (int i = 0; i < evaluation().num_tokens(); ++i) {
        double sum = 0;
        for (const double number : row(stage, i, head)) sum += std::isfinite(number) ? number : 0;
        numbers.push_back(sum);
    }
    return numbers;
}

double Seen::loss() const {
    REQUIRE(evaluation().run != nullptr);
    return evaluation().run->loss();
}

double Seen::above_bound() const {
    return loss() - evaluation().run->lowest_loss();
}

const Matrix& Seen::learned(TensorId tensor) const {
    const Projections& projections = evaluation().problem->projections;
    switch (tensor) {
        case TensorId::w_query:
            return projections.w_query;
        case TensorId::w_key:
            return projections.w_key;
        case TensorId::w_value:
            return projections.w_value;
        default:
            ATTN_CHECK(tensor == TensorId::w_out, "no learned matrix");
            return projections.w_out;
    }
}

double dot_of(const Numbers& a, const Numbers& b) {
    return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

double length_of(const Numbers& vector) {
    return std::sqrt(dot_of(vector, vector));
}

double degrees_between(const Numbers& a, const Numbers& b) {
    return std::acos(std::min(1.0, dot_of(a, b) / (length_of(a) * length_of(b)))) * 180 / std::numbers::pi;
}

double largest_of(const Numbers& numbers) {
    return *std::max_element(numbers.begin(), numbers.end());
}

double smallest_of(const Numbers& numbers) {
    return *std::min_element(numbers.begin(), numbers.end());
}

int place_of_largest(const Numbers& numbers) {
    return static_cast<int>(std::max_element(numbers.begin(), numbers.end()) - numbers.begin());
}

int place_of_smallest(const Numbers& numbers) {
    return static_cast<int>(std::min_element(numbers.begin(), numbers.end()) - numbers.begin());
}

Numbers all_of(const Matrix& matrix) {
    Numbers numbers;
    for (const float value : elements(matrix)) {
        if (std::isfinite(value)) numbers.push_back(static_cast<double>(value));
    }
    return numbers;
}

}  // namespace attn::test
