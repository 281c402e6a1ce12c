// attn lessons --site: the lessons as pages of a site that need no script: for search engines, link previews and
// whoever wants to read before opening the playground.
#pragma once

#include <iosfwd>
#include <span>
#include <string>
#include <string_view>

#include "core/ground/result.h"
#include "playground/lessons/lessons.h"

namespace attn {

// What `attn lessons --site` was asked for.
struct LessonSite {
    std::string folder;  // of the site, where index.html is
    std::string base;    // its address with "/" at its end, or empty: then no page says where it is
};

// Whether these arguments ask for the pages.
bool is_about_lesson_site(std::span<const std::string> arguments);

// Whether it is one where a site may lie: "https://", a host, perhaps a port, a path of letters, digits and -._~%. No
// names, queries or anchors, and at most 1,000 bytes.
bool is_https_address(std::string_view address);

// The error is a sentence: an option that is not known, no folder, an address that is none of https.
Result<LessonSite> read_lesson_site(std::span<const std::string> arguments);

// The page of a lesson: what it is about, each step's words with the numbers put in, what it asks without the answers,
// and links that open the steps in the playground one folder up. With `base` also its canonical address and what link
// previews read, with the picture NAME.png beside it if it `has_picture`. Own models are open.
std::string lesson_page(const Lesson& lesson, std::string_view base, bool has_picture);

// The page that lists them all, in their groups.
std::string lesson_list_page(std::string_view base);

// Writes lesson/NAME.html of each lesson, lesson/index.html and their style sheet into the folder, which is made if it
// is missing; other files stay. Returns 0, or 2 after a sentence to `err`.
int run_lesson_site(std::span<const std::string> arguments, std::ostream& err);

}  // namespace attn
