// The whole screen drawn by GL without a window and read back: the colours of the maps are the numbers.
#include <imgui_impl_opengl3.h>

#include <algorithm>
#include <catch_amalgamated.hpp>
#include <cmath>
#include <limits>
#include <string>

#include "core/ground/check.h"
#include "playground/visit/session.h"
#include "render/offscreen.h"
#include "ui/shell/ui.h"
#include "views/stage/shown_stage.h"

using namespace attn;
using namespace attn::testing;

namespace {

// The program's screen in an offscreen picture.
class DrawnScreen {
public:
    DrawnScreen(ImVec2 size, float scale, std::string_view link) : size_(size), scale_(scale) {
        ImGui::CreateContext();
        ImGuiIO& io = ImGui::GetIO();
        io.IniFilename = io.LogFilename = nullptr;
        io.DisplaySize = size;
        io.DisplayFramebufferScale = {scale, scale};
        REQUIRE(ImGui_ImplOpenGL3_Init("#version 330 core"));
        Result<Ui> ui = Ui::create([](std::string_view, float, bool) { return TextBitmap{}; });
        INFO(ui.error());
        REQUIRE(ui);
        ui_ = std::move(*ui);
        session_.open_link(link);
    }
    DrawnScreen(const DrawnScreen&) = delete;
    DrawnScreen& operator=(const DrawnScreen&) = delete;
    ~DrawnScreen() {
        ui_.reset();
        ImGui_ImplOpenGL3_Shutdown();
        ImGui::DestroyContext();
    }

    // Draws a few frames and reads the last one.
    Picture draw() {
        Picture picture;
        for (int k = 0; k < 4; ++k) {
            const OffscreenCanvas canvas(static_cast<int>(size_.x * scale_), static_cast<int>(size_.y * scale_),
                                         {0, 0, 0});
            ImGui::GetIO().DeltaTime = 1.0F / 60;
            ImGui_ImplOpenGL3_NewFrame();
            ImGui::NewFrame();
            evaluator_.update(session_.state());
            ui_->draw(session_, evaluator_, {});
            ImGui::Render();
            ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
            picture = canvas.read();
            while (ui_->work(evaluator_, true).has_worked) continue;
        }
        return picture;
    }
    const UiItem& at(const std::string& name) const {
        const auto& items = ui_->items();
        const auto found =
            std::find_if(items.begin(), items.end(), [&](const UiItem& item) { return item.name == name; });
        INFO("looking for the item " << name);
        REQUIRE(found != items.end());
        return *found;
    }
    ShownStage stage() {
        return shown_stage(evaluator_.update(session_.state()), evaluator_.version(), session_.state().view.stage,
                           memory_.stage);
    }
    PlaygroundState& state() { return session_.state(); }
    Ui& ui() { return *ui_; }

private:
    ImVec2 size_;
    float scale_;
    std::optional<Ui> ui_;
    Session session_;
    Evaluator evaluator_;
    HeadsMemory memory_;
};

// Every cell of every map that is wholly in sight has the colour of its number, a little below its upper edge, where
// neither a frame nor the printed number is.
int check_cells(DrawnScreen& screen, const Picture& picture, float scale, bool is_dark) {
    const ShownStage stage = screen.stage();
    int num_checked = 0;
    for (int head = 0; head < stage.num_maps; ++head) {
        const UiItem& map = screen.at(concat("map=", head + 1));
        if (map.is_clipped) continue;
        const float width = (map.max.x - map.min.x) * scale / static_cast<float>(stage.columns);
        const float height = (map.max.y - map.min.y) * scale / static_cast<float>(stage.rows);
        CHECK(width == Catch::Approx(std::round(width)));  // whole device pixels
        CHECK(map.min.x * scale == Catch::Approx(std::round(map.min.x * scale)));
        for (int row = 0; row < stage.rows; ++row) {
            const Vector values = shown_row(stage, head, row);
            for (int column = 0; column < stage.columns; ++column) {
                const int x = static_cast<int>(map.min.x * scale + (static_cast<float>(column) + 0.5F) * width);
                const int y = static_cast<int>(map.min.y * scale + (static_cast<float>(row) + 0.14F) * height);
                const Pixel pixel = picture.at(x, y);
                CAPTURE(scale, is_dark, head, row, column, values(column));
                ++num_checked;
                if (values(column) == -std::numeric_limits<float>::infinity()) {
                    CHECK(std::abs(pixel[0] - pixel[2]) < 20);  // grey as ground and hatching are
                    continue;
                }
                const Rgb color =
                    map_color(stage.map(), is_dark, map_position(values(column), stage.range.low, stage.range.high));
                // One 255th by rounding to 8 bits in the colour texture, and one in the framebuffer.
                CHECK(distance(pixel, color) <= 1.01);
            }
        }
    }
    return num_checked;
}

}  // namespace

TEST_CASE("on the screen every cell has the colour of its number", "[heads][golden]") {
    const OffscreenContext context;
    const float scale = GENERATE(1.0F, 1.25F, 2.0F);
    const bool is_dark = GENERATE(false, true);
    for (const char* link :
         {"stage=weights", "stage=scores", "stage=masked_scores", "stage=context", "stage=embeddings"}) {
        CAPTURE(link);
        DrawnScreen screen({1280, 800}, scale, concat(link, is_dark ? "&theme=dark" : "&theme=light"));
        const Picture picture = screen.draw();
        CHECK(check_cells(screen, picture, scale, is_dark) >= 22);
    }
}

TEST_CASE("a pinned cell is framed in its head's colour and lights its row and column", "[heads]") {
    const OffscreenContext context;
    DrawnScreen screen({1280, 800}, 2, "theme=light&cell=2,7,4");
    const Picture picture = screen.draw();
    const UiItem& map = screen.at("map=2");
    const float cell = (map.max.x - map.min.x) / 11;
    const auto at = [&](float x, float y) { return picture.at(static_cast<int>(x * 2), static_cast<int>(y * 2)); };
    const ImVec2 corner = {map.min.x + 4 * cell, map.min.y + 7 * cell};
    CHECK(distance(at(corner.x + cell / 2, corner.y + 0.5F), head_color(1, false)) <= 1.01);
    CHECK(distance(at(corner.x + 0.5F, corner.y + cell / 2), head_color(1, false)) <= 1.01);
    // The same cell of the other head, in that head's colour.
    const UiItem& other = screen.at("map=1");
    CHECK(distance(at(other.min.x + 4.5F * cell, other.min.y + 7 * cell), head_color(0, false)) <= 1.01);
    // Bands beside the row's label and above the column, in both heads.
    const Rgb lit = {255 / 255.0F, 243 / 255.0F, 196 / 255.0F};
    for (const UiItem* item : {&map, &other}) {
        CHECK(distance(at(item->min.x - 3, item->min.y + 7 * cell + 3), lit) <= 1.01);
        CHECK(distance(at(item->min.x + 4 * cell + 2, item->min.y - 45), lit) <= 1.01);
        CHECK(distance(at(item->min.x - 3, item->min.y + 6 * cell + 3), paper_color(false)) <= 1.01);
    }
}

TEST_CASE("another number, another picture; the same number, the same", "[heads]") {
    const OffscreenContext context;
    DrawnScreen screen({900, 700}, 1, "theme=light");
    const Picture before = screen.draw();
    screen.state().inputs.seed = 7;
    const Picture after = screen.draw();
    CHECK(check_cells(screen, after, 1, false) > 100);
    CHECK(before.rgba != after.rgba);
    screen.state().inputs.seed = 123;
    CHECK(screen.draw().rgba == before.rgba);
}

TEST_CASE("after the GL objects were made again the picture is the same", "[heads]") {
    const OffscreenContext context;
    DrawnScreen screen({900, 700}, 1, "theme=dark");
    const Picture before = screen.draw();
    REQUIRE(screen.ui().restore_gl());
    CHECK(screen.draw().rgba == before.rgba);
}
