// Chooses a scale for a picture that is not too large.
#include "scene/pens/figure_pixels.h"

#include <algorithm>
#include <cmath>

#include "core/ground/check.h"

namespace attn {

double scale_that_fits(const Figure& figure, double scale) {
    ATTN_CHECK(figure.width > 0 && figure.height > 0, "a figure of ", figure.width, " x ", figure.height, " points");
    const double by_side = (kMaxPictureSide - 1) / std::max(figure.width, figure.height);  // sizes are rounded
    const double by_area = std::sqrt((kMaxPicturePixels - 2.0 * kMaxPictureSide) / (figure.width * figure.height));
    const double most = std::min(by_side, by_area);
    // People read it: two digits are enough.
    return scale <= most ? scale : std::max(std::floor(most * 100) / 100, std::min(most, 0.01));
}

}  // namespace attn
