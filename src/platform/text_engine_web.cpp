// The browser's own text engine, for scripts and emoji that the built-in font lacks: the page draws the string on a
// canvas of its own (web/rasterize.js) and the pixels are copied from there.
#include <emscripten.h>

#include <array>
#include <string>

#include "platform/platform.h"

EM_JS_DEPS(text_engine_web, "$UTF8ToString");

// Fills `metrics` with width, height, left, top, advance and is_colored; the pixels wait for take_pixels.
EM_JS(void, rasterize, (const char* text, float pixel_size, int is_bold, float* metrics), {
    const picture = Module["host"]["rasterize"](UTF8ToString(text), pixel_size, is_bold != 0);
    Module["rasterized"] = picture["rgba"];
    const numbers = [
        picture["width"], picture["height"], picture["left"], picture["top"], picture["advance"],
        picture["is_colored"] ? 1 : 0
    ];
    HEAPF32.set(numbers, metrics >> 2);
});

EM_JS(void, take_pixels, (unsigned char* rgba), {
    HEAPU8.set(Module["rasterized"], rgba);
    Module["rasterized"] = null;
});

namespace attn {

RasterizeText Platform::text_engine() {
    return [](std::string_view text, float pixel_size, bool is_bold) {
        std::array<float, 6> metrics{};
        rasterize(std::string(text).c_str(), pixel_size, is_bold, metrics.data());
        TextBitmap bitmap;
        bitmap.width = static_cast<int>(metrics[0]);
        bitmap.height = static_cast<int>(metrics[1]);
        bitmap.left = metrics[2];
        bitmap.top = metrics[3];
        bitmap.advance = metrics[4];
        bitmap.is_colored = metrics[5] != 0;
        bitmap.rgba.resize(static_cast<std::size_t>(bitmap.width) * bitmap.height * 4);
        take_pixels(bitmap.rgba.data());
        return bitmap;
    };
}

}  // namespace attn
