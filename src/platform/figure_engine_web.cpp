// The browser's own canvas draws figures: it gets them as JSON (web/figure.js) and hands the file's bytes back.
#include <emscripten.h>

#include <string>

#include "platform/platform.h"
#include "share/figure_json.h"

EM_JS_DEPS(figure_engine_web, "$UTF8ToString");

// Draws, and returns how many bytes wait for take_drawn; `is_file` says whether they are a PNG file or a sentence that
// says why there is none.
EM_JS(int, draw_figure, (const char* figure, double scale, int* is_file), {
    const drawn = Module["host"]["png_of_figure"](UTF8ToString(figure), scale);
    HEAP32[is_file >> 2] = typeof drawn == "string" ? 0 : 1;
    Module["drawn"] = typeof drawn == "string" ? new TextEncoder().encode(drawn) : drawn;
    return Module["drawn"].length;
});

EM_JS(void, take_drawn, (char* bytes), {
    HEAPU8.set(Module["drawn"], bytes);
    Module["drawn"] = null;
});

namespace attn {

DrawPng Platform::figure_engine() {
    return [](const Figure& figure, double scale) {
        int is_file = 0;
        const int size = draw_figure(figure_as_json(figure).c_str(), scale, &is_file);
        std::string bytes(static_cast<std::size_t>(size), '\0');
        take_drawn(bytes.data());
        return is_file != 0 ? Result<std::string>(std::move(bytes)) : Result<std::string>::failure(std::move(bytes));
    };
}

}  // namespace attn
