// Sizes of a stage and of its maps.
#include "views/stage/stage_shape.h"

#include "playground/state/shapes.h"

namespace attn {

StageShape stage_shape_of(const Evaluation& evaluation, TensorId stage, Combine combine, const Blanks& blanks) {
    StageShape shape = {.info = stage_info(stage), .blanks = blanks};
    const Extent extent = stage_extent(evaluation.sizes, stage);
    shape.rows = extent.rows;
    shape.columns = extent.columns;
    if (is_combined(evaluation, stage, combine)) {
        shape.combine = combine;
    } else {
        shape.num_maps = shape.info.has_heads ? evaluation.sizes.num_heads : 1;
    }
    return shape;
}

}  // namespace attn
