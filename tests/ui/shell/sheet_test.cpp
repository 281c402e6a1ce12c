// The sheet of a phone under a finger: it follows, and settles by place and speed.
#include "ui/screen.h"

using namespace attn;
using namespace attn::testing;

namespace {

// A phone whose sheet has a pinned cell to explain.
class Phone : public Screen {
public:
    explicit Phone(std::string_view link = "cell=1,7,4", bool has_sheet = true) : Screen({360, 640}, link) {
        surroundings.is_touch = true;
        settle();
        if (has_sheet) closed_ = edge();
    }

    float edge() const { return at("inspector").min.y; }
    float closed() const { return closed_; }
    // In the middle of what the sheet explains.
    ImVec2 inside() const { return {180, edge() + 60}; }

    void down(ImVec2 place) {
        finger_ = place;
        point_at(place);
        hold(true);
    }
    // So far in so many frames.
    void move(float by, int frames) {
        for (int i = 0; i < frames; ++i) {
            finger_.y += by / static_cast<float>(frames);
            ImGui::GetIO().AddMousePosEvent(finger_.x, finger_.y);
            frame();
        }
        frame();  // that shows what the last one has moved
    }
    void stay(int frames) {
        for (int i = 0; i < frames; ++i) frame();
    }
    void up() {
        hold(false);
        settle();
    }
    // Moved slowly, and let go at rest.
    void pull(ImVec2 from, float by) {
        down(from);
        move(by, 20);
        stay(12);
        up();
    }

private:
    ImVec2 finger_ = {0, 0};
    float closed_ = 0;
};

constexpr float kSlop = 1;  // points

}  // namespace

TEST_CASE("a tap on the sheet's grip opens it by half, another one closes it", "[sheet]") {
    Screen screen({390, 844}, "cell=1,7,4");
    const float closed = screen.at("inspector").min.y;
    screen.click("inspector");
    CHECK(screen.at("inspector").min.y < closed - 100);
    CHECK(screen.has("bar=4"));
    screen.click("inspector");
    CHECK(screen.at("inspector").min.y == closed);
}

TEST_CASE("the sheet moves with the finger, from its grip and from its content", "[sheet][touch]") {
    const bool by_grip = GENERATE(true, false);
    CAPTURE(by_grip);
    Phone phone;
    const auto place = [&] { return by_grip ? ImVec2(100, phone.edge() + 10) : phone.inside(); };
    phone.down(place());
    phone.move(-120, 12);
    CHECK(std::abs(phone.edge() - (phone.closed() - 120)) <= kSlop);
    phone.move(-60, 6);
    CHECK(std::abs(phone.edge() - (phone.closed() - 180)) <= kSlop);
    phone.move(80, 8);
    CHECK(std::abs(phone.edge() - (phone.closed() - 100)) <= kSlop);
    phone.up();
    CHECK(phone.state().view.cell);  // nothing was pressed on the way
}

TEST_CASE("let go at rest the sheet settles at the nearest of closed, half and open", "[sheet][touch]") {
    Phone phone;
    const auto grip = [&] { return ImVec2(100, phone.edge() + 10); };
    phone.pull(grip(), -160);
    CHECK(phone.edge() < phone.closed() - 100);
    phone.pull(grip(), 160);
    CHECK(phone.edge() == phone.closed());
    phone.pull(phone.inside(), -60);
    CHECK(phone.edge() == phone.closed());
    phone.pull(phone.inside(), -160);
    const float half = phone.edge();
    CHECK(half < phone.closed() - 100);
    phone.pull(phone.inside(), -150);
    const float open = phone.edge();
    CHECK(open < half - 100);
    CHECK(open >= phone.at("share").max.y);  // the buttons above the picture stay in reach
    phone.pull(phone.inside(), 150);
    CHECK(phone.edge() == half);
    phone.pull(phone.inside(), 20);
    CHECK(phone.edge() == half);
    phone.pull(phone.inside(), 200);
    CHECK(phone.edge() == phone.closed());
}

TEST_CASE("a quick finger throws the sheet further than it moved it", "[sheet][touch]") {
    Phone phone;
    const auto flick = [&](float by) {
        phone.down(phone.inside());
        phone.move(by, 3);
        phone.up();
    };
    flick(-60);
    const float half = phone.edge();
    CHECK(half < phone.closed() - 100);
    flick(-60);
    CHECK(phone.edge() < half - 100);
    flick(60);
    CHECK(phone.edge() == half);
    flick(60);
    CHECK(phone.edge() == phone.closed());
}

TEST_CASE("the open sheet scrolls, and goes down once it is back at its top", "[sheet][touch]") {
    Phone phone;
    phone.pull(phone.inside(), -350);
    const float open = phone.edge();
    const float first = phone.at("chain=output").min.y;
    phone.pull({180, 600}, -100);
    CHECK(phone.edge() == open);
    CHECK(phone.at("chain=output").min.y < first - 50);
    phone.down({340, 400});  // beside the lists, which scroll by themselves
    phone.move(60, 6);
    CHECK(phone.edge() == open);
    phone.move(160, 16);
    CHECK(phone.edge() > open + 50);
    CHECK(phone.at("chain=output").min.y - phone.edge() == first - open);
    phone.up();
}

TEST_CASE("under reduced motion the sheet arrives at once", "[sheet][touch]") {
    Phone phone;
    phone.surroundings.reduces_motion = true;
    phone.down(phone.inside());
    phone.move(-200, 10);
    phone.stay(12);
    ImGui::GetIO().AddMouseButtonEvent(ImGuiMouseButton_Left, false);
    phone.frame();
    phone.frame();
    const float settled = phone.edge();
    CHECK(settled < phone.closed() - 100);
    phone.settle();
    CHECK(phone.edge() == settled);
}

TEST_CASE("the page is told which way a finger on the sheet is followed", "[sheet][touch]") {
    Phone phone;
    phone.point_at(phone.inside());
    CHECK(phone.ui().follows_up());
    CHECK_FALSE(phone.ui().follows_down());
    phone.pull(phone.inside(), -400);
    phone.point_at(phone.inside());
    CHECK_FALSE(phone.ui().follows_up());
    CHECK(phone.ui().follows_down());
    phone.point_at("share");
    CHECK_FALSE(phone.ui().follows_down());
}

TEST_CASE("on a phone undo and redo stand on the sheet once there is something to undo", "[sheet][undo]") {
    Phone phone;
    CHECK_FALSE(phone.has("undo"));
    phone.state().inputs.num_heads = 1;
    phone.rest();
    phone.click("undo");
    CHECK(phone.state().inputs.num_heads == 2);
    phone.click("redo");
    CHECK(phone.state().inputs.num_heads == 1);
    const UiItem& undo = phone.at("undo");
    CHECK(undo.max.y - undo.min.y >= 40);
    CHECK(undo.min.x >= phone.at("inspector").max.x);
    phone.pull(phone.inside(), -400);
    phone.click("undo");
    CHECK(phone.state().inputs.num_heads == 2);
}

TEST_CASE("where there is no sheet undo and redo stand over the picture's corner", "[sheet][undo]") {
    const std::string link = GENERATE("view=cost", "lesson=causal&step=2");
    Phone phone(link, false);
    CHECK_FALSE(phone.has("undo"));
    const auto seed = phone.state().inputs.seed;
    phone.state().inputs.seed = seed + 1;
    phone.rest();
    REQUIRE_FALSE(phone.has("inspector"));
    CHECK(phone.at("undo").max.x <= 360);
    CHECK_FALSE(phone.has("redo"));  // they lie on the picture
    phone.click("undo");
    CHECK(phone.state().inputs.seed == seed);
    phone.click("redo");
    CHECK(phone.state().inputs.seed == seed + 1);
}

TEST_CASE("a phone on its side has undo and redo above the picture", "[undo]") {
    Screen screen({844, 390});
    CHECK_FALSE(screen.has("undo"));
    screen.state().inputs.num_heads = 1;
    screen.rest();
    CHECK(screen.at("redo").max.x <= screen.at("views").min.x);
    screen.click("undo");
    CHECK(screen.state().inputs.num_heads == 2);
}
