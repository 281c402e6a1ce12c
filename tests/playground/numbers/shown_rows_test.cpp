// Bands of a stage's rows, against the whole matrix.
#include "playground/numbers/shown_rows.h"

#include <algorithm>
#include <catch_amalgamated.hpp>
#include <cmath>
#include <utility>

#include "core/ground/check.h"
#include "playground/link/state_url.h"
#include "playground/state/state_edits.h"

using namespace attn;

TEST_CASE("bands of rows are those of the whole matrix, in every stage", "[rows][property]") {
    for (const char* link : {"heads=2", "heads=2&d_out=16&dropout=0.3", "mask=none&edit=mask[2,1]=1&heads=4&d_out=8",
                             "mask_at=after&out=1&heads=2", "init=none&pos=none"}) {
        const PlaygroundState state = read_link(link).state;
        const Evaluation evaluation = evaluate(state.inputs, 0);
        for (const TensorId stage : present_stages(state.inputs)) {
            CAPTURE(link, tensor_name(stage));
            const int head = stage_info(stage).has_heads ? evaluation.sizes.num_heads - 1 : 0;
            const Matrix whole = shown_matrix(evaluation, stage, head);
            for (const auto& [first, end] : {std::pair{0, length(whole, 0)}, {3, 7}, {10, 11}, {5, 5}}) {
                const Matrix band = shown_rows(evaluation, stage, head, first, end);
                REQUIRE(length(band, 0) == end - first);
                for (int row = first; row < end; ++row) {
                    const auto is_same = [](float a, float b) { return a == b || (a != a && b != b); };
                    const auto expected = row_of(whole, row), found = row_of(band, row - first);
                    CHECK(std::equal(expected.begin(), expected.end(), found.begin(), found.end(), is_same));
                }
            }
        }
    }
}

TEST_CASE("weights of a head that is computed are kept, and 0 where the key is hidden", "[rows]") {
    const Evaluation evaluation = evaluate(read_link("heads=2").state.inputs, 0);
    CHECK(keeps_rows(evaluation, TensorId::weights, 1));
    CHECK_FALSE(keeps_rows(evaluation, TensorId::scores, 1));
    const Matrix shown = shown_matrix(evaluation, TensorId::weights, 1);
    for (int row = 0; row < evaluation.num_tokens(); ++row) {
        const std::span<const float> kept = row_of(evaluation.trace.weights, 1, row);
        for (std::size_t j = 0; j < kept.size(); ++j) {
            const float number = shown(static_cast<std::size_t>(row), j);
            CHECK(kept[j] == (std::isinf(number) ? 0 : number));
        }
    }
}
