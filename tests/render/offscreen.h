// A GL context without a window, a picture to draw on, and the picture's pixels: for tests that look at what was drawn.
// Needs EGL with a software driver (Mesa).
#pragma once

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GLES3/gl3.h>

#include <array>
#include <catch_amalgamated.hpp>
#include <cmath>
#include <cstdint>
#include <vector>

#include "scene/kit/colormap.h"

namespace attn::testing {

enum class Api { desktop, es };  // GL 3.3 core as on the desktop; GL ES 3.0, which WebGL2 is made of

// Current from construction to destruction.
class OffscreenContext {
public:
    explicit OffscreenContext(Api api = Api::desktop) {
        const auto get_display =
            reinterpret_cast<PFNEGLGETPLATFORMDISPLAYEXTPROC>(eglGetProcAddress("eglGetPlatformDisplayEXT"));
        REQUIRE(get_display != nullptr);
        display_ = get_display(EGL_PLATFORM_SURFACELESS_MESA, nullptr, nullptr);
        INFO("EGL cannot start a display without a screen: install libgl1-mesa-dri and libegl-mesa0");
        REQUIRE(eglInitialize(display_, nullptr, nullptr) == EGL_TRUE);
        REQUIRE(eglBindAPI(api == Api::es ? EGL_OPENGL_ES_API : EGL_OPENGL_API) == EGL_TRUE);
        const EGLint is_es = api == Api::es ? 1 : 0;
        const std::array<EGLint, 7> attributes = {EGL_CONTEXT_MAJOR_VERSION,
                                                  3,
                                                  EGL_CONTEXT_MINOR_VERSION,
                                                  is_es == 1 ? 0 : 3,
                                                  is_es == 1 ? EGL_NONE : EGL_CONTEXT_OPENGL_PROFILE_MASK,
                                                  EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                                                  EGL_NONE};
        context_ = eglCreateContext(display_, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, attributes.data());
        REQUIRE(context_ != EGL_NO_CONTEXT);
        REQUIRE(eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, context_) == EGL_TRUE);
    }
    OffscreenContext(const OffscreenContext&) = delete;
    OffscreenContext& operator=(const OffscreenContext&) = delete;
    ~OffscreenContext() {
        eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
        eglDestroyContext(display_, context_);
    }

private:
    EGLDisplay display_ = EGL_NO_DISPLAY;
    EGLContext context_ = EGL_NO_CONTEXT;
};

using Pixel = std::array<int, 4>;  // r, g, b, a, 0 to 255

// What was drawn, row-major from the top.
struct Picture {
    int width = 0, height = 0;
    std::vector<std::uint8_t> rgba;

    Pixel at(int x, int y) const {
        REQUIRE((x >= 0 && x < width && y >= 0 && y < height));
        const std::size_t start = (static_cast<std::size_t>(y) * width + x) * 4;
        return {rgba[start], rgba[start + 1], rgba[start + 2], rgba[start + 3]};
    }
};

// A framebuffer of the given size (device pixels) that GL draws on while it lives.
class OffscreenCanvas {
public:
    OffscreenCanvas(int width, int height, Rgb background) : width_(width), height_(height) {
        glGenTextures(1, &texture_);
        glBindTexture(GL_TEXTURE_2D, texture_);
        glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
        glGenFramebuffers(1, &framebuffer_);
        glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
        glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture_, 0);
        REQUIRE(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE);
        glViewport(0, 0, width, height);
        glDisable(GL_SCISSOR_TEST);
        glClearColor(background.r, background.g, background.b, 1);
        glClear(GL_COLOR_BUFFER_BIT);
    }
    OffscreenCanvas(const OffscreenCanvas&) = delete;
    OffscreenCanvas& operator=(const OffscreenCanvas&) = delete;
    ~OffscreenCanvas() {
        glDeleteFramebuffers(1, &framebuffer_);
        glDeleteTextures(1, &texture_);
    }

    Picture read() const {
        Picture picture{width_, height_, std::vector<std::uint8_t>(static_cast<std::size_t>(width_) * height_ * 4)};
        glPixelStorei(GL_PACK_ALIGNMENT, 4);
        for (int y = 0; y < height_; ++y) {  // GL counts rows from the bottom
            glReadPixels(0, height_ - 1 - y, width_, 1, GL_RGBA, GL_UNSIGNED_BYTE,
                         picture.rgba.data() + static_cast<std::size_t>(y) * width_ * 4);
        }
        REQUIRE(glGetError() == GL_NO_ERROR);
        return picture;
    }

private:
    int width_, height_;
    GLuint texture_ = 0, framebuffer_ = 0;
};

// The largest difference of red, green and blue, in 255ths.
inline double distance(const Pixel& pixel, Rgb color) {
    return std::max({std::abs(pixel[0] - 255.0 * color.r), std::abs(pixel[1] - 255.0 * color.g),
                     std::abs(pixel[2] - 255.0 * color.b)});
}

}  // namespace attn::testing
