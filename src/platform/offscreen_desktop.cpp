// A frame buffer without a window, and its pixels as a PNG file.
#include "platform/offscreen_desktop.h"

#include <GLES3/gl3.h>

#include <cstdint>
#include <utility>

#include "platform/pixels_desktop.h"

namespace attn {

Result<Offscreen> Offscreen::create(int width, int height) {
    int largest = 0;
    glGetIntegerv(GL_MAX_RENDERBUFFER_SIZE, &largest);
    if (width > largest || height > largest)
        return Result<Offscreen>::failure("A picture of " + std::to_string(width) + " x " + std::to_string(height) +
                                          " pixels is too large: this system draws at most " + std::to_string(largest) +
                                          " either way.");
    Offscreen picture(width, height);
    if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
        return Result<Offscreen>::failure("This system cannot draw without a screen.");
    return picture;
}

Offscreen::Offscreen(int width, int height) : width_(width), height_(height) {
    glGenRenderbuffers(1, &colors_);
    glBindRenderbuffer(GL_RENDERBUFFER, colors_);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, width, height);
    glGenFramebuffers(1, &framebuffer_);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, colors_);
}

Offscreen::~Offscreen() {
    if (framebuffer_ == 0) return;
    glDeleteFramebuffers(1, &framebuffer_);
    glDeleteRenderbuffers(1, &colors_);
}

Offscreen::Offscreen(Offscreen&& other) noexcept {
    swap(other);
}

Offscreen& Offscreen::operator=(Offscreen&& other) noexcept {
    swap(other);
    return *this;
}

void Offscreen::swap(Offscreen& other) noexcept {
    std::swap(width_, other.width_);
    std::swap(height_, other.height_);
    std::swap(framebuffer_, other.framebuffer_);
    std::swap(colors_, other.colors_);
}

std::string Offscreen::save(const std::string& file) const {
    std::vector<std::uint8_t> rgba(static_cast<std::size_t>(width_) * height_ * 4);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
    glPixelStorei(GL_PACK_ALIGNMENT, 4);
    glReadPixels(0, 0, width_, height_, GL_RGBA, GL_UNSIGNED_BYTE, rgba.data());
    return write_png(file, width_, height_, rgba);
}

}  // namespace attn
