// The interface of whatever draws a figure as a PNG file.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "core/ground/result.h"
#include "scene/kit/figure.h"

namespace attn {

class PngDrawing {
public:
    virtual ~PngDrawing() = default;

    // Goes on for some milliseconds, where that can be. Returns whether there is a file, or a reason why there is none.
    virtual bool advance() = 0;
    // The file's bytes, to be taken once. The error is a sentence.
    virtual Result<std::string> take() = 0;
};

// Begins to draw a figure, `scale` pixels a point. The platform provides it (Platform::figure_engine).
using DrawPng = std::function<std::unique_ptr<PngDrawing>(Figure figure, double scale)>;

}  // namespace attn
