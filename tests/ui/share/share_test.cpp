// The share panel: what it offers, what it asks for, and how it is reached.
#include "ui/share/share.h"

#include <algorithm>

#include "core/ground/check.h"
#include "playground/link/state_url.h"
#include "playground/models/small_model.h"
#include "share/formats/session_file.h"
#include "ui/screen.h"

using namespace attn;
using namespace attn::testing;
using Catch::Matchers::ContainsSubstring;

namespace {

void open_panel(Screen& screen) {
    screen.click("share");
    REQUIRE(screen.has("copy=link"));
}

// Scrolls the item into sight if need be, presses it, and gives what was asked for.
std::vector<UiRequest> requests_after(Screen& screen, std::string_view name) {
    screen.take_requests();
    if (screen.at(name).is_clipped) {
        screen.point_at({screen.middle("share=close").x - 60, screen.size().y / 2});
        const bool is_above = screen.at(name).min.y < screen.size().y / 2;  // it scrolled out by an earlier press
        screen.scroll_to(name, is_above ? 1.0F : -1.0F);
    }
    screen.click(name);
    return screen.take_requests();
}

void go_to(Screen& screen, std::string_view name) {
    for (int i = 0; i < 120 && ImGui::GetCurrentContext()->NavId != screen.at(name).id; ++i) {
        screen.press(ImGuiKey_Tab);
    }
    REQUIRE(ImGui::GetCurrentContext()->NavId == screen.at(name).id);
}

}  // namespace

TEST_CASE("what scrolls in a long card reaches its lower edge", "[share]") {
    Screen screen({1280, 600});
    open_panel(screen);
    float content = 0, card = 0;  // their lower edges
    for (const ImGuiWindow* window : ImGui::GetCurrentContext()->Windows) {
        const std::string_view name = window->Name;
        const float bottom = window->Pos.y + window->Size.y;
        if (name.substr(name.rfind('/') + 1).starts_with("share content_")) content = bottom;
        if (window->Active && (window->Flags & ImGuiWindowFlags_Popup) != 0) card = bottom;
    }
    REQUIRE(content > 300);
    CHECK(card - content <= 2);
}

TEST_CASE("the view of a model offers its numbers as a table, and no other view does", "[share-panel][model-view]") {
    const attn::test::ModelIsOpen model(attn::test::small_model());
    const ImVec2 size = GENERATE(ImVec2(1280, 800), ImVec2(360, 640));
    Screen screen(size, "text=the+artist+painted&model=small&view=model");
    open_panel(screen);
    const std::vector<UiRequest> saves = requests_after(screen, "save=votes");
    REQUIRE(saves.size() == 1);
    CHECK(saves[0].what == ExportKind::votes);
    CHECK(requests_after(screen, "copy=votes").size() == 1);
    CHECK_FALSE(screen.has("save=lens"));
    screen.click("share=close");
    screen.state().view.view = ViewKind::lens;
    screen.settle();
    open_panel(screen);
    CHECK(requests_after(screen, "save=lens").size() == 1);
    CHECK_FALSE(screen.has("save=votes"));
    screen.click("share=close");
    screen.state().view.view = ViewKind::matrix;
    screen.settle();
    open_panel(screen);
    CHECK_FALSE(screen.has("save=votes"));
}

TEST_CASE("the panel offers every export, whatever the table holds, in every layout", "[share-panel][property]") {
    const ImVec2 size = GENERATE(ImVec2(1280, 800), ImVec2(1440, 900), ImVec2(700, 800), ImVec2(390, 844));
    Screen screen(size);
    screen.surroundings.is_touch = size.x < 600;
    screen.settle();
    open_panel(screen);
    for (const ExportInfo& info : export_table()) {
        CAPTURE(info.name, size.x);
        if (!is_offered(info.kind, screen.state())) continue;
        const std::vector<UiRequest> saves = requests_after(screen, concat("save=", info.name));
        REQUIRE(saves.size() == 1);
        CHECK(saves[0].kind == UiRequest::Kind::save);
        CHECK(saves[0].what == info.kind);
        CHECK(screen.has(concat("copy=", info.name)) == info.is_text);
        if (!info.is_text) continue;
        const std::vector<UiRequest> copies = requests_after(screen, concat("copy=", info.name));
        REQUIRE(copies.size() == 1);
        CHECK(copies[0].kind == UiRequest::Kind::copy);
        CHECK(copies[0].what == info.kind);
    }
}

TEST_CASE("nothing of the panel is cut off at its sides", "[share-panel]") {
    const ImVec2 size = GENERATE(ImVec2(1280, 800), ImVec2(700, 800), ImVec2(600, 500), ImVec2(390, 844));
    Screen screen(size);
    screen.surroundings.recent = {"a very long name of a file that somebody kept in a drawer for years.attention",
                                  "b.attention"};
    open_panel(screen);
    const auto first = std::find_if(screen.items().begin(), screen.items().end(),
                                    [](const UiItem& item) { return item.name == "share=close"; });
    for (auto item = first; item != screen.items().end() && item->name != "settings"; ++item) {
        CAPTURE(item->name);
        CHECK(item->min.x >= 0);
        CHECK(item->max.x <= size.x);
    }
}

TEST_CASE("the panel stands on the canvas as soon as it is at rest", "[share-panel]") {
    const ImVec2 size = GENERATE(ImVec2(1280, 744), ImVec2(700, 800), ImVec2(1000, 300), ImVec2(390, 736));
    Screen screen(size);
    screen.click("share");
    const float top = screen.at("share=close").min.y;
    screen.frame();
    CHECK(screen.at("share=close").min.y == top);
    screen.ui().tell("Made attention.csv.");
    screen.settle();
    CHECK(screen.at("share=close").min.y >= 0);
    CHECK(screen.at("outcome").max.y <= size.y);
    CHECK_FALSE(screen.at("copy=link").is_clipped);
}

TEST_CASE("the link is the page's address and the state, or the state alone", "[share-panel]") {
    Screen screen({1280, 800}, "text=free+speech&heads=4");
    open_panel(screen);
    std::vector<UiRequest> requests = requests_after(screen, "copy=link");
    REQUIRE(requests.size() == 1);
    CHECK(requests[0].kind == UiRequest::Kind::copy_text);
    CHECK(requests[0].text == write_link(screen.state()));
    screen.surroundings.page_address = "https://example.org/playground/";
    screen.click("share=close");
    open_panel(screen);
    requests = requests_after(screen, "copy=link");
    REQUIRE(requests.size() == 1);
    CHECK(requests[0].text == "https://example.org/playground/#v=1&text=free+speech&heads=4");
    CHECK(read_link(requests[0].text).state == screen.state());
}

TEST_CASE("where the system shares links, the panel hands it the whole link", "[share-panel]") {
    const ImVec2 size = GENERATE(ImVec2(1280, 800), ImVec2(360, 640));
    Screen screen(size, "heads=4");
    screen.surroundings.is_touch = size.x < 400;
    screen.settle();
    open_panel(screen);
    CHECK_FALSE(screen.has("share=link"));
    screen.surroundings.page_address = "https://example.org/playground/";
    screen.surroundings.can_share_link = true;
    screen.click("share=close");
    open_panel(screen);
    const std::vector<UiRequest> requests = requests_after(screen, "share=link");
    REQUIRE(requests.size() == 1);
    CHECK(requests[0].kind == UiRequest::Kind::share_link);
    CHECK(requests[0].text == "https://example.org/playground/#v=1&heads=4");
    CHECK(screen.at("share=link").max.x <= screen.at("copy=link").min.x);
    CHECK(screen.at("copy=link").max.x <= size.x);
}

TEST_CASE("a request carries the options for figures and stages", "[share-panel]") {
    Screen screen({1280, 800}, "heads=4");
    open_panel(screen);
    // As the wish that is handed out has them.
    const auto options = [&] {
        const std::vector<UiRequest> requests = requests_after(screen, "save=session");
        REQUIRE(requests.size() == 1);
        return requests[0].options;
    };
    CHECK(options() == ExportOptions());
    const auto has_scope = [](ExportScope scope) {
        const std::span<const ExportInfo> table = export_table();
        return std::any_of(table.begin(), table.end(), [&](const ExportInfo& info) { return info.scope == scope; });
    };
    if (has_scope(ExportScope::view)) {
        requests_after(screen, "figure_dark=1");
        requests_after(screen, "figure_scale=3");
        requests_after(screen, "figure_title");
        requests_after(screen, "figure_legend");
        requests_after(screen, "figure_transparent");
        requests_after(screen, "figure_head+");
        requests_after(screen, "figure_head+");
        CHECK(options().figure == FigureOptions{.is_dark = true,
                                                .is_transparent = true,
                                                .has_title = false,
                                                .has_legend = false,
                                                .head = 1,
                                                .scale = 3});
        screen.state().inputs.num_heads = 1;  // the head is gone, and with it the choice
        screen.settle();
        CHECK_FALSE(options().figure.head);
    }
    if (has_scope(ExportScope::stage)) {
        requests_after(screen, "export_stage=context");
        CHECK(options().stage == TensorId::context);
        screen.state().inputs.dropout = 0.5;
        screen.settle();
        requests_after(screen, "export_stage=dropped_weights");
        CHECK(options().stage == TensorId::dropped_weights);
        screen.state().inputs.dropout = 0;  // the stage is gone, and with it the choice
        screen.settle();
        CHECK_FALSE(options().stage);
    }
}

TEST_CASE("the panel says what became of a request until the next one", "[share-panel]") {
    Screen screen;
    open_panel(screen);
    CHECK_FALSE(screen.has("outcome"));
    screen.ui().tell("Made attention.csv.");
    CHECK(screen.ui().wants_another_frame());
    screen.settle();
    CHECK_FALSE(screen.at("outcome").is_clipped);
    requests_after(screen, "copy=link");
    CHECK_FALSE(screen.has("outcome"));
    screen.ui().tell(std::string(600, 'w'));  // a long sentence
    screen.settle();
    CHECK_FALSE(screen.at("outcome").is_clipped);
    screen.click("share=close");
    screen.click("share");
    CHECK_FALSE(screen.has("outcome"));
}

TEST_CASE("files are asked for, new ones and recent ones", "[share-panel]") {
    Screen screen({1280, 800});
    for (int i = 0; i < 10; ++i) screen.surroundings.recent.push_back(concat("lesson ", i, ".attention"));
    open_panel(screen);
    std::vector<UiRequest> requests = requests_after(screen, "open");
    REQUIRE(requests.size() == 1);
    CHECK(requests[0].kind == UiRequest::Kind::open);
    requests = requests_after(screen, "recent=9");
    REQUIRE(requests.size() == 1);
    CHECK(requests[0].kind == UiRequest::Kind::open_recent);
    CHECK(requests[0].index == 9);
}

TEST_CASE(
    "fetching a model is offered where a page for it stands beside the page, in the panel and in a view without a "
    "model",
    "[share-panel][model-view]") {
    const bool is_there = GENERATE(true, false);
    const bool in_panel = GENERATE(true, false);
    Screen screen({1280, 800}, in_panel ? "" : "text=the+cat&view=model");
    screen.surroundings.has_fetch_page = is_there;
    screen.settle();
    if (in_panel) open_panel(screen);
    const auto* name = in_panel ? "fetch" : "fetch model";
    CHECK(screen.has(name) == is_there);
    if (!is_there) return;
    const std::vector<UiRequest> requests = requests_after(screen, name);
    REQUIRE(requests.size() == 1);
    CHECK(requests[0].kind == UiRequest::Kind::fetch_model);
}

TEST_CASE("Ctrl+S saves the session and Ctrl+O opens a file, unless sharing is hidden", "[share-panel]") {
    Screen screen;
    screen.press_with_ctrl(ImGuiKey_S);
    std::vector<UiRequest> requests = screen.take_requests();
    REQUIRE(requests.size() == 1);
    CHECK(requests[0].kind == UiRequest::Kind::save);
    CHECK(requests[0].what == ExportKind::session);
    screen.press_with_ctrl(ImGuiKey_O);
    requests = screen.take_requests();
    REQUIRE(requests.size() == 1);
    CHECK(requests[0].kind == UiRequest::Kind::open);

    screen.state().view.hide.insert("share");
    screen.settle();
    CHECK_FALSE(screen.has("share"));
    screen.press_with_ctrl(ImGuiKey_S);
    screen.press_with_ctrl(ImGuiKey_O);
    CHECK(screen.take_requests().empty());
}

TEST_CASE("the panel can be worked with the keyboard alone, and Escape leads back to its button", "[share-panel]") {
    Screen screen;
    go_to(screen, "share");
    screen.press(ImGuiKey_Enter);
    REQUIRE(screen.has("copy=link"));
    go_to(screen, "save=session");
    screen.press(ImGuiKey_Enter);
    const std::vector<UiRequest> requests = screen.take_requests();
    REQUIRE(requests.size() == 1);
    CHECK(requests[0].what == ExportKind::session);
    screen.press(ImGuiKey_Escape);
    CHECK_FALSE(screen.has("copy=link"));
    CHECK(ImGui::GetCurrentContext()->NavId == screen.at("share").id);
}

TEST_CASE("the panel works without a sentence, and its cross closes it", "[share-panel]") {
    Screen screen({1280, 800}, "text=");
    open_panel(screen);
    CHECK(requests_after(screen, "save=session").size() == 1);
    screen.click("share=close");
    CHECK_FALSE(screen.has("copy=link"));
}

TEST_CASE("a stage too large for a file is offered as one head or the window", "[share-panel]") {
    std::string words;
    for (int i = 0; i < 1500; ++i) words += "a+";
    Screen screen({1280, 800}, "heads=4&d_out=4&d_in=1&window=0,99,0,99&head=2&text=" + words,
                  Screen::Computes::by_slices);
    screen.click("share");
    CHECK_FALSE(screen.has("save=csv"));
    CHECK_FALSE(screen.has("save=npz"));
    CHECK(screen.has("save=pytorch"));
    screen.click("save=csv,head");
    screen.click("save=npy,window");
    const std::vector<UiRequest> requests = screen.take_requests();
    REQUIRE(requests.size() == 2);
    CHECK(requests[0].options.part == ExportPart::head);
    CHECK(requests[1].options.part == ExportPart::window);
}
