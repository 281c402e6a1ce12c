// The program without a window: what comes in, what is asked for, what is made between frames, what is said.
#include "app/program.h"

#include <algorithm>
#include <catch_amalgamated.hpp>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "app/computing.h"
#include "app/files.h"
#include "app/model_files.h"
#include "app/news.h"
#include "app/pieces.h"
#include "app/requests.h"
#include "app/visit.h"
#include "core/ground/check.h"
#include "model/files/safetensors_writer.h"
#include "playground/lessons/lessons.h"
#include "playground/link/state_url.h"
#include "playground/models/small_model.h"
#include "playground/state/origin.h"
#include "samples.h"
#include "share/formats/zip_file.h"
#include "ui/headless_imgui.h"

using namespace attn;
using namespace attn::testing;
using Catch::Matchers::ContainsSubstring;

namespace {

TextBitmap blank_text(std::string_view, float pixel_size, bool) {
    TextBitmap bitmap;
    bitmap.width = bitmap.height = 1;
    bitmap.advance = pixel_size / 2;
    bitmap.rgba.assign(4, 255);
    return bitmap;
}

double now = 1;  // seconds; goes on by a millisecond whenever somebody looks
double look_at_clock() {
    return now += 0.001;
}

struct App {
    explicit App(std::string_view link) {
        program.session.open_link(link);
        program.session.settle(0);
    }

    void ask_for(UiRequest::Kind kind, ExportKind what) {
        program.requests.push_back({.kind = kind, .what = what, .options = {}, .text = {}});
    }
    FrameOutput answer() {
        FrameOutput output;
        take_requests(program, now, output);
        return output;
    }
    // Work and frames until a file comes out. Returns it; empty if none comes.
    std::string made_file() {
        for (int frame = 0; frame < 5000; ++frame) {
            const FrameOutput output = answer();
            if (output.save) return output.save->bytes;
            while (program.computation.is_running()) work(program);
            now += 0.1;
        }
        return {};
    }

    HeadlessImgui imgui;
    Session session;
    Program program{Ui::create_without_gl(blank_text), World{.seconds = look_at_clock, .draw_png = {}}, session};
};

constexpr std::string_view kLong = "d_in=64&d_out=64&heads=4&text=";

std::string long_text() {
    std::string link(kLong);
    for (int i = 0; i < 900; ++i) link += concat("w", i, "+");
    return link;
}

}  // namespace

TEST_CASE("a copy leaves in the frame that asks for it", "[app]") {
    App app("text=one+step");
    app.ask_for(UiRequest::Kind::copy, ExportKind::csv);
    const FrameOutput output = app.answer();
    REQUIRE(output.copy);
    CHECK_THAT(*output.copy, ContainsSubstring("1,weights,1,0,0,1"));
    CHECK(output.wants_another);
    CHECK(app.program.requests.empty());
    CHECK_THAT(app.program.outcome, ContainsSubstring("Copied"));
}

TEST_CASE("a file of a long text waits for the numbers, and for a frame that says so", "[app]") {
    App app(long_text());
    app.ask_for(UiRequest::Kind::save, ExportKind::csv);
    const FrameOutput output = app.answer();
    CHECK_FALSE(output.save);
    REQUIRE_FALSE(app.program.computation.is_complete());
    CHECK(app.program.requests.size() == 1);
    while (app.program.computation.is_running()) work(app.program);
    CHECK(app.program.computation.large_bytes() > 0);
    CHECK_FALSE(app.answer().save);
    CHECK_THAT(app.program.outcome, ContainsSubstring("being made"));
    now += 1;
    CHECK_FALSE(app.answer().save);  // nobody has heard it yet
    CHECK_THAT(take_news(app.program), ContainsSubstring("being made"));
    CHECK_FALSE(app.answer().save);  // the event that asked for it goes on
    work(app.program);
    CHECK(app.made_file().size() > 100000);
    CHECK(app.program.requests.empty());
}

TEST_CASE("another state makes the file that is being made anew", "[app]") {
    App app("text=one+step");
    app.ask_for(UiRequest::Kind::save, ExportKind::session);
    app.program.making.emplace(ExportKind::session, app.program.session.state(), ExportOptions());
    app.program.session.open_link("text=two+steps+more");
    app.program.session.settle(2);
    CHECK_THAT(app.made_file(), ContainsSubstring("two"));
}

TEST_CASE("what cannot be made is said, and the next file is made all the same", "[app][bad-input]") {
    App app("text=one+step");
    app.ask_for(UiRequest::Kind::save, ExportKind::png);  // there is nobody to draw it
    app.ask_for(UiRequest::Kind::save, ExportKind::session);
    const FrameOutput output = app.answer();
    REQUIRE(output.save);
    CHECK_THAT(output.save->bytes, ContainsSubstring("one"));
    CHECK(app.program.session.notes().size() == 1);
}

TEST_CASE("the second of two files waits until the question about the first is answered", "[app]") {
    App app("text=one+step");
    // A table that could be several things asks; a session file is opened at once.
    const FileData table = {.name = "a.csv", .media_type = "", .bytes = "1,2\n3,4\n"};
    PlaygroundState other = app.program.session.state();
    std::vector<FileData> files = {table, {.name = "b.csv", .media_type = "", .bytes = "5,6\n7,8\n"}};
    CHECK_FALSE(take_files(app.program, files));
    CHECK(app.program.ui.is_asking());
    CHECK(app.program.files.size() == 1);
    CHECK(app.program.session.state() == other);
}

TEST_CASE("a file that cannot be read leaves the state as it was, with a sentence", "[app][bad-input]") {
    App app("text=one+step");
    const PlaygroundState before = app.program.session.state();
    std::vector<FileData> files = {{.name = "a\nb.npy", .media_type = "", .bytes = "no array"}};
    CHECK_FALSE(take_files(app.program, files));
    CHECK(app.program.session.state() == before);
    REQUIRE(app.program.session.notes().size() == 1);
    CHECK_THAT(app.program.session.notes()[0], ContainsSubstring("a b.npy: "));
    CHECK_FALSE(app.program.ui.is_asking());
}

TEST_CASE("a screen reader hears each thing once", "[app]") {
    App app("text=one+step");
    update(app.program);
    CHECK_FALSE(take_news(app.program).empty());
    CHECK(take_news(app.program).empty());
    tell(app.program, "Made a.csv.");
    CHECK(take_news(app.program) == "Made a.csv.");
    CHECK(take_news(app.program).empty());
}

TEST_CASE("a screen reader is told what was set anew, and no lesson's settings one by one", "[app]") {
    App app("text=one+step");
    update(app.program);
    take_news(app.program);
    app.program.session.state().inputs.mask = Mask::none;
    update(app.program);
    CHECK_THAT(take_news(app.program), ContainsSubstring("mask: none."));
    app.program.session.open_link("text=one+step&embed=typed&mask=none");
    update(app.program);
    CHECK_THAT(take_news(app.program), ContainsSubstring("embed"));
    app.program.session.open_link("lesson=causal&step=2");
    update(app.program);
    const std::string news = take_news(app.program);
    CHECK_THAT(news, ContainsSubstring("step 2"));
    CHECK_THAT(news, !ContainsSubstring("settings changed"));
}

TEST_CASE("a computation that is stopped is gone on with when a file needs it", "[app]") {
    App app(long_text());
    update(app.program);
    REQUIRE(app.program.computation.is_running());
    app.program.computation.stop();
    app.ask_for(UiRequest::Kind::save, ExportKind::session);
    app.answer();
    CHECK(app.program.computation.is_running());
}

TEST_CASE("the first map of a long text asks for a frame", "[app]") {
    App app(long_text());
    update(app.program);
    app.program.drawn_at = now;
    bool wants_frame = false;
    int pieces = 0;
    for (WorkOutput output = {.has_more = true}; output.has_more && pieces < 100000; ++pieces) {
        output = work(app.program);
        wants_frame = wants_frame || output.wants_frame;
    }
    CHECK(wants_frame);
    CHECK(app.program.computation.is_complete());
    CHECK(pieces > 1);
}

TEST_CASE("playing asks for one frame after the other, tells its loss at rest, and then asks for none",
          "[app][learn]") {
    App app("goal=pattern&target=1:10>1&optimizer=adam&rate=0.05");
    Program& program = app.program;
    double seconds = 10;
    const auto frame = [&] {
        update(program);
        app.imgui.frame([&] { program.ui.draw(program.session, program.computation.evaluator(), UiSurroundings()); });
        const bool is_out_of_date = program.session.settle(seconds += 0.016);
        return is_out_of_date || program.ui.wants_another_frame();
    };
    const auto middle_of = [&](std::string_view name) {
        for (const UiItem& item : program.ui.items()) {
            if (item.name == name) return ImVec2((item.min.x + item.max.x) / 2, (item.min.y + item.max.y) / 2);
        }
        FAIL("no item " << name);
        return ImVec2();
    };
    for (int n = 0; n < 10; ++n) frame();
    const ImVec2 play = middle_of("play");
    ImGui::GetIO().AddMousePosEvent(play.x, play.y);
    for (const bool is_down : {false, true, false}) {
        ImGui::GetIO().AddMouseButtonEvent(ImGuiMouseButton_Left, is_down);
        frame();
        frame();
    }
    int num_frames = 0;
    while (program.ui.is_playing()) {
        CHECK(frame());
        CHECK_FALSE(program.session.take_step(seconds));  // no link while it plays
        REQUIRE(++num_frames < 1000);
    }
    CHECK(num_frames > 90);  // a step a frame, up to 100
    for (int more = 0; frame(); ++more) REQUIRE(more < 20);
    update(program);
    CHECK_THAT(take_news(program), ContainsSubstring("Step 100: loss "));
    CHECK(program.session.take_step(seconds + 1));
}

TEST_CASE("a large file is read after a frame has said so", "[app]") {
    App app("text=one+step");
    app.program.drawn_at = now;
    std::vector<FileData> files = {{.name = "a.npy", .media_type = "", .bytes = std::string(1 << 20, 'x')}};
    CHECK(take_files(app.program, files));
    CHECK_THAT(app.program.outcome, ContainsSubstring("a.npy is being read"));
    CHECK(app.program.session.notes().empty());
    app.program.drawn_at += 1;
    CHECK_FALSE(take_files(app.program, files));
    CHECK(app.program.session.notes().size() == 1);
}

TEST_CASE("in every step of every lesson the page's field can be cleared and filled under a resting pointer",
          "[app][lessons][bad-input]") {
    const auto every = static_cast<std::size_t>(attn::test::sample_step(3));  // others of each next lesson
    std::size_t num_lessons = 0;
    for (const Lesson& lesson : lessons()) {
        Visit visit;
        for (std::size_t step = num_lessons++ % every; step < lesson.steps.size(); step += every) {
            CAPTURE(lesson.name, step + 1);
            const auto type = [&](std::string_view text) {
                visit.next.sentence = text;
                visit.go_on(3);
            };
            visit.next.link = concat("lesson=", lesson.name, "&step=", step + 1);
            visit.go_on(1);
            ImGui::GetIO().AddMousePosEvent(step % 2 == 0 ? 560.0F : 1150.0F, 380);
            visit.go_on(3);
            for (const char* text : {"", "word", "", "one step"}) type(text);
            // The link of an empty sentence, as a reload opens it.
            visit.next.link = concat("text=&lesson=", lesson.name, "&step=", step + 1);
            visit.go_on(3);
            CHECK(visit.state().inputs.texts.front().empty());
            visit.rest(2);
            visit.go_on(3);
        }
    }
}

TEST_CASE("an empty sentence in a lesson is told, and nothing is pointed at", "[app][lessons][bad-input]") {
    Visit visit;
    visit.next.link = "text=&lesson=causal&step=1";
    ImGui::GetIO().AddMousePosEvent(560, 380);
    std::string told;
    for (int n = 0; n < 5; ++n, visit.rest(2)) told += visit.frame().announcement;
    CHECK_THAT(told, ContainsSubstring("type a sentence"));
    CHECK(visit.program().ui.hover() == Hover());
    const std::vector<UiItem>& items = visit.program().ui.items();
    const auto has = [&](std::string_view name) {
        return std::any_of(items.begin(), items.end(), [&](const UiItem& item) { return item.name == name; });
    };
    CHECK(has("example=0"));
    CHECK(has("step+"));
    CHECK_FALSE(has("example"));
}

TEST_CASE("the example of the empty panel comes with the rest of the program", "[app]") {
    Visit visit;
    const auto has_example = [&] {
        return std::ranges::any_of(visit.program().ui.items(),
                                   [](const UiItem& item) { return item.name == "example"; });
    };
    visit.go_on(20);
    CHECK_FALSE(has_example());
    visit.next.has_all = true;
    visit.go_on(20);
    CHECK(has_example());
}

TEST_CASE("the program's good news stay to be read, and are no failure", "[app]") {
    Visit visit;
    visit.next.success = "Saved as a.csv.";
    std::string told;
    for (int n = 0; n < 5; ++n, visit.rest(1)) told += visit.frame().announcement;
    CHECK_THAT(told, ContainsSubstring("Saved as a.csv."));
    CHECK(visit.program().session.notes() == Notes{"Saved as a.csv."});
    CHECK_FALSE(visit.program().session.is_failure("Saved as a.csv."));
}

TEST_CASE("the files of a model are read between frames, and then the state shows it", "[app][model]") {
    App app("text=the+artist");
    const test::Checkpoint checkpoint = test::random_gpt2();
    std::string numbers = checkpoint.file();
    std::vector<FileData> files(3);
    files[0] = {.name = "config.json", .media_type = {}, .bytes = checkpoint.config};
    files[1] = {.name = "tokenizer.json", .media_type = {}, .bytes = test::kSmallTokenizer};
    files[2] = {.name = "model.safetensors",
                .media_type = {},
                .bytes = {},
                .size = numbers.size(),
                .read_part = [&](std::uint64_t begin, std::span<std::uint8_t> into) {
                    std::copy_n(numbers.begin() + static_cast<std::ptrdiff_t>(begin), into.size(), into.begin());
                    return std::string();
                }};
    CHECK_FALSE(take_files(app.program, files));
    REQUIRE(app.program.opening_model);
    while (app.program.opening_model) work(app.program);
    const Inputs& inputs = app.program.session.state().inputs;
    const std::string name = inputs.model;
    CHECK_THAT(name, Catch::Matchers::StartsWith("gpt2-"));
    CHECK(inputs.num_heads == 3);
    app.program.session.settle(now);
    CHECK(app.program.session.undo());
    CHECK(app.program.session.state().inputs.model.empty());
    close_model(name);
}

TEST_CASE("a dropped file with one attention module becomes numbers of the heads here", "[app][model]") {
    App app("text=a+b&d_in=2&d_out=2&heads=1&pos=none&embed=hash&out=0");
    const std::vector<float> numbers = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
    const std::string file = write_safetensors(
        std::vector<WrittenTensor>{{.name = "in_proj_weight", .shape = {6, 2}, .numbers = numbers}}, "F32", {});
    for (const bool is_in_parts : {false, true}) {
        std::vector<FileData> files(1);
        files[0] = {.name = "mha.safetensors", .media_type = {}, .bytes = is_in_parts ? "" : file};
        if (is_in_parts) {
            files[0].size = file.size();
            files[0].read_part = [&](std::uint64_t begin, std::span<std::uint8_t> into) {
                std::copy_n(file.begin() + static_cast<std::ptrdiff_t>(begin), into.size(), into.begin());
                return std::string();
            };
        }
        CHECK_FALSE(take_files(app.program, files));
        CHECK_FALSE(app.program.opening_model);
        const PlaygroundState& state = app.program.session.state();
        CHECK(state.inputs.model.empty());
        CHECK(evaluate(state.inputs, 0).problem->projections->w_key == Matrix{{5, 7}, {6, 8}});
        app.program.session.settle(now);
        CHECK(app.program.session.undo());
    }
}

TEST_CASE("an archive of a model's folder opens as the folder does", "[app][model]") {
    App app("text=the+artist");
    const test::Checkpoint checkpoint = test::random_gpt2();
    const std::vector<ZipEntry> entries = {{.name = "m/config.json", .bytes = checkpoint.config},
                                           {.name = "m/tokenizer.json", .bytes = test::kSmallTokenizer},
                                           {.name = "m/model.safetensors", .bytes = checkpoint.file()},
                                           {.name = "__MACOSX/m/config.json", .bytes = "no"},
                                           {.name = "m/README.md", .bytes = "no"}};
    const auto take = [&](std::string bytes) {
        std::vector<FileData> files(1);
        files[0] = {.name = "m.zip", .media_type = {}, .bytes = std::move(bytes)};
        CHECK_FALSE(take_files(app.program, files));
        while (app.program.opening_model) work(app.program);
    };
    take(write_zip(entries));
    const std::string name = app.program.session.state().inputs.model;
    CHECK_THAT(name, Catch::Matchers::StartsWith("gpt2-"));
    std::string damaged = write_zip(entries);
    damaged[damaged.find(checkpoint.config)] ^= 1;
    take(damaged);
    take(write_zip({{.name = "README.md", .bytes = "no"}}));
    CHECK(app.program.session.state().inputs.model == name);
    close_model(name);
}

TEST_CASE("reading a model shows how far it is, and can be stopped: what was there stays", "[app][model]") {
    App app("text=the+artist&heads=2");
    test::Checkpoint checkpoint = test::random_gpt2();
    checkpoint.config.replace(checkpoint.config.find(R"("vocab_size":17)"), 15, R"("vocab_size":60000)");
    checkpoint.shapes["wte.weight"] = {60000, 12};  // about 3 MB: more than one piece
    const std::string numbers = checkpoint.file();
    std::vector<FileData> files(3);
    files[0] = {.name = "config.json", .media_type = {}, .bytes = checkpoint.config};
    files[1] = {.name = "tokenizer.json", .media_type = {}, .bytes = test::kSmallTokenizer};
    files[2] = {.name = "model.safetensors",
                .media_type = {},
                .bytes = {},
                .size = numbers.size(),
                .read_part = [&](std::uint64_t begin, std::span<std::uint8_t> into) {
                    now += 1;  // a slow disk
                    std::copy_n(numbers.begin() + static_cast<std::ptrdiff_t>(begin), into.size(), into.begin());
                    return std::string();
                }};
    const PlaygroundState before = app.program.session.state();
    CHECK_FALSE(read_share(app.program));
    take_files(app.program, files);
    REQUIRE(app.program.opening_model);
    CHECK(read_share(app.program) == 0.0F);
    const WorkOutput worked = work(app.program);
    CHECK(worked.has_more);
    CHECK(worked.wants_frame);  // that shows how far it is
    REQUIRE(read_share(app.program));
    CHECK(*read_share(app.program) > 0);
    CHECK(*read_share(app.program) < 1);

    stop_reading_model(app.program);
    CHECK_FALSE(app.program.opening_model);
    CHECK_FALSE(read_share(app.program));
    CHECK(app.program.session.state() == before);
    REQUIRE(app.program.session.notes().size() == 1);
    CHECK_THAT(app.program.session.notes()[0], ContainsSubstring("you stopped it"));
    CHECK_THAT(app.program.outcome, ContainsSubstring("you stopped it"));
}

namespace {

// As on a page whose own model has not been fetched yet.
class OwnModelIsAway {
public:
    OwnModelIsAway() : before_(find_open_model(kFirstWords.name)) { close_model(kFirstWords.name); }
    ~OwnModelIsAway() {
        if (before_) keep_model_open(before_);
    }

private:
    std::shared_ptr<const OpenModel> before_;
};

std::string_view shown_model(Visit& visit) {
    return shown_state(visit.program()).inputs.model;
}

}  // namespace

TEST_CASE("while the own model is on its way the picture before stays, whole, and says so", "[app][model]") {
    const OwnModelIsAway is_away;
    Visit visit;
    visit.next.link = "text=the+artist&seed=7";
    visit.frame();
    visit.next.link = "text=the+artist&view=model&model=first-words&layer=1";
    visit.go_on(10);
    CHECK(visit.state().inputs.model == kFirstWords.name);
    CHECK(shown_model(visit).empty());
    CHECK(visit.program().ui.shown_notes() == Notes{std::string(kOpeningModel)});

    // What is copied meanwhile is of what is on the screen.
    visit.program().requests.push_back(
        {.kind = UiRequest::Kind::copy, .what = ExportKind::json, .options = {}, .text = {}});
    const FrameOutput copied = visit.frame();
    REQUIRE(copied.copy);
    CHECK_THAT(*copied.copy, ContainsSubstring("seed=7"));
    visit.next.sentence = "the artist painted";
    visit.go_on(10);
    CHECK(shown_model(visit).empty());

    const test::ModelIsOpen opened(test::small_model(std::string(kFirstWords.name)));
    visit.go_on(10);
    CHECK(shown_model(visit) == kFirstWords.name);
    CHECK(shown_state(visit.program()) == visit.state());
    CHECK(visit.state().inputs.texts[0] == "the artist painted");
    CHECK(std::ranges::find(visit.program().ui.shown_notes(), kOpeningModel) == visit.program().ui.shown_notes().end());
}

TEST_CASE("an own model that does not come is waited for once", "[app][model][bad-input]") {
    const OwnModelIsAway is_away;
    Visit visit;
    visit.next.link = "text=a+b";
    visit.frame();
    visit.next.link = "text=a+b&model=first-words";
    visit.go_on(10);
    REQUIRE(shown_model(visit).empty());
    visit.next.note = "This page has no trained model called first-words.";
    visit.go_on(10);
    CHECK(shown_model(visit) == kFirstWords.name);
    visit.next.sentence = "a b c";
    visit.go_on(10);
    CHECK(shown_state(visit.program()).inputs.texts[0] == "a b c");
    visit.next.link = "text=d";
    visit.go_on(10);
    visit.next.link = "text=d&model=first-words";
    visit.go_on(10);
    CHECK(shown_model(visit) == kFirstWords.name);
}

TEST_CASE("a page that locks its settings does not wait with the picture before", "[app][model]") {
    const OwnModelIsAway is_away;
    Visit visit;
    visit.next.link = "text=a+b&lock=all";
    visit.frame();
    visit.next.link = "text=a+b&model=first-words&lock=all";
    visit.go_on(10);
    CHECK(visit.state().inputs.model == kFirstWords.name);
    CHECK(shown_model(visit) == kFirstWords.name);
}

TEST_CASE("files of a model that do not go together are a sentence, and what was there stays", "[app][bad-input]") {
    App app("text=the+artist");
    std::vector<FileData> files(1);
    files[0] = {.name = "config.json", .media_type = {}, .bytes = "{}"};
    take_files(app.program, files);
    CHECK_FALSE(app.program.opening_model);
    REQUIRE(app.program.session.notes().size() == 1);
    CHECK_THAT(app.program.session.notes()[0], ContainsSubstring("model's numbers is missing"));
    CHECK(app.program.session.state().inputs.model.empty());
}

TEST_CASE("notes above the picture are told, each once", "[app]") {
    Visit visit;
    visit.next.link = "text=one+step&heads=3&d_out=4";
    std::string told;
    for (int n = 0; n < 6; ++n, visit.rest(2)) told += visit.frame().announcement + "|";
    REQUIRE(visit.program().session.notes().size() == 1);
    const std::string note = visit.program().session.notes()[0];
    const std::size_t first = told.find(note);
    REQUIRE(first != std::string::npos);
    CHECK(told.find(note, first + 1) == std::string::npos);
}

TEST_CASE("what is told twice is another text, or a live region would tell nothing", "[app]") {
    Visit visit;
    visit.next.link = "text=one+step";
    for (int n = 0; n < 6; ++n, visit.rest(2)) visit.frame();
    std::vector<std::string> told;
    for (int n = 0; n < 3; ++n) {
        tell(visit.program(), "Made a.csv.");
        visit.rest(2);
        told.push_back(visit.frame().announcement);
        CHECK_THAT(told.back(), Catch::Matchers::StartsWith("Made a.csv."));
    }
    CHECK(told[0] != told[1]);
    CHECK(told[1] != told[2]);
}

TEST_CASE("the example of the arithmetic comes to those who have a keyboard alone", "[app]") {
    Visit visit;
    const auto has_example = [&] {
        return std::ranges::any_of(visit.program().ui.items(),
                                   [](const UiItem& item) { return item.name == "example"; });
    };
    visit.next.link = "text=one+step+more";
    visit.go_on(20);
    CHECK_FALSE(has_example());
    visit.next.got_keyboard = true;
    visit.go_on(20);
    CHECK(has_example());
}
