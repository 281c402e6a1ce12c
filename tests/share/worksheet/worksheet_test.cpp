// What stands on a sheet, and what does not. How it prints is tested in browser/worksheet.test.mjs.
#include "share/worksheet/worksheet.h"

#include <catch_amalgamated.hpp>

#include "core/ground/check.h"
#include "playground/link/state_url.h"
#include "playground/text/format.h"
#include "share/worksheet/sheet_needs.h"
#include "share/worksheet/sheet_tables.h"

namespace attn {
namespace {

struct SheetCase {
    PlaygroundState state;
    Evaluation evaluation;

    explicit SheetCase(std::string_view link)
        : state(read_link(link).state), evaluation(evaluate(state.inputs, state.view.sentence)) {}
    std::string sheet(bool is_key = false) const {
        const Result<std::string> html = write_sheet(state, evaluation, {}, is_key);
        REQUIRE(html);
        return *html;
    }
    std::string refusal() const { return write_sheet(state, evaluation, {}, false).error(); }
    // "scores[1] rows 2", the names of the tables that are given.
    std::string given() const {
        const Result<SheetTask> task = sheet_task(state, evaluation);
        REQUIRE(task);
        std::string names;
        for (const SheetTable& table : task->given)
            names += concat(names.empty() ? "" : " ", tensor_name(table.tensor), ":", table.head + 1, ":",
                            table.rows.size(), "x", table.columns.size());
        return names;
    }
};

std::size_t count_of(const std::string& text, std::string_view part) {
    std::size_t count = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
    return count;
}

TEST_CASE("a sheet gives what the asked numbers are made of, in the order of the lecture", "[worksheet]") {
    CHECK(SheetCase("text=a+b+c&hide=weights[1,2,1]").given() == "masked_scores:1:1x3");
    CHECK(SheetCase("text=a+b+c&hide=scores[2,2,1]").given() == "queries:2:1x2 keys:2:3x2");
    CHECK(SheetCase("text=a+b+c&bias=1&hide=queries[2,1,0]").given() == "embeddings:1:1x8 w_query:1:8x2 b_query:1:1x2");
    CHECK(SheetCase("text=a+b+c&hide=context[1,2,0]&dropout=0.5").given() == "values:1:3x2 dropped_weights:1:1x3");
    CHECK(SheetCase("text=a+b+c&hide=dropped_weights[1,2,0]&dropout=0.5").given() == "weights:1:1x3 keep_mask:1:1x3");
    CHECK(SheetCase("text=a+b+c&hide=output[2,0]&heads=2&d_out=4").given() == "merged:1:1x4 w_out:1:4x4 b_out:1:1x4");
    CHECK(SheetCase("text=a+b&hide=weights[1,1,1]&sink_logits=1").given() == "masked_scores:1:1x2 sink_logits:1:1x2");
    // Heads that share keys are given them once.
    CHECK(SheetCase("text=a+b&heads=4&d_out=8&kv_heads=2&hide=scores[1,1,0],scores[2,1,0]").given() ==
          "queries:1:1x2 queries:2:1x2 keys:1:2x2");
    CHECK(SheetCase("text=a+b+c&goal=pattern&target=1:2>0&hide=grad_scores[1,2,0]").given() ==
          "grad_scaled_scores:1:3x3");
}

TEST_CASE("between two asked stages nothing is given", "[worksheet]") {
    const SheetCase one("text=a+b+c&heads=1&check=scores,weights");
    CHECK(one.given() == "queries:1:3x4 keys:1:3x4");
    const std::string sheet = one.sheet();
    CHECK(count_of(sheet, "<td class=\"box\">") == 9 + 6);
    CHECK(count_of(sheet, "<td class=\"company\">") == 9 + 6);  // scaled and masked scores lie between
}

TEST_CASE("a lone weight has company, and the key has all numbers", "[worksheet]") {
    const SheetCase one("text=a+b+c&hide=weights[1,2,1]");
    const std::string sheet = one.sheet(), key = one.sheet(true);
    const Matrix weights = shown_matrix(one.evaluation, TensorId::weights, 0);
    CHECK(count_of(sheet, "<td class=\"box\"></td>") == 1);
    CHECK(count_of(sheet, "<td class=\"company\"></td>") == 1);
    for (const int column : {0, 1}) {
        const std::string number = shown_number(static_cast<double>(weights(2, column)));
        CHECK(count_of(sheet, number) == 0);
        CHECK(count_of(key, number) >= 1);
    }
    CHECK(count_of(sheet, shown_number(static_cast<double>(weights(2, 2)))) == 1);
    CHECK(key.find("Worked out") != std::string::npos);
    CHECK(key.find("row sum = ") != std::string::npos);
    CHECK(sheet.find("row sum = ") == std::string::npos);
}

TEST_CASE("the formula of a stage between asked ones is told where its first keys are hidden", "[worksheet]") {
    // Row 2 of the dropped weights, which nobody asks for by name, begins with keys outside the window.
    const SheetCase one("text=a+b+c&mask_window=1&dropout=0.5&hide=weights[1,2,2],context[1,2,0]");
    CHECK(count_of(one.sheet(), "<p class=\"formula\">dropped weights: ") == 1);
}

TEST_CASE("wide tables stand in parts below each other", "[worksheet]") {
    const std::string sheet = SheetCase("text=a+b+c+d+e+f+g+h+i+j+k&hide=weights[1,10,*]").sheet();
    CHECK(count_of(sheet, "<table>") == 4);
    CHECK(sheet.find("masked scores, head 1, columns 8 to 10") != std::string::npos);
}

TEST_CASE("a lesson's step says on paper what it is about, and asks for its cell", "[worksheet]") {
    const SheetCase step("lesson=causal&step=8");
    CHECK(asked_cells(step.state, step.evaluation).size() >= 1);
    CHECK(step.sheet().find("step 8</p>") != std::string::npos);
}

TEST_CASE("what cannot be a worksheet is refused with a sentence", "[worksheet][bad-input]") {
    CHECK(SheetCase("text=").refusal() == "The sentence is empty, so there is nothing to work out.");
    CHECK(SheetCase("text=a+b").refusal().starts_with("Nothing is asked for here: press Check me"));
    CHECK(SheetCase("text=a&check=weights&hide=weights[1,7,7]").refusal().starts_with("Nothing is asked for here"));
    CHECK(SheetCase(concat("check=weights&text=", "a+b+c+d+e+f+g+h+i+j+k+l+m+n+o+p+q+r+s+t+u+v+w+x+y"))
              .refusal()
              .find("more than the 256 one can be asked for") != std::string::npos);
    CHECK(SheetCase("text=a+b+c+d&d_in=512&d_out=64&heads=1&check=queries")
              .refusal()
              .starts_with("The worksheet would have "));
}

TEST_CASE("what somebody typed is text and nothing else", "[worksheet][bad-input]") {
    CHECK(html_text("<img src=x onerror='a'>\"&") == "&lt;img src=x onerror=&#39;a&#39;&gt;&quot;&amp;");
    CHECK(html_text("a\u202eb\nc") == "a&lt;U+202e&gt;b c");
    CHECK(html_name("abcdef", 3) == "<bdi>abc…</bdi>");
    const SheetCase one("text=%3Cscript%3E+%26amp%3B+x&check=weights");
    const Result<std::string> sheet = write_sheet(
        one.state, one.evaluation, {.name = "</title><script>alert(1)</script>", .numbers_of_seed = ""}, true);
    REQUIRE(sheet);
    const std::string page = write_sheet_page("<b>", Paper::letter, *sheet);
    CHECK(page.find("<script") == std::string::npos);
    CHECK(page.find("<title>&lt;b&gt;</title>") != std::string::npos);
    CHECK(page.find("@page { size: letter;") != std::string::npos);
    CHECK(page.find("default-src 'none'") != std::string::npos);
    CHECK(write_sheet_page("b", Paper::a4, "").find("@page { size: A4;") != std::string::npos);
}

}  // namespace
}  // namespace attn
