// The browser's own canvas draws figures, some rows of pixels at a time (web/figure.js); this file packs them as PNG.
#include <emscripten.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/ground/check.h"
#include "platform/platform.h"
#include "scene/pens/figure_json.h"
#include "scene/pens/png_writer.h"

EM_JS_DEPS(figure_engine_web, "$UTF8ToString");

// Begins a figure; `id` is any number that no other one has. Returns whether there is a canvas.
EM_JS(int, begin_figure, (const void* id, int width, int rows, double scale), {
    const drawing = Module["host"]["figure_drawing"](width, rows, scale);
    if (!Module["drawings"]) Module["drawings"] = new Map();
    Module["drawings"].set(id, drawing);
    return drawing ? 1 : 0;
});

EM_JS(void, add_elements, (const void* id, const char* json),
      { Module["drawings"].get(id)["add"](UTF8ToString(json)); });

// Goes on drawing the rows of pixels from `first` to `end`. Returns whether they are drawn: then they are in `rgba`.
EM_JS(int, draw_rows, (const void* id, int first, int end, std::uint8_t* rgba), {
    const pixels = Module["drawings"].get(id)["draw"](first, end);
    if (pixels) HEAPU8.set(pixels, rgba);
    return pixels ? 1 : 0;
});

EM_JS(void, end_figure, (const void* id), { Module["drawings"].delete(id); });

namespace attn {
namespace {

constexpr std::size_t kElementsAtOnce = 64;
constexpr int kDrawnAtOnce = 1 << 19;   // pixels, 2 MiB
constexpr int kPackedAtOnce = 1 << 15;  // pixels, a few ms

class BandedPicture : public PngDrawing {
public:
    BandedPicture(Figure figure, double scale)
        : figure_(std::move(figure)),
          width_(pixels(figure_.width, scale)),
          height_(pixels(figure_.height, scale)),
          rows_at_once_(std::clamp(kDrawnAtOnce / width_, 1, height_)),
          rgba_(4 * static_cast<std::size_t>(width_) * static_cast<std::size_t>(rows_at_once_)),
          writer_(width_, height_, !figure_.ground) {
        is_drawable_ = begin_figure(this, width_, rows_at_once_, scale) != 0;
        if (!figure_.ground || !is_drawable_) return;
        const FigureLook look = {.fill = figure_.ground, .is_crisp = true};
        send(std::array{FigureElement(FigureRect{.width = figure_.width, .height = figure_.height, .look = look})});
    }
    ~BandedPicture() override { end_figure(this); }
    BandedPicture(const BandedPicture&) = delete;
    BandedPicture& operator=(const BandedPicture&) = delete;

    bool advance() override {
        if (!is_drawable_ || num_packed_ == height_) return true;
        if (num_sent_ < figure_.elements.size()) {
            const std::span<const FigureElement> rest = std::span(figure_.elements).subspan(num_sent_);
            send(rest.first(std::min(kElementsAtOnce, rest.size())));
            num_sent_ += std::min(kElementsAtOnce, rest.size());
        } else if (num_packed_ == num_drawn_) {
            const int end = std::min(num_drawn_ + rows_at_once_, height_);
            if (draw_rows(this, num_drawn_, end, rgba_.data()) != 0) num_drawn_ = end;
        } else {
            pack();
        }
        return num_packed_ == height_;
    }

    Result<std::string> take() override {
        if (is_drawable_) return writer_.take();
        return Result<std::string>::failure(concat("This browser cannot draw a picture of ", width_, " × ", height_,
                                                   " pixels: a smaller scale may help."));
    }

private:
    static int pixels(double points, double scale) {
        return std::max(1, static_cast<int>(std::lround(points * scale)));
    }

    void send(std::span<const FigureElement> elements) { add_elements(this, elements_as_json(elements).c_str()); }

    void pack() {
        const std::size_t bytes = 4 * static_cast<std::size_t>(width_);
        const int end = std::min(num_packed_ + std::max(kPackedAtOnce / width_, 1), num_drawn_);
        for (; num_packed_ < end; ++num_packed_) {
            const int row = num_packed_ % rows_at_once_;  // among those that were drawn together
            writer_.add_row(std::span(rgba_).subspan(static_cast<std::size_t>(row) * bytes, bytes));
        }
    }

    Figure figure_;
    int width_, height_;
    int rows_at_once_;
    std::vector<std::uint8_t> rgba_;  // the rows that are being packed
    PngWriter writer_;
    bool is_drawable_ = false;
    std::size_t num_sent_ = 0;            // elements
    int num_drawn_ = 0, num_packed_ = 0;  // rows
};

}  // namespace

DrawPng Platform::figure_engine() {
    return [](Figure figure, double scale) { return std::make_unique<BandedPicture>(std::move(figure), scale); };
}

}  // namespace attn
