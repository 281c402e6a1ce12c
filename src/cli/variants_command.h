// attn variants: a link for each student of a list, with numbers of their own, and all that a teacher prints for them.
#pragma once

#include <istream>
#include <optional>
#include <ostream>
#include <span>
#include <string>
#include <string_view>

#include "core/ground/result.h"
#include "share/questions/quiz_formats.h"
#include "share/worksheet/worksheet.h"

namespace attn {

// What was asked for.
struct VariantsRequest {
    std::string link;      // of the page, or what follows its "#"
    std::string names;     // the file of the list; "-" is standard input
    std::string address;   // put before each "#link": that of the page
    std::string folder;    // to write the files into; empty: the links go to standard output
    bool is_json = false;  // the links and answers as JSON; else links as CSV
    Paper paper = Paper::a4;
    std::optional<QuizFormat>
        questions;  // those of all students for a course system: as a file in the folder, or printed
};

// The files that are written into a folder.
inline constexpr std::string_view kLinksFile = "links.csv", kAnswersFile = "key.csv",
                                  kLinksAsJsonFile = "variants.json", kWorksheetsFile = "worksheets.html",
                                  kKeyFile = "key.html";
inline constexpr std::string_view kQuestionsFile = "questions";  // before the extension of its format

// Whether these arguments ask for variants.
bool is_about_variants(std::span<const std::string> arguments);

// What they ask for, or a sentence that says what is wrong with them. The address is http:, https: or file:.
Result<VariantsRequest> read_variants_request(std::span<const std::string> arguments);

// Writes what was asked for; notes go to `err`. Returns the exit code: 0, or 2 with one sentence in `err`.
int run_variants_command(std::span<const std::string> arguments, std::istream& in, std::ostream& out,
                         std::ostream& err);

std::string variants_help_text();

}  // namespace attn
