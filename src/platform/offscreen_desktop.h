// A picture that is drawn without a screen: of any size the GL driver allows, whatever the monitor's. Needs a current
// GL context, which must outlive it.
#pragma once

#include <string>
#include <vector>

#include "core/ground/result.h"

namespace attn {

class Offscreen {
public:
    // Makes the picture, `width` by `height` device pixels, and draws into it from then on. The error is a sentence.
    static Result<Offscreen> create(int width, int height);
    ~Offscreen();
    Offscreen(Offscreen&& other) noexcept;
    Offscreen& operator=(Offscreen&& other) noexcept;

    int width() const { return width_; }
    int height() const { return height_; }

    // Writes what was drawn as a PNG file. Returns an empty string, or a sentence that says why it could not be
    // written.
    std::string save(const std::string& file) const;

private:
    Offscreen(int width, int height);
    void swap(Offscreen& other) noexcept;

    int width_ = 0, height_ = 0;
    unsigned framebuffer_ = 0, colors_ = 0;  // GL names
};

}  // namespace attn
