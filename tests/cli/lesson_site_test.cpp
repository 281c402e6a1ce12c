// The arguments, and pages of a made-up lesson. The real pages: lesson_site.test.mjs.
#include "cli/lesson_site.h"

#include <catch_amalgamated.hpp>
#include <sstream>
#include <vector>

namespace attn {
namespace {

using Catch::Matchers::ContainsSubstring;

Result<LessonSite> read_site(const std::vector<std::string>& arguments) {
    return read_lesson_site(arguments);
}

TEST_CASE("only options after \"lessons\" ask for the pages", "[cli][lessons]") {
    using Words = std::vector<std::string>;
    CHECK(is_about_lesson_site(Words{"lessons", "--site", "a"}));
    CHECK(is_about_lesson_site(Words{"lessons", "--bass"}));
    for (const Words& other : {Words{}, {"lessons"}, {"lessons", "causal"}, {"lessons", "--help"}, {"trace", "--site"}})
        CHECK_FALSE(is_about_lesson_site(other));
}

TEST_CASE("the site's address ends with a slash, and only one of https is one", "[cli][lessons][bad-input]") {
    const Result<LessonSite> site = read_site({"lessons", "--base", "https://a.example/b", "--site", "folder"});
    REQUIRE(site);
    CHECK(site->folder == "folder");
    CHECK(site->base == "https://a.example/b/");
    CHECK(read_site({"lessons", "--site", "folder"})->base.empty());
    for (const char* base : {"http://a/", "https://", "https://a/\"", "https://a/#b", "https://a@b/", "https://a:b/"})
        CHECK_THAT(read_site({"lessons", "--site", "f", "--base", base}).error(), ContainsSubstring("--base wants"));
    CHECK_THAT(read_site({"lessons", "--base", "https://a/"}).error(), ContainsSubstring("The folder is missing"));
    CHECK_THAT(read_site({"lessons", "--site"}).error(), ContainsSubstring("wants a value"));
}

TEST_CASE("words of a lesson stand in its page as texts", "[cli][lessons]") {
    Lesson lesson = *find_lesson("causal");
    lesson.title = "<b>\"A\" & B</b>";
    lesson.about = "it's <i>";
    const std::string page = lesson_page(lesson, "https://a.example/", true);
    for (const char* part :
         {"<title>&lt;b&gt;&quot;A&quot; &amp; B&lt;/b&gt; · Attention Playground</title>",
          "<meta name=\"description\" content=\"it&#39;s &lt;i&gt;\" />", "<a href=\"../#lesson=causal&amp;step=9\">",
          "<meta property=\"og:image\" content=\"https://a.example/lesson/causal.png\" />"})
        CHECK_THAT(page, ContainsSubstring(part));
    CHECK_THAT(page, !ContainsSubstring("<b>") && !ContainsSubstring("<i>"));
    CHECK_THAT(lesson_page(lesson, "", true), !ContainsSubstring("og:"));
    CHECK_THAT(lesson_list_page(""), ContainsSubstring("<li><a href=\"causal.html\">Causal attention</a>: "));
}

TEST_CASE("a folder that cannot be made is a sentence", "[cli][lessons][bad-input]") {
    std::ostringstream err;
    CHECK(run_lesson_site(std::vector<std::string>{"lessons", "--site", "/dev/null/no"}, err) == 2);
    CHECK_THAT(err.str(), ContainsSubstring("/dev/null/no"));
}

}  // namespace
}  // namespace attn
