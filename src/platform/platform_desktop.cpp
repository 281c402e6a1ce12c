// The desktop's body of platform.h: when a frame is due, what is remembered, how the program ends.
#include <GLFW/glfw3.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <limits>
#include <utility>
#include <vector>

#include "core/words/code_points.h"
#include "platform/command_line_desktop.h"
#include "platform/file_desk_desktop.h"
#include "platform/files_desktop.h"
#include "platform/last_visit_desktop.h"
#include "platform/platform.h"
#include "platform/system_settings_desktop.h"
#include "platform/text_engine_desktop.h"
#include "platform/visit_keeper_desktop.h"
#include "platform/window_desktop.h"

namespace attn {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();
constexpr double kShortestFrame = 1.0 / 120;  // seconds; where the driver does not wait for the monitor, we do
constexpr double kPortalPatience = 0.25;      // seconds that the first frame waits for the system's colour scheme
constexpr int kMaxFramesOfScreenshot = 100;   // a picture that has not settled by then never will

std::vector<std::string_view> without_program_name(int argument_count, char** arguments) {
    return {arguments + std::min(argument_count, 1), arguments + argument_count};
}

// The window's title: the sentence, as far as anybody reads it, then the program's name. X11 refuses very long ones.
std::string title_of(std::string sentence) {
    constexpr std::size_t kMaxBytes = 200;
    if (sentence.empty()) return "Attention Playground";
    if (sentence.size() > kMaxBytes) {
        std::size_t end = kMaxBytes;
        while (continues_code_point(sentence[end])) --end;  // not within a character
        sentence.resize(end);
        sentence += "\u2026";
    }
    for (char& c : sentence)
        if (static_cast<unsigned char>(c) < ' ') c = ' ';
    return sentence + " \u2013 Attention Playground";
}

}  // namespace

std::optional<int> answer_arguments(int argument_count, char** arguments) {
    const Result<CommandLine> line = read_command_line(without_program_name(argument_count, arguments));
    if (!line) {
        show_failure(line.error());
        return 2;
    }
    if (line->wants_help) {
        std::printf("%s", std::string(help_text()).c_str());
        return 0;
    }
    if (line->wants_version) {
        std::printf("attention-playground %s\n", ATTN_VERSION);
        return 0;
    }
    return std::nullopt;
}

void show_failure(const std::string& sentence) {
    std::fprintf(stderr, "attention-playground: %s\n", one_line(sentence).c_str());
}

struct Platform::Body {
    CommandLine line;
    Visit visit;
    std::unique_ptr<VisitKeeper> keeper;       // null: the last visit is neither read nor written
    std::vector<RecentChange> recent_changes;  // that are in the visit, but not yet with the keeper
    FrameInput input;                          // of the next frame
    std::unique_ptr<Window> window;
    std::unique_ptr<SystemSettings> settings;  // ends before the window it wakes
    std::unique_ptr<FileDesk> desk;            // the same; null without a visible window
    int num_frames = 0;
    std::string_view told;  // why no frames follow, as told since the last one
    std::string title;
    std::string items;  // of the last frame

    // Takes over the last visit where the command line leaves the choice.
    void continue_last_visit();
    // Reads the files of the command line. Returns an empty string, or what the first one that cannot be read suffers
    // from.
    std::string open_named_files();
    void change_recent(RecentChange change);
    // Puts what has happened to files into the next frame's input.
    void take_file_news();
    FrameOutput draw(const DrawFrame& draw_frame);
    // Nothing happens any more until something comes from outside.
    void tell(std::string_view why);
    // Does what a frame wants done with files and the clipboard.
    void serve(FrameOutput& output);
    void add_note(const std::string& sentence);
    int show(const DrawFrame& draw_frame, const DoWork& do_work);
    int take_screenshot(const DrawFrame& draw_frame, const DoWork& do_work);
    void remember();
    void report() const;
};

Platform::Platform(std::unique_ptr<Body> body) : body_(std::move(body)) {}
Platform::~Platform() = default;
Platform::Platform(Platform&&) noexcept = default;
Platform& Platform::operator=(Platform&&) noexcept = default;

Result<Platform> Platform::open(int argument_count, char** arguments) {
    const Result<CommandLine> line = read_command_line(without_program_name(argument_count, arguments));
    if (!line) return Result<Platform>::failure(line.error());
    auto body = std::make_unique<Body>();
    body->line = *line;
    body->input.has_all = true;
    if (!line->screenshot) body->continue_last_visit();
    if (line->link) body->input.link = body->visit.link = *line->link;
    if (line->size) body->visit.size = *line->size;
    const std::string missed = body->open_named_files();
    if (!missed.empty() && line->screenshot) return Result<Platform>::failure(missed);

    WindowWishes wishes;
    wishes.size = body->visit.size;
    wishes.must_fit_screen = !line->size;
    wishes.position = body->visit.position;
    wishes.scale = line->scale;
    wishes.is_full_screen = line->is_full_screen;
    wishes.is_offscreen = line->screenshot.has_value();
    Result<std::unique_ptr<Window>> window = Window::open(wishes);
    if (!window) return Result<Platform>::failure(window.error());
    body->window = std::move(*window);
    if (!wishes.is_offscreen) {
        const auto wake = [woken = body->window.get()] { woken->wake(); };
        body->settings = std::make_unique<SystemSettings>(wake);
        body->desk = std::make_unique<FileDesk>(wake);
        body->settings->wait(kPortalPatience);
    }
    return Platform(std::move(body));
}

void Platform::Body::continue_last_visit() {
    const std::optional<std::filesystem::path> file = visit_file();
    if (!file) return;
    keeper = std::make_unique<VisitKeeper>(*file, show_failure);
    const Result<std::optional<Visit>> last = load_visit(*file);
    if (!last) {
        add_note(last.error());
    } else if (*last) {
        visit = **last;
        for (const RecentChange& change : missing_files(visit.recent)) change_recent(change);
        if (!visit.link.empty()) input.link = visit.link;
        input.visited = visit.visited;
    }
}

void Platform::Body::add_note(const std::string& sentence) {
    input.note += (input.note.empty() ? "" : " ") + sentence;
}

void Platform::Body::change_recent(RecentChange change) {
    apply_change(visit.recent, change);
    recent_changes.push_back(std::move(change));
}

std::string Platform::Body::open_named_files() {
    std::string first_error;
    for (const std::string& argument : line.files) {
        const auto miss = [&](const std::string& sentence) {
            add_note(sentence);
            if (first_error.empty()) first_error = sentence;
        };
        const Result<std::filesystem::path> path = path_of(argument);
        if (!path) miss(path.error());
        std::error_code trouble;  // a model is not shown with the sentence of the last visit
        if (path && !line.link && std::filesystem::exists(*path / "config.json", trouble)) input.link.reset();
        for (const std::filesystem::path& file : path ? files_meant(*path) : std::vector<std::filesystem::path>()) {
            Result<FileData> data = read_file(file);
            if (!data) {
                miss(data.error());
                continue;
            }
            if (file == *path) change_recent({.file = file});
            input.files.push_back(std::move(*data));
        }
    }
    return first_error;
}

void Platform::Body::take_file_news() {
    std::vector<std::filesystem::path> dropped = window->take_dropped();
    if (!dropped.empty()) desk->open(std::move(dropped));
    if (keeper) {
        if (std::optional<RecentFiles> recent = keeper->take_recent()) visit.recent = std::move(*recent);
    }
    FileNews news = desk->take_news();
    if (news.is_empty()) return;
    std::move(news.files.begin(), news.files.end(), std::back_inserter(input.files));
    for (const std::filesystem::path& path : news.paths) change_recent({.file = path});
    for (const std::filesystem::path& path : news.missed) change_recent({.file = path, .is_gone = true});
    for (const std::string& note : news.notes) add_note(note);
    for (const std::string& success : news.successes) input.success += (input.success.empty() ? "" : " ") + success;
    remember();
}

void Platform::Body::serve(FrameOutput& output) {
    if (output.copy) window->copy(*output.copy);
    if (output.save) desk->save(std::move(*output.save));
    if (output.wants_file) desk->choose();
    if (output.opens_recent) desk->open({visit.recent.at(static_cast<std::size_t>(*output.opens_recent))});
}

FrameOutput Platform::Body::draw(const DrawFrame& draw_frame) {
    input.seconds = glfwGetTime();
    input.system_is_dark = line.is_dark.value_or(settings && settings->is_dark());
    const bool wants_contrast = line.has_contrast || (settings && settings->wants_contrast());
    if (wants_contrast) input.forced_colors = contrast_colors(input.system_is_dark);
    input.reduces_motion = !settings || settings->reduces_motion();  // a screenshot shows the end of every motion
    input.wants_items = line.reports_items;
    input.recent = recent_names(visit.recent);
    input.can_open_recent = desk != nullptr;
    FrameOutput output;
    window->draw([&] { output = draw_frame(input); });
    ++num_frames;
    told = {};
    if (line.reports_frames) std::fprintf(stderr, "frame %d at %.3f s\n", num_frames, input.seconds);
    items = output.items;
    input = FrameInput();  // link, files and note are told once
    output.wants_another = output.wants_another || imgui_has_pending_input();
    return output;
}

void Platform::Body::tell(std::string_view why) {
    if (line.reports_frames && told != why)
        std::fprintf(stderr, "%s after frame %d\n", std::string(why).c_str(), num_frames);
    told = why;
}

void Platform::Body::remember() {
    if (!keeper) return;
    visit.size = window->size();
    visit.position = window->position();
    keeper->keep(visit, std::exchange(recent_changes, {}));
}

void Platform::Body::report() const {
    if (line.reports_frames) std::fprintf(stderr, "%d frames\n", num_frames);
    if (line.reports_items) std::printf("%s\n", items.c_str());
}

int Platform::Body::show(const DrawFrame& draw_frame, const DoWork& do_work) {
    double due = 0;       // when the next frame is wanted even without input; glfwGetTime's seconds, as the following
    double earliest = 0;  // no frame before that
    bool is_last = false;
    bool has_work = false;
    while (!is_last) {
        window->wait(0);  // takes what has arrived, even while frames follow each other without a rest
        is_last = window->is_closing();
        if (!is_last && window->is_iconified()) {
            tell("iconified");
            window->wait(std::nullopt);
            continue;
        }
        const double now = glfwGetTime();
        const double next = std::max(window->has_event() ? 0 : due, earliest);
        if (!is_last && now < next && has_work) {
            const WorkOutput output = do_work();
            has_work = output.has_more;
            if (output.wants_frame) due = now;
            continue;
        }
        if (!is_last && now < next) {
            if (next == kNever) tell("at rest");
            window->wait(next == kNever ? std::nullopt : std::optional<double>(next - now));
            continue;
        }
        window->forget_event();
        input.is_closing = is_last;
        take_file_news();
        FrameOutput output = draw(draw_frame);
        if (!output.failure.empty()) {
            show_failure(output.failure);
            return 1;
        }
        serve(output);
        if (output.link) visit.link = *output.link;
        if (output.visited) visit.visited = *output.visited;
        if (output.link || is_last) remember();
        if (const std::string fresh = title_of(output.sentence); fresh != title) window->set_title(title = fresh);
        has_work = output.has_work;
        due = output.wants_another ? now : output.wake_after ? now + *output.wake_after : kNever;
        earliest = now + kShortestFrame;
    }
    report();
    return 0;
}

int Platform::Body::take_screenshot(const DrawFrame& draw_frame, const DoWork& do_work) {
    bool has_settled = false;
    for (int n = 0; n < kMaxFramesOfScreenshot && !has_settled; ++n) {
        const FrameOutput output = draw(draw_frame);
        if (!output.failure.empty()) {
            show_failure(output.failure);
            return 1;
        }
        has_settled = !output.wants_another && !output.has_work;
        for (bool has_work = output.has_work; has_work;) has_work = do_work().has_more;
    }
    report();
    const std::string error = window->picture().save(*line.screenshot);
    if (!error.empty()) show_failure(error);
    return error.empty() ? 0 : 1;
}

int Platform::run(DrawFrame draw_frame, DoWork do_work) {
    return body_->line.screenshot ? body_->take_screenshot(draw_frame, do_work) : body_->show(draw_frame, do_work);
}

double Platform::seconds() {
    return glfwGetTime();
}

std::int64_t Platform::memory_bytes() {
    std::ifstream statm("/proc/self/statm");  // pages: of the address space, in memory, ...
    std::int64_t pages = 0;
    statm >> pages >> pages;
    return statm ? pages * sysconf(_SC_PAGESIZE) : 0;
}

RasterizeText Platform::text_engine() {
    return start_pango();
}

}  // namespace attn
