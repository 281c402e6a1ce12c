// view=model on the screen: cards, words and votes that can be pressed, a head switched off, words said.
#include "core/ground/check.h"
#include "playground/models/model_numbers.h"
#include "playground/models/model_opening.h"
#include "playground/models/small_model.h"
#include "playground/state/open_models.h"
#include "playground/state/origin.h"
#include "ui/screen.h"
#include "ui/views/saying.h"
#include "views/model/model_words.h"

using namespace attn;
using namespace attn::testing;
using attn::test::ModelIsOpen;
using attn::test::small_model;

namespace {

constexpr const char* kLink = "text=the+artist+painted+the+portrait&model=small&view=model&layer=2";

// Work of three layers, a layer a step.
struct ThreeLayers {
    int num_done = 0;
    ModelProgress progress() const { return {.num_layers_done = num_done, .num_layers = 3}; }
    bool is_done() const { return num_done == 3; }
    void advance(std::int64_t /*multiply_adds*/) { ++num_done; }
};

}  // namespace

TEST_CASE("long work goes on behind a frame that shows how far it is", "[model-view]") {
    const auto work = std::make_shared<ThreeLayers>();
    WidgetMemory widgets;
    go_on_with_model(widgets, {.is_long = true}, work, 1, 1);
    CHECK(work->num_done == 1);
    REQUIRE(widgets.left.size() == 1);
    CHECK(widgets.left[0]());  // a frame follows, and goes on
    CHECK(work->num_done == 2);
    widgets.left.clear();
    go_on_with_model(widgets, {.is_long = true}, work, 1, 1);
    CHECK(work->is_done());
    CHECK(widgets.left.empty());  // this frame shows it
    go_on_with_model(widgets, {.is_long = true}, work, 1, 1);
    CHECK(widgets.left.empty());
    work->num_done = 0;
    go_on_with_model(widgets, {.is_long = true, .is_stopped = true}, work, 1, 1);
    CHECK(work->num_done == 0);
}

TEST_CASE("a head is chosen by a press, and opened by a second one", "[model-view]") {
    const ModelIsOpen model(small_model());
    Screen screen({1280, 800}, kLink);
    screen.click("layer=1&head=3");
    CHECK(screen.state().inputs.layer == 0);
    CHECK(screen.state().view.head == 2);
    CHECK(screen.state().view.view == ViewKind::model);
    screen.click("layer=1&head=3");
    CHECK(screen.state().view.view == ViewKind::matrix);
    CHECK(screen.state().view.stage == TensorId::weights);
    CHECK(screen.state().view.head == 2);
    CHECK(screen.evaluation().num_tokens() == 5);
}

TEST_CASE("mean and rollout are maps of a layer", "[model-view]") {
    const ModelIsOpen model(small_model());
    Screen screen({1280, 1600}, kLink);
    screen.click("layer=2&map=rollout");
    CHECK(screen.state().view.map == LayerMap::rollout);
    screen.click("layer=1&map=mean");
    CHECK(screen.state().view.map == LayerMap::mean);
    CHECK(screen.state().inputs.layer == 0);
    CHECK_FALSE(screen.has("model=laboratory"));
    screen.click("vote=2.1");
    CHECK(screen.state().view.map == LayerMap::head);
    CHECK(screen.state().inputs.layer == 1);
    screen.click("model=laboratory");
    CHECK(screen.state().view.view == ViewKind::matrix);
}

TEST_CASE("a word that is pressed is voted for", "[model-view]") {
    const ModelIsOpen model(small_model());
    Screen screen({1280, 800}, kLink);
    std::string word;
    for (const UiItem& item : screen.items()) {
        if (item.name.starts_with("word=")) word = item.name.substr(5);
    }
    REQUIRE_FALSE(word.empty());
    screen.point_at("next=say");
    screen.scroll_to(concat("word=", word));
    screen.click(concat("word=", word));
    CHECK(screen.state().view.word == word);
}

TEST_CASE("a head is switched off and on again, and no other one", "[model-view]") {
    const ModelIsOpen model(small_model());
    const auto off_after = [](const char* keys, int presses) {
        Screen screen({1280, 800}, concat(kLink, keys));
        for (int i = 0; i < presses; ++i) screen.click("off=2:2");
        return screen.state().inputs.off;
    };
    CHECK(off_after("&head=2", 1) == std::vector<HeadOff>{{1, 1}});
    CHECK(off_after("&head=2", 2).empty());
    CHECK(off_after("&head=2&off=2:*", 1) == std::vector<HeadOff>{{1, 0}, {1, 2}});
    CHECK(off_after("&head=2&lock=off", 1).empty());
}

TEST_CASE("words are said one after the other, the same ones for the same seed", "[model-view]") {
    const ModelIsOpen model(small_model());
    const auto said = [&](const char* keys) {
        Screen screen({1280, 800}, concat(kLink, keys));
        screen.click("next=say");
        screen.click("next=say");
        CHECK(screen.state().view.said == 2);
        return screen.state().inputs.texts[0];
    };
    const std::string first = said("&next_seed=3");
    CHECK(first == said("&next_seed=3"));
    CHECK(first.starts_with("the artist painted the portrait"));  // a piece such as "##s" joins the last word
    {
        Screen most({1280, 800}, concat(kLink, "&next_temperature=0"));
        most.click("next=say");
        CHECK(most.evaluation().num_tokens() == 6);
    }
    Screen full({1280, 800}, concat(kLink, "&text=the+artist+painted+the+portrait+of+a+woman+with"));
    full.state().inputs.texts = {"the artist painted the portrait of a woman with"};
    full.settle();
    full.click("next=say");
    CHECK(full.state().inputs.texts[0] == "the artist painted the portrait of a woman with");  // nine positions
}

TEST_CASE("work on a model that is read from its file is stopped, and goes on", "[model-view][store]") {
    constexpr ModelRoom kLittleRoom = {.most_bytes = 1, .part_bytes = 512, .tell_wanted = [] {}};
    Result<ModelOpening> opening =
        ModelOpening::begin(attn::test::small_model_files(attn::test::random_gpt2()), kLittleRoom);
    REQUIRE(opening);
    while (!opening->is_done()) REQUIRE(opening->advance(1000).empty());
    const auto made = opening->take("small");
    REQUIRE(made);
    const ModelIsOpen model(*made);
    ModelStore& store = *(*made)->store();
    const auto bring = [&] {
        while (store.wants_bytes()) {
            const TensorSlice slice = store.next(1000);
            REQUIRE(store.read(slice).empty());
            store.slice_is_there(slice);
        }
    };
    const char* view = GENERATE("model", "cache");
    CAPTURE(view);
    Screen screen({1280, 1600}, concat(kLink, "&view=", view));
    const auto num_layers = [&] { return model_text(screen.state().inputs, 0)->run->num_layers_done(); };
    for (int n = 0; n < 1000 && !screen.has("next=stop"); ++n) {
        bring();
        screen.frame();
    }
    screen.click("next=stop");
    const int stopped_at = num_layers();
    for (int n = 0; n < 50; ++n) {
        bring();
        screen.frame();
    }
    CHECK(num_layers() == stopped_at);
    CHECK(stopped_at < 2);
    screen.click("next=stop");
    for (int n = 0; n < 1000 && screen.has("next=stop"); ++n) {
        bring();
        screen.frame();
    }
    CHECK_FALSE(screen.has("next=stop"));
    CHECK(num_layers() == 2);
    screen.click("next=say");
    CHECK(screen.state().view.said == 1);
}

TEST_CASE("the view is drawn at every width, light and dark, with a model of every kind", "[model-view]") {
    for (const auto& [name, checkpoint] : attn::test::all_checkpoints()) {
        const ModelIsOpen model(small_model("small", checkpoint));
        for (const ImVec2 size : {ImVec2(1280, 800), ImVec2(700, 800), ImVec2(360, 640)}) {
            for (const char* keys : {"", "&off=1:1,2:*&theme=dark", "&map=rollout", "&text=the"}) {
                CAPTURE(name, size.x, keys);
                Screen screen(size, concat(kLink, keys));
                CHECK(screen.has("layer=2&head=1"));
            }
        }
    }
}

TEST_CASE("a state is kept as B, and its words stand below those of what is changed then", "[model-view][compare]") {
    const ModelIsOpen model(small_model());
    for (const ImVec2 size : {ImVec2(1280, 1600), ImVec2(360, 1600)}) {
        Screen screen(size, kLink);
        screen.scroll_to("compare=now");
        std::string word;
        for (const UiItem& item : screen.items()) {
            if (item.name.starts_with("word=")) word = item.name;
        }
        REQUIRE_FALSE(word.empty());
        const auto height_of_word = [&] { return screen.at(word).max.y - screen.at(word).min.y; };
        const float height = height_of_word();
        CHECK_FALSE(screen.has("compare=none"));
        const ImVec2 say = screen.middle("next=say");
        screen.click("compare=now");
        CHECK(screen.middle("next=say").y == say.y);  // nothing moves under the pointer
        CHECK_FALSE(screen.state().view.compare.empty());
        CHECK(height_of_word() > 1.9F * height);
        const float right = screen.at(word).max.x;  // of the column
        for (const char* name : {"compare=now", "compare=none"}) CHECK(screen.at(name).max.x <= right);
        screen.state().inputs.texts = {"the artist"};
        screen.settle();
        CHECK(screen.has("compare=none"));
        screen.scroll_to("compare=none");
        screen.click("compare=none");
        CHECK(screen.state().view.compare.empty());
    }
}

TEST_CASE("without a model the view offers one, and a model that is not here is named", "[model-view]") {
    Screen screen({1280, 800}, "view=model");
    CHECK(screen.has("model=own-words"));
    screen.click("model=first-words");
    CHECK(screen.state().inputs.model == kFirstWords.name);
    CHECK_FALSE(screen.has("model=first-words"));
}

TEST_CASE("a link of the first screen leads to the trained model, and keeps a text that somebody typed",
          "[model-view]") {
    {
        Screen screen({1280, 800});
        screen.click("try=model");
        CHECK(screen.state().inputs.model == kFirstWords.name);
        CHECK(screen.state().view.view == ViewKind::model);
        CHECK(screen.state().inputs.texts[0] == find_model_card(kFirstWords.name)->starts[0].text);
        CHECK(screen.state().inputs.layer == 1);
        CHECK_FALSE(screen.state().view.head);
        CHECK(screen.has("off=2:7"));  // the head that decides the word is looked at
    }
    Screen own({1280, 800}, "text=my+own+words");
    own.click("try=model");
    CHECK(own.state().inputs.model == kFirstWords.name);
    CHECK(own.state().inputs.texts[0] == "my own words");
}

TEST_CASE("the card's sentences to start from fit a phone, and one that is pressed is the sentence", "[model-view]") {
    const ModelIsOpen model(small_model(std::string(kFirstWords.name)));
    for (const ImVec2 size : {ImVec2(1280, 800), ImVec2(360, 640)}) {
        Screen screen(size, "text=the+artist&model=first-words&view=model");
        screen.click("model=card");
        const UiItem* first = nullptr;
        for (const UiItem& item : screen.items()) {
            if (item.name == "start=1") first = &item;
        }
        REQUIRE(first != nullptr);
        CHECK(first->max.x <= size.x - 12);
        screen.click("start=1");
        CHECK(screen.state().inputs.texts[0] == find_model_card(kFirstWords.name)->starts[0].text);
    }
}

TEST_CASE("the strip has a stepper for a model's layers", "[model-view]") {
    const ModelIsOpen model(small_model());
    {
        Screen screen({1280, 800}, "text=the+artist&model=small");
        CHECK(screen.state().inputs.layer == 0);
        screen.click("layer+");
        CHECK(screen.state().inputs.layer == 1);
        screen.click("layer-");
        CHECK(screen.state().inputs.layer == 0);
    }
    {
        Screen small({360, 640}, "text=the+artist&model=small");
        CHECK(small.has("layer+"));
    }
    Screen random({1280, 800});
    CHECK_FALSE(random.has("layer+"));
}

TEST_CASE("at the model's last position the view says so, and offers the sentence without the words that were said",
          "[model-view]") {
    const int most = find_open_model(kFirstWords.name)->shape().max_tokens;
    std::string text = "k";
    for (int tokens = 2; tokens + 1 < most; ++tokens) text += "+k";  // one is the model's own, and one is left
    Screen screen({1280, 1600}, concat("model=first-words&view=model&text=", text));
    const std::string before = screen.state().inputs.texts[0];
    screen.click("next=say");
    CHECK(screen.state().view.said == 1);
    CHECK(screen.state().inputs.texts[0].size() > before.size());
    CHECK_FALSE(screen.has("next=anew"));
    screen.click("next=say");
    screen.click("next=say");  // there is no room for another word: neither is anything pressed
    CHECK(screen.state().view.said == 1);
    screen.click("next=write");
    CHECK(screen.state().view.said == 1);
    screen.click("next=anew");
    CHECK(screen.state().inputs.texts[0] == before);
    CHECK(screen.state().view.said == 0);
    CHECK_FALSE(screen.has("next=anew"));
}
