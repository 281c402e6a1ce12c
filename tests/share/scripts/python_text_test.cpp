// Python as text. That Python reads it so is tested by scripts.test.mjs.
#include "share/scripts/python_text.h"

#include <catch_amalgamated.hpp>

namespace attn {
namespace {

TEST_CASE("strings are literals that hold any text", "[python_text]") {
    CHECK(python_string("brush") == "\"brush\"");
    CHECK(python_string("say \"it's\" \\n") == R"("say \"it's\" \\n")");
    CHECK(python_string("注意 é") == "\"注意 é\"");
    CHECK(python_string("a\nb\t\xC2\xA0") == R"("a\nb\u0009\u00a0")");
    CHECK(python_string("e\xCC\x81 \xE2\x80\xAE") == R"("e\u0301 \u202e")");
    CHECK(python_string("\xF3\xA0\x80\x81") == R"("\U000e0001")");
    CHECK(python_string("") == "\"\"");
}

TEST_CASE("a link in a comment declares nothing", "[python_text][bad-input]") {
    const std::string plain = "v=1&text=The+cat+sat&heads=4&edit=w_query[0,1]=0.5,1;2&score=7/9/1";
    CHECK(python_comment_link(plain) == plain);
    CHECK(python_comment_link("text=coding:latin-1") == "text=coding%3Alatin-1");
    CHECK(python_comment_link("text=coding=latin-1&compare=coding=coding=x") ==
          "text=coding%3Dlatin-1&compare=coding%3Dcoding%3Dx");
    CHECK(python_comment_link("text=\\x0aimport\\x20os;os.system(1)") == "text=%5Cx0aimport%5Cx20os;os.system%281%29");
}

TEST_CASE("numbers are floats to Python, whole ones too", "[python_text]") {
    CHECK(python_number(1.0F) == "1.0");
    CHECK(python_number(-0.0F) == "-0.0");
    CHECK(python_number(0.1F) == "0.1");
    CHECK(python_number(1e-5F) == "1e-5");
    CHECK(python_number(16777216.0F) == "16777216.0");
    CHECK(python_number(0.1 + 0.2) == "0.30000000000000004");
}

TEST_CASE("long lists go over several lines of at most 100 signs", "[python_text]") {
    CHECK(python_list(std::vector<float>{1, 2.5F}, "    ") == "[1.0, 2.5]");
    CHECK(python_list(std::vector<std::string>{}, "") == "[]");
    const std::string text = python_list(std::vector<float>(100, 0.125F), "    ");
    std::size_t begin = 0;
    int num_lines = 0;
    while (begin < text.size()) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        CHECK(end - begin <= 100);
        begin = end + 1;
        ++num_lines;
    }
    CHECK(num_lines > 5);
    CHECK(text.ends_with(",\n    ]"));
    CHECK(python_matrix({{1, 2}}, "") == "[[1.0, 2.0]]");
    CHECK(python_matrix({{1, 2}, {3, 4}}, "") == "[\n    [1.0, 2.0],\n    [3.0, 4.0],\n]");
}

TEST_CASE("lines are indented, empty ones are not", "[python_text]") {
    PythonText python;
    python.line("for s in ", 3, ":");
    python.deeper();
    python.block("\nif s:\n    print(s)\n");
    python.line();
    python.back();
    python.line("end()");
    CHECK(python.text() == "for s in 3:\n\n    if s:\n        print(s)\n\nend()\n");
}

}  // namespace
}  // namespace attn
