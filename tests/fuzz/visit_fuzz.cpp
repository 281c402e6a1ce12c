// Any bytes as what a visitor does: each byte chooses an action, those after it what it is done to. Whatever is done,
// the program goes on drawing and the state is legal.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

#include "app/visit.h"
#include "core/ground/check.h"
#include "fuzz/opened_file.h"
#include "fuzz/target.h"
#include "playground/lessons/lessons.h"
#include "playground/models/own_models.h"
#include "playground/state/view_table.h"

namespace {

using namespace attn;
using attn::testing::Visit;

constexpr auto kTexts = std::to_array<const char*>({"", " ", "word", "one step", "Your journey starts with one step",
                                                    "a b c d e f g h i j k l m n o p q r s t u v w", "é 🙂 e\u0301",
                                                    "שלום עולם", "the the the the", "\xFF\xFE", "a\nb\tc", ".,;!?"});
constexpr auto kTyped =
    std::to_array<const char*>({"a", " ", "7", "-1", "0.5", "nan", "1e9", "1 2\n3 4", "é", "🙂", ",", ""});
// What a link may add to the state as it is.
constexpr auto kKeys = std::to_array<const char*>({"heads=1",
                                                   "heads=2&d_out=4",
                                                   "heads=4&d_out=8",
                                                   "heads=3&d_out=3",
                                                   "kv_heads=1",
                                                   "kv_heads=2",
                                                   "d_in=1",
                                                   "d_in=6",
                                                   "latent=2",
                                                   "latent=0",
                                                   "latent_queries=2",
                                                   "pos=rope",
                                                   "pos=none",
                                                   "pos=alibi",
                                                   "pos=learned",
                                                   "rope_dim=2",
                                                   "rope_dim=0",
                                                   "mask=none",
                                                   "mask=causal",
                                                   "mask_window=2&mask_sinks=1",
                                                   "mask_at=after",
                                                   "mask_at=raw",
                                                   "mask_at=before",
                                                   "sink_logits=1",
                                                   "sink_logits=0",
                                                   "qk_norm=1",
                                                   "qk_norm=0",
                                                   "score_cap=2",
                                                   "score_cap=0",
                                                   "logit_cap=2",
                                                   "logit_cap=0",
                                                   "dropout=0.5",
                                                   "dropout=0",
                                                   "out=0",
                                                   "out=1",
                                                   "bias=1",
                                                   "init=none",
                                                   "goal=pattern&target=1:1>0&steps=3",
                                                   "goal=next&steps=2",
                                                   "goal=none",
                                                   "steps=7",
                                                   "model=first-words&layer=1",
                                                   "model=first-words&layer=2",
                                                   "model=",
                                                   "compare=text%3D",
                                                   "compare=heads%3D1%26text%3Done",
                                                   "compare=",
                                                   "check=weights",
                                                   "check=all",
                                                   "check=",
                                                   "select=0,1",
                                                   "select=",
                                                   "combine=mean",
                                                   "combine=none",
                                                   "row_stat=entropy",
                                                   "cell=1,0,0",
                                                   "cell=2,5,3",
                                                   "cell=9,99,99",
                                                   "head=2",
                                                   "head=9",
                                                   "plane=principal",
                                                   "plane=1,3",
                                                   "edit=w_query[0,1]=0.5",
                                                   "edit=queries[1,0]=1,2",
                                                   "hide=values",
                                                   "hide=",
                                                   "text=one+two&text=&sentence=2",
                                                   "tokens=characters",
                                                   "embed=typed&x=1,2;3,4",
                                                   "embed=hash",
                                                   "prompt=3&at=1"});
constexpr auto kSizes =
    std::to_array<ImVec2>({{1280, 800}, {1280, 1000}, {1000, 540}, {820, 700}, {640, 420}, {390, 844}, {360, 480}});
constexpr auto kPressed = std::to_array<ImGuiKey>(
    {ImGuiKey_Tab,     ImGuiKey_Enter,     ImGuiKey_Escape,   ImGuiKey_LeftArrow, ImGuiKey_RightArrow,
     ImGuiKey_UpArrow, ImGuiKey_DownArrow, ImGuiKey_Space,    ImGuiKey_Backspace, ImGuiKey_Delete,
     ImGuiKey_Home,    ImGuiKey_End,       ImGuiKey_PageDown, ImGuiKey_A,         ImGuiKey_C,
     ImGuiKey_V,       ImGuiKey_X,         ImGuiKey_Y,        ImGuiKey_Z,         ImGuiKey_P});

enum class Action : std::uint8_t {
    open_link,  // the bytes up to a 0
    type_sentence,
    clear_sentence,
    type,
    press_item,
    drag_item,
    point,
    turn_wheel,
    press_key,
    press_key_with_ctrl,
    undo,
    redo,
    begin_lesson,
    choose_view,
    choose_stage,
    set_key,
    resize,
    lose_context,
    touch,
    rest,
    leave,
    drop_file,
    count
};

// Said when all is over.
struct ActionCount {
    long number = 0;
    ~ActionCount() { std::printf("visit_fuzz: %ld actions\n", number); }
} num_actions;

// What is small is computed and drawn in milliseconds; how long the rest takes is not the matter here.
bool is_small(const Inputs& inputs) {
    std::size_t num_bytes = 0;
    for (const std::string& text : inputs.texts) num_bytes += text.size();
    return num_bytes <= 128 && inputs.d_in <= 32 && inputs.d_out <= 32 && inputs.steps <= 50;
}

class Visitor {
public:
    explicit Visitor(std::string_view bytes) : bytes_(bytes) {
        visit_.frame();
        visit_.go_on(10);
    }

    void act() {
        while (!bytes_.empty()) {
            before_ = visit_.state();
            do_next();
            ++num_actions.number;
            visit_.go_on(2);
            stay_small();
            PlaygroundState legal = visit_.state();
            const Notes notes = clamp_to_legal(legal);
            ATTN_CHECK(legal == visit_.state(), "an illegal state: ", notes.empty() ? "" : notes[0]);
        }
        visit_.rest(2);
        visit_.go_on(30);
    }

private:
    std::size_t byte() {
        if (bytes_.empty()) return 0;
        const auto first = static_cast<unsigned char>(bytes_.front());
        bytes_.remove_prefix(1);
        return first;
    }
    template <class Entries>
    const auto& one_of(const Entries& entries) {
        return entries[byte() % entries.size()];
    }
    float share() { return static_cast<float>(byte()) / 255; }
    ImVec2 some_place() {
        const ImVec2 size = ImGui::GetIO().DisplaySize;
        const float x = share() * size.x;
        return {x, share() * size.y};
    }
    // As a panel writes to the state, and the frame makes it legal.
    template <class Write>
    void change(const Write& write) {
        PlaygroundState& state = visit_.program().session.state();
        write(state);
        clamp_to_legal(state);
    }

    void point_at(ImVec2 place) {
        ImGui::GetIO().AddMousePosEvent(place.x, place.y);
        visit_.frame();
    }
    void hold(bool is_down) {
        ImGui::GetIO().AddMouseButtonEvent(ImGuiMouseButton_Left, is_down);
        visit_.frame();
    }
    // Down on an item, at another place up.
    void press(bool drags) {
        const std::vector<UiItem>& items = visit_.program().ui.items();
        if (items.empty()) return;
        const UiItem& item = items[(byte() << 8U | byte()) % items.size()];
        const ImVec2 from = {item.min.x + (item.max.x - item.min.x) * share(),
                             item.min.y + (item.max.y - item.min.y) * share()};
        point_at(from);
        hold(true);
        if (drags) point_at(some_place());
        if (drags) point_at(some_place());
        hold(false);
    }
    void press_key(bool with_ctrl) {
        const ImGuiKey key = one_of(kPressed);
        ImGuiIO& io = ImGui::GetIO();
        if (with_ctrl) io.AddKeyEvent(ImGuiMod_Ctrl, true);
        io.AddKeyEvent(key, true);
        visit_.frame();
        io.AddKeyEvent(key, false);
        if (with_ctrl) io.AddKeyEvent(ImGuiMod_Ctrl, false);
    }
    void open(std::string_view link) {
        if (is_small(read_link(link).state.inputs)) visit_.next.link = std::string(link);
    }

    void do_next() {
        switch (static_cast<Action>(byte() % static_cast<std::size_t>(Action::count))) {
            case Action::open_link: {
                const std::string_view link = bytes_.substr(0, bytes_.find('\0'));
                bytes_.remove_prefix(std::min(link.size() + 1, bytes_.size()));
                return open(link);
            }
            case Action::type_sentence:
                visit_.next.sentence = one_of(kTexts);
                return;
            case Action::clear_sentence:
                visit_.next.sentence = "";
                return;
            case Action::type:
                return ImGui::GetIO().AddInputCharactersUTF8(one_of(kTyped));
            case Action::press_item:
                return press(false);
            case Action::drag_item:
                return press(true);
            case Action::point:
                return point_at(some_place());
            case Action::turn_wheel:
                return ImGui::GetIO().AddMouseWheelEvent(0, share() * 6 - 3);
            case Action::press_key:
                return press_key(false);
            case Action::press_key_with_ctrl:
                return press_key(true);
            case Action::undo:
                visit_.program().session.undo();
                return;
            case Action::redo:
                visit_.program().session.redo();
                return;
            case Action::begin_lesson: {
                const Lesson& lesson = one_of(lessons());
                const int step = static_cast<int>(byte() % lesson.steps.size());
                return change([&](PlaygroundState& state) { go_to_step(state, lesson, step); });
            }
            case Action::choose_view:
                return change([&](PlaygroundState& state) { state.view.view = one_of(kViews).kind; });
            case Action::choose_stage:
                return change([&](PlaygroundState& state) { state.view.stage = one_of(stage_table()).id; });
            case Action::set_key:
                return open(concat(write_link(visit_.state()), "&", one_of(kKeys)));
            case Action::resize:
                ImGui::GetIO().DisplaySize = one_of(kSizes);
                return;
            case Action::lose_context:
                visit_.next.gl_was_lost = true;
                return;
            case Action::touch:
                visit_.next.is_touch = !visit_.next.is_touch;
                return;
            case Action::rest:
                return visit_.rest(share() * 2);
            case Action::leave:
                visit_.next.is_closing = true;
                return;
            case Action::drop_file:
                visit_.next.files.push_back({.name = byte() % 2 == 0 ? "a.csv" : "a.attention",
                                             .media_type = "",
                                             .bytes = byte() % 2 == 0 ? "1,2\n3,4\n" : "{}"});
                return;
            case Action::count:
                return;
        }
    }

    // What visitors can build up by pressing is taken back.
    void stay_small() {
        change([&](PlaygroundState& state) {
            if (!is_small(state.inputs)) state = before_;
            state.view.pairs = std::min(state.view.pairs, 200);
        });
    }

    std::string_view bytes_;
    Visit visit_;
    PlaygroundState before_;  // the last action
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    static const bool is_open = (open_own_models(), true);
    ATTN_CHECK(is_open, "no models");
    Visitor(test::text_of(bytes, size)).act();
    return 0;
}

std::string input_of_link(std::string_view link) {
    std::string input(1, static_cast<char>(Action::open_link));
    input += link;
    input += '\0';
    for (int n = 0; n < 60; ++n) input += static_cast<char>(n * 37 + static_cast<int>(link.size()) * 11);
    return input;
}
