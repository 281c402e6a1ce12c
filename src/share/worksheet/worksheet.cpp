// Puts the parts of a sheet in their order.
#include "share/worksheet/worksheet.h"

#include <algorithm>

#include "core/ground/check.h"
#include "playground/check/check_course.h"
#include "share/worksheet/sheet_tables.h"
#include "share/worksheet/sheet_words.h"

namespace attn {
namespace {

// Lines for arithmetic: some for each number that is asked for, within what a page has room for.
constexpr int kLinesOfNumber = 3, kFewestLines = 6, kMostLines = 20;

constexpr std::string_view kSheetStyle = R"css(
html { font: 10.5pt/1.4 system-ui, "Liberation Sans", Arial, sans-serif; color: #000; background: #fff; }
body { margin: 0 auto; max-width: 182mm; }
section { break-after: page; padding: 6mm 0; }
section:last-of-type { break-after: auto; }
h1 { font-size: 15pt; margin: 0 0 4mm; }
h2 { font-size: 11.5pt; margin: 6mm 0 2mm; break-after: avoid; }
p { margin: 0 0 2mm; overflow-wrap: anywhere; }
.owner { display: flex; gap: 8mm; margin-bottom: 4mm; }
.owner span { flex: 1; border-bottom: 0.3mm solid #000; min-height: 7mm; overflow-wrap: anywhere; }
.owner .date { flex: 0 0 45mm; }
.sentence { font-size: 12pt; }
.small { font-size: 9pt; color: #333; }
table { border-collapse: collapse; table-layout: fixed; width: 100%; margin: 0 0 4mm; break-inside: avoid; }
caption { text-align: start; font-size: 9.5pt; color: #333; padding-bottom: 1mm; }
tr { break-inside: avoid; }
th, td { border: 0.2mm solid #777; padding: 0.8mm 1mm; text-align: right; font-size: 9pt; font-weight: 400;
  font-variant-numeric: tabular-nums; overflow-wrap: anywhere; height: 5mm; }
thead th, thead td { text-align: center; border-top: 0; font-size: 8.5pt; }
thead td, tbody th { border-left: 0; text-align: start; }
thead td { border-bottom: 0; }
thead td, thead th { border-right: 0; border-left: 0; }
.box { border: 0.6mm solid #000; height: 8mm; }
.company { background: #e4e4e4; -webkit-print-color-adjust: exact; print-color-adjust: exact; }
.none { border: 0; }
.answer { border: 0.6mm solid #000; font-weight: 700; }
.hidden { color: #555; text-align: center; background: repeating-linear-gradient(45deg, #fff 0 1mm, #ddd 1mm 1.2mm); }
.lines div { border-bottom: 0.2mm solid #999; height: 8.5mm; break-inside: avoid; }
pre { font: 9pt/1.35 "Liberation Mono", monospace; white-space: pre-wrap; overflow-wrap: anywhere; margin: 0 0 3mm; break-inside: avoid; }
.formula { font-family: "Liberation Mono", monospace; font-size: 9.5pt; }
@media screen { body { padding: 0 6mm; } }
)css";

std::string sheet_heading(std::string_view title) {
    return concat("<h2>", title, "</h2>\n");
}

// "weights and context"
std::string asked_in_words(const SheetTask& task) {
    std::vector<std::string> names;
    for (const Question& question : task.asked) {
        const std::string name = words_of_stage(question.stage);
        if (names.empty() || names.back() != name) names.push_back(name);
    }
    std::string words;
    for (std::size_t n = 0; n < names.size(); ++n)
        words += concat(n == 0 ? "" : n + 1 == names.size() ? " and " : ", ", names[n]);
    return words;
}

std::string owner_line(const SheetOwner& owner) {
    return concat("<div class=\"owner\"><span>Name: ",
                  owner.name.empty() ? std::string() : html_name(owner.name, kMostNameLetters),
                  "</span><span class=\"date\">Date:</span></div>\n");
}

// Each number that was asked for, worked out as the inspector does it.
std::string worked_out(const SheetTask& task, const Evaluation& evaluation) {
    std::string html = sheet_heading("Worked out");
    for (const Question& question : task.asked)
        html += concat("<pre>", sheet_worked_out(evaluation, question, "\n"), "</pre>\n");
    return html;
}

std::string room_for_arithmetic(std::size_t num_asked) {
    const int wanted = kLinesOfNumber * static_cast<int>(std::min<std::size_t>(num_asked, kMostLines));
    std::string html = sheet_heading("Room for arithmetic") + "<div class=\"lines\">\n";
    for (int n = 0; n < std::clamp(wanted, kFewestLines, kMostLines); ++n) html += "<div></div>\n";
    return html + "</div>\n";
}

}  // namespace

Result<std::string> write_sheet(const PlaygroundState& state, const Evaluation& evaluation, const SheetOwner& owner,
                                bool is_key) {
    const Result<SheetTask> task = sheet_task(state, evaluation);
    if (!task) return Result<std::string>::failure(task.error());
    const SheetTables tables(state, evaluation, *task);
    std::string html =
        concat("<section>\n<h1>", is_key ? "Key: " : "Attention by hand: ", html_text(asked_in_words(*task)), "</h1>\n",
               owner_line(owner));
    html += sheet_step(state, evaluation);
    html += concat("<p class=\"sentence\" dir=\"auto\">",
                   html_text(state.inputs.texts[static_cast<std::size_t>(state.view.sentence)]), "</p>\n");
    html += sheet_paragraph(
        concat(html_text(sheet_sizes(state, evaluation)), owner.numbers_of_seed.empty() ? "" : " Numbers of ",
               html_text(owner.numbers_of_seed), owner.numbers_of_seed.empty() ? "" : "."),
        "small");
    if (!task->given.empty()) html += sheet_heading("Given");
    for (const SheetTable& table : task->given) html += tables.given(table);
    html += sheet_heading("Formulas") + sheet_formulas(*task, state, evaluation);
    html += sheet_heading(is_key ? "The numbers" : "To work out");
    html += sheet_paragraph(is_key ? std::string("What is framed is asked for.")
                                   : concat("Fill in each framed box. ", judging_rule(), " Round only at the end."));
    if (tables.has_company())
        html += sheet_paragraph("A grey box is not asked for: its number would give away one that is.", "small");
    for (const SheetTable& table : task->to_fill)
        html += tables.to_fill(table, is_key ? SheetFill::numbers : SheetFill::boxes);
    html += is_key ? worked_out(*task, evaluation) : room_for_arithmetic(task->asked.size());
    return html + "</section>\n";
}

std::string write_sheet_page(std::string_view title, Paper paper, std::string_view sheets) {
    return concat("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n",
                  "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
                  "'unsafe-inline'\">\n<meta name=\"viewport\" content=\"width=device-width\">\n<title>",
                  html_text(title), "</title>\n<style>\n@page { size: ", paper == Paper::a4 ? "A4" : "letter",
                  "; margin: 14mm; }", kSheetStyle, "</style>\n</head>\n<body>\n", sheets, "</body>\n</html>\n");
}

Result<std::string> write_worksheet(const PlaygroundState& state, const Evaluation& evaluation, Paper paper,
                                    bool is_key) {
    const Result<std::string> sheet = write_sheet(state, evaluation, {}, is_key);
    if (!sheet) return sheet;
    return write_sheet_page(is_key ? "Key" : "Worksheet", paper, *sheet);
}

}  // namespace attn
