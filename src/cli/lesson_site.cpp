// The pages' words are those of the steps; here is only what stands around them.
#include "cli/lesson_site.h"

#include <algorithm>
#include <cctype>

#include "cli/files.h"
#include "cli/tell.h"
#include "core/ground/check.h"
#include "playground/check/check_course.h"
#include "playground/lessons/prediction.h"
#include "playground/lessons/step_words.h"
#include "playground/text/format.h"
#include "playground/text/notes.h"
#include "share/worksheet/sheet_tables.h"

namespace attn {
namespace {

// The same stands in hosting/nginx.conf.
constexpr std::string_view kPolicy =
    "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'";
constexpr std::string_view kStyleFile = "lesson.css";
// Bright or dark as the reader's system is; the colours are those of the site's other plain pages.
constexpr std::string_view kStyle = R"css(body {
  max-width: 42em;
  margin: 0 auto;
  padding: 24px;
  background: light-dark(#faf9f6, #14161a);
  color: light-dark(#1b1e24, #e9e7e1);
  font: 16px/1.5 system-ui, sans-serif;
  overflow-wrap: anywhere;
}
a {
  color: light-dark(#1f5fbf, #7fb0ff);
}
h2 {
  margin: 2em 0 0.5em;
  font-size: 1.15em;
}
img {
  max-width: 100%;
  height: auto;
}
)css";

// A <meta> tag. What is put in is escaped.
std::string meta_tag(std::string_view kind, std::string_view name, std::string_view content) {
    return concat("<meta ", kind, "=\"", name, "\" content=\"", html_text(content), "\" />\n");
}

// A <link> tag; `more` stands behind the address, as written.
std::string link_tag(std::string_view kind, std::string_view address, std::string_view more = "") {
    return concat("<link rel=\"", kind, "\" href=\"", html_text(address), "\"", more, " />\n");
}

// What every page begins with, up to its <main>. `address` is the page's own, or empty; `picture` is its picture's, or
// empty.
std::string page_head(std::string_view title, std::string_view about, std::string_view address,
                      std::string_view picture) {
    std::string head = concat("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\" />\n<title>",
                              html_text(title), " · Attention Playground</title>\n");
    head += meta_tag("name", "description", about);
    head += meta_tag("name", "viewport", "width=device-width, initial-scale=1");
    head += meta_tag("name", "color-scheme", "light dark");
    head += concat("<meta http-equiv=\"Content-Security-Policy\" content=\"", kPolicy, "\" />\n");
    if (!address.empty()) {
        head += link_tag("canonical", address);
        head += meta_tag("property", "og:type", "article");
        head += meta_tag("property", "og:site_name", "Attention Playground");
        head += meta_tag("property", "og:title", title);
        head += meta_tag("property", "og:description", about);
        head += meta_tag("property", "og:url", address);
    }
    if (!picture.empty()) head += meta_tag("property", "og:image", picture);
    head += link_tag("icon", "../icon.svg", " type=\"image/svg+xml\"");
    head += link_tag("stylesheet", kStyleFile);
    return head + "</head>\n<body>\n<main>\n";
}

constexpr std::string_view kPageEnd = "</main>\n</body>\n</html>\n";

std::string paragraph(std::string_view text) {
    return text.empty() ? std::string() : concat("<p>", html_text(text), "</p>\n");
}

// The link of a step, from a page one folder below the playground.
std::string step_address(const Lesson& lesson, std::size_t step) {
    return concat("../#lesson=", lesson.name, "&amp;step=", step + 1);
}

// What the step asks before it goes on, without what is right.
std::string prediction_html(const PlaygroundState& state) {
    const PredictionRow* row = asked_row(state.view);
    if (row == nullptr) return {};
    std::string html = paragraph(row->question);
    if (row->kind != PredictionKind::one && row->kind != PredictionKind::order) return html;
    html += "<ul>\n";
    for (const PredictionRow::Choice& choice : row->choices) html += concat("<li>", html_text(choice.says), "</li>\n");
    return html + "</ul>\n";
}

std::string step_html(const Lesson& lesson, std::size_t step) {
    PlaygroundState state;
    go_to_step(state, lesson, static_cast<int>(step));
    const StepWords words = step_words(state, evaluate(state.inputs, state.view.sentence));
    std::string html =
        concat("<section id=\"step-", step + 1, "\">\n<h2>", step + 1, ". ", html_text(lesson.steps[step].title),
               "</h2>\n", paragraph(words.answer), paragraph(words.text), prediction_html(state));
    if (!words.keep.empty()) {
        html += concat("<h3>", kKeepTitle, "</h3>\n<ul>\n");
        for (const std::string_view one : words.keep) html += concat("<li>", html_text(one), "</li>\n");
        html += "</ul>\n";
    }
    return concat(html, "<p><a href=\"", step_address(lesson, step), "\">Open step ", step + 1,
                  " in the playground</a></p>\n</section>\n");
}

bool is_sign_of_address(char sign) {
    return std::isalnum(static_cast<unsigned char>(sign)) != 0 ||
           std::string_view(".-_~%/:").find(sign) != std::string_view::npos;
}

// Returns a sentence that says why a file was not written, or nothing.
std::string write_lesson_site(const LessonSite& site) {
    const std::string folder = concat(site.folder, "/lesson");
    std::string refusal = make_folder(folder);
    const auto write = [&](const std::string& name, const std::string& bytes) {
        if (refusal.empty()) refusal = write_bytes(folder, name, bytes);
    };
    write(std::string(kStyleFile), std::string(kStyle));
    write("index.html", lesson_list_page(site.base));
    for (const Lesson& lesson : lessons()) {
        const bool has_picture = has_file(concat(folder, "/", lesson.name, ".png"));
        write(concat(lesson.name, ".html"), lesson_page(lesson, site.base, has_picture));
    }
    return refusal;
}

}  // namespace

bool is_about_lesson_site(std::span<const std::string> arguments) {
    return arguments.size() > 1 && arguments[0] == "lessons" && arguments[1].starts_with("--") &&
           std::ranges::find(arguments, "--help") == arguments.end();
}

bool is_https_address(std::string_view address) {
    constexpr std::string_view kScheme = "https://";
    constexpr std::size_t kMost = 1000;
    if (!address.starts_with(kScheme) || address.size() > kMost) return false;
    const std::string_view rest = address.substr(kScheme.size());
    const std::string_view host = rest.substr(0, rest.find('/'));
    const std::string_view name = host.substr(0, host.find(':'));
    const std::string_view port = host.substr(name.size());
    const auto is_digit = [](char sign) { return sign >= '0' && sign <= '9'; };
    const bool has_good_name = !name.empty() && name.find_first_of("_~%") == std::string_view::npos &&
                               std::isalnum(static_cast<unsigned char>(name.front())) != 0;
    const bool has_good_port =
        port.empty() || (port.size() > 1 && port.size() <= 6 && std::ranges::all_of(port.substr(1), is_digit));
    const std::string_view path = rest.substr(host.size());
    return has_good_name && has_good_port && std::ranges::all_of(rest, is_sign_of_address) &&
           path.find(':') == std::string_view::npos && path.find("//") == std::string_view::npos;
}

Result<LessonSite> read_lesson_site(std::span<const std::string> arguments) {
    const auto refuse = [](std::string sentence) { return Result<LessonSite>::failure(std::move(sentence)); };
    LessonSite site;
    for (std::size_t n = 1; n < arguments.size(); n += 2) {
        const std::string& option = arguments[n];
        if (option != "--site" && option != "--base")
            return refuse(concat("attn lessons has no option ", quoted(option), "; attn --help lists them."));
        if (n + 1 == arguments.size() || arguments[n + 1].empty())
            return refuse(concat(option, " wants a value after it."));
        (option == "--site" ? site.folder : site.base) = arguments[n + 1];
    }
    if (site.folder.empty()) return refuse("The folder is missing: attn lessons --site FOLDER, where index.html is.");
    if (!site.base.empty() && !is_https_address(site.base))
        return refuse(concat("--base wants the https address of the site, as https://example.org/playground/, not ",
                             quoted(site.base), "."));
    if (!site.base.empty() && !site.base.ends_with('/')) site.base += '/';
    return site;
}

std::string lesson_page(const Lesson& lesson, std::string_view base, bool has_picture) {
    const std::string address = base.empty() ? std::string() : concat(base, "lesson/", lesson.name, ".html");
    const std::string picture =
        base.empty() || !has_picture ? std::string() : concat(base, "lesson/", lesson.name, ".png");
    const int num_steps = static_cast<int>(lesson.steps.size());
    std::string html =
        concat(page_head(lesson.title, lesson.about, address, picture), "<p><a href=\"./\">All lessons</a></p>\n<h1>",
               html_text(lesson.title), "</h1>\n", paragraph(lesson.about), "<p>", counted(num_steps, "step"),
               ", about ", minutes_of(lesson), " minutes. <a href=\"", step_address(lesson, 0),
               "\">Open the lesson in the playground</a>, where you can look into every number and change it.</p>\n");
    for (std::size_t step = 0; step < lesson.steps.size(); ++step) html += step_html(lesson, step);
    return html + std::string(kPageEnd);
}

std::string lesson_list_page(std::string_view base) {
    constexpr std::string_view kAbout = "Lessons on attention, step by step, with every number of each step.";
    std::string html = concat(page_head("Lessons", kAbout, base.empty() ? std::string() : concat(base, "lesson/"), ""),
                              "<p><a href=\"../\">Open the playground</a></p>\n<h1>Lessons</h1>\n", paragraph(kAbout));
    std::string_view group;
    for (const Lesson& lesson : lessons()) {
        if (lesson.group != group)
            html += concat(group.empty() ? "" : "</ul>\n", "<h2>", html_text(lesson.group), "</h2>\n<ul>\n");
        group = lesson.group;
        html += concat("<li><a href=\"", lesson.name, ".html\">", html_text(lesson.title),
                       "</a>: ", html_text(lesson.about), "</li>\n");
    }
    return concat(html, "</ul>\n", kPageEnd);
}

int run_lesson_site(std::span<const std::string> arguments, std::ostream& err) {
    constexpr int kNotWritten = 2;
    const Result<LessonSite> site = read_lesson_site(arguments);
    const std::string refusal = site ? write_lesson_site(*site) : site.error();
    if (!refusal.empty()) tell(err, refusal);
    return refusal.empty() ? 0 : kNotWritten;
}

}  // namespace attn
