// What the author of a page leaves out, fixes, or leaves blank.
#include "ui/kit/lock.h"

#include "core/ground/check.h"
#include "playground/link/hiding.h"
#include "playground/link/state_url.h"
#include "ui/screen.h"

using namespace attn;
using namespace attn::testing;

TEST_CASE("a control that is left out has no row, the others stay", "[lock]") {
    Screen screen({1280, 1400}, "hide=control.heads,control.mask,control.seed");
    CHECK_FALSE(screen.has("heads+"));
    CHECK_FALSE(screen.has("mask=none"));
    CHECK_FALSE(screen.has("seed+"));
    CHECK(screen.has("d_out+"));
    CHECK(screen.has("scale=dim"));
}

TEST_CASE("every row of the settings can be left out", "[lock][property]") {
    const std::string everything = "bias=1&dropout=0.5&edit=w_query[0,0]=1&pos=alibi&mask_window=3";
    std::string all;
    for (const std::string& name : hideable_names()) {
        if (name.starts_with("control.")) all += concat(all.empty() ? "" : ",", name);
    }
    const bool is_bare = GENERATE(false, true);
    const Screen screen({1280, 1800}, is_bare ? concat(everything, "&hide=", all) : everything);
    for (const std::string_view key :
         {"tokens=chars", "embed=torch", "pos=none", "d_in+", "d_out+", "heads+", "mask=none", "mask_at=raw",
          "scale=dim", "temperature+", "dropout+", "dropout_seed+", "init=identity", "seed+", "bias", "out",
          "edit=", "combine=mean", "row_stat=sum"}) {
        INFO(key);
        CHECK(screen.has(key) != is_bare);
    }
}

TEST_CASE("a locked control is seen and cannot be changed", "[lock]") {
    Screen screen({1280, 1400}, "lock=heads,mask,bias,seed,stage,view,text");
    const PlaygroundState before = screen.state();
    for (const char* name : {"heads+", "mask=none", "bias", "seed+", "stage=scores", "view=lines"}) {
        screen.click(name);
        INFO(name);
        CHECK(screen.state() == before);
    }
    screen.click("d_out+");
    CHECK(screen.state().inputs.d_out == before.inputs.d_out + 2);
}

TEST_CASE("with everything locked nothing that is clicked changes what decides the numbers", "[lock][property]") {
    Screen screen({1280, 1400}, "lock=all&cell=1,3,2&edit=w_query[0,0]=1");
    const Inputs before = screen.state().inputs;
    std::vector<std::string> names;
    for (const UiItem& item : screen.items()) names.push_back(item.name);
    for (const std::string& name : names) {
        if (!screen.has(name) || name == "share") continue;
        screen.click(name);
        screen.press(ImGuiKey_Escape);
        INFO(name);
        CHECK(screen.state().inputs == before);
    }
}

TEST_CASE("a hidden stage is not on the strip, and of the roles the others stay together", "[lock]") {
    const Screen screen({1280, 800}, "hide=stage.scores,stage.keys");
    CHECK_FALSE(screen.has("stage=scores"));
    CHECK_FALSE(screen.has("stage=keys"));
    CHECK(screen.has("stage=queries"));
    CHECK(screen.has("stage=values"));
    CHECK(screen.has("stage=weights"));
}

TEST_CASE("parts of the screen are left out by name", "[lock]") {
    const Screen screen({1280, 800}, "hide=check,undo,share,lessons,theme");
    for (const char* name : {"check", "undo", "redo", "share", "lessons", "theme"}) {
        INFO(name);
        CHECK_FALSE(screen.has(name));
    }
    CHECK(screen.has("view=matrix"));
}

TEST_CASE("the number of a blank cell cannot be typed over", "[lock]") {
    CHECK(Screen({1280, 900}, "stage=queries&cell=1,3,1").has("edit"));
    CHECK_FALSE(Screen({1280, 900}, "stage=queries&cell=1,3,1&hide=queries[1,3,1]").has("edit"));
    CHECK_FALSE(Screen({1280, 900}, "stage=queries&cell=1,3,1&lock=edit").has("edit"));
}

TEST_CASE("views that would draw a blank number are not shown", "[lock]") {
    Screen screen({1280, 800}, "view=lines&hide=weights[1,3,2]");
    CHECK(screen.has("check numbers"));
    screen.click("check numbers");
    CHECK(screen.state().view.view == ViewKind::matrix);
}
