// Reads the arguments and the list, and writes the files.
#include "cli/variants_command.h"

#include "cli/files.h"
#include "cli/tell.h"
#include "core/ground/check.h"
#include "core/words/code_points.h"
#include "playground/link/state_url.h"
#include "share/variants/variants.h"

namespace attn {
namespace {

constexpr int kNotDone = 2;

int refuse_variants(std::ostream& err, std::string_view sentence) {
    tell(err, sentence);
    return kNotDone;
}

bool is_page_address(std::string_view address) {
    const bool is_known =
        address.starts_with("https://") || address.starts_with("http://") || address.starts_with("file://");
    return is_known && address.find_first_of("\"# \t\r\n") == std::string_view::npos;
}

// "moodle, gift or qti"
std::string quiz_names() {
    const std::span<const QuizFormatInfo> formats = quiz_formats();
    std::string names;
    for (std::size_t n = 0; n < formats.size(); ++n)
        names += concat(n == 0 ? "" : n + 1 == formats.size() ? " or " : ", ", formats[n].name);
    return names;
}

// Puts the value of an option, or returns a sentence.
std::string put_option(VariantsRequest& request, std::string_view option, const std::string& value) {
    if (option == "--names") {
        request.names = value;
    } else if (option == "--out") {
        request.folder = value;
    } else if (option == "--address") {
        if (!is_page_address(value))
            return concat("--address wants the address of the page, as https://example.org/playground/, not ",
                          quoted(value), ".");
        request.address = value;
    } else if (option == "--format") {
        if (value != "csv" && value != "json")
            return concat("attn variants prints csv or json, not ", quoted(value), ".");
        request.is_json = value == "json";
    } else if (option == "--paper") {
        if (value != "a4" && value != "letter") return concat("--paper is a4 or letter, not ", quoted(value), ".");
        request.paper = value == "letter" ? Paper::letter : Paper::a4;
    } else if (option == "--questions") {
        request.questions = quiz_format_of_name(value);
        if (!request.questions) return concat("--questions is ", quiz_names(), ", not ", quoted(value), ".");
    } else {
        return concat("attn variants has no option ", quoted(option), "; attn --help lists them.");
    }
    return {};
}

// The files of a class. Returns a sentence that says why one was not written, or nothing.
std::string write_files(const VariantsRequest& request, const VariantSet& set) {
    std::string refusal = make_folder(request.folder);
    if (!refusal.empty()) return refusal;
    const auto write = [&](std::string_view name, const std::string& bytes) {
        return write_bytes(request.folder, std::string(name), bytes);
    };
    refusal = request.is_json ? write(kLinksAsJsonFile, variants_as_json(set, request.address) + "\n")
                              : write(kLinksFile, links_as_csv(set, request.address));
    if (request.questions && refusal.empty())
        refusal = write(concat(kQuestionsFile, quiz_format_info(*request.questions).extension), write_quiz(set.quiz));
    if (set.worksheets.empty()) return refusal;
    if (refusal.empty()) refusal = write(kAnswersFile, key_as_csv(set));
    if (refusal.empty()) refusal = write(kWorksheetsFile, set.worksheets);
    if (refusal.empty()) refusal = write(kKeyFile, set.key);
    return refusal;
}

}  // namespace

bool is_about_variants(std::span<const std::string> arguments) {
    if (arguments.empty() || arguments[0] != "variants") return false;
    for (const std::string& argument : arguments) {
        if (argument == "--help" || argument == "-h") return false;  // attn tells of all commands at once
    }
    return true;
}

Result<VariantsRequest> read_variants_request(std::span<const std::string> arguments) {
    const auto refuse = [](std::string sentence) { return Result<VariantsRequest>::failure(std::move(sentence)); };
    VariantsRequest request;
    bool has_link = false;
    for (std::size_t n = 1; n < arguments.size(); ++n) {
        const std::string& argument = arguments[n];
        if (!argument.starts_with('-')) {
            if (has_link)
                return refuse(
                    concat("One link is enough: ", quoted(argument), " is a second one; put a link in quotes."));
            request.link = argument;
            has_link = true;
            continue;
        }
        if (n + 1 == arguments.size()) return refuse(concat(argument, " wants a value after it."));
        const std::string refusal = put_option(request, argument, arguments[n + 1]);
        if (!refusal.empty()) return refuse(refusal);
        ++n;
    }
    if (!has_link) return refuse("The link is missing: attn variants '<link>' --names FILE.");
    if (request.names.empty())
        return refuse("The list is missing: --names FILE, with a name on each line; - reads standard input.");
    return request;
}

int run_variants_command(std::span<const std::string> arguments, std::istream& in, std::ostream& out,
                         std::ostream& err) {
    const Result<VariantsRequest> request = read_variants_request(arguments);
    if (!request) return refuse_variants(err, request.error());
    const Result<std::string> bytes = read_bytes(request->names, in);
    if (!bytes) return refuse_variants(err, bytes.error());
    const ReadLink read = read_link(request->link);
    const VariantOptions options = {
        .has_pages = !request->folder.empty(), .questions = request->questions, .paper = request->paper};
    const Result<VariantSet> set = make_variants(read.state, read_names(*bytes), options);
    if (!set) return refuse_variants(err, set.error());
    for (const std::string& note : read.notes) tell_note(err, note);
    for (const std::string& note : set->notes) tell_note(err, note);
    if (request->folder.empty() && request->questions) {
        out << write_quiz(set->quiz);
        return 0;
    }
    if (request->folder.empty()) {
        out << (request->is_json ? variants_as_json(*set, request->address) + "\n"
                                 : links_as_csv(*set, request->address));
        return 0;
    }
    const std::string refusal = write_files(*request, *set);
    return refusal.empty() ? 0 : refuse_variants(err, refusal);
}

std::string variants_help_text() {
    return "  attn variants '<link>' --names FILE   a link for each student, with numbers of their own: name, seed, "
           "link\n"
           "      --names FILE        the list, a name on each line, or a table with a column of names; - reads\n"
           "                          standard input\n"
           "      --format FORMAT     csv (default) or json, with the right answers\n"
           "      --address URL       of the page, before each link\n"
           "      --out FOLDER        links, worksheets for print, and the key, as files in it\n"
           "      --paper PAPER       a4 (default) or letter\n"
           "      --questions FORMAT  also the questions of all as a file for a course system, or alone on standard\n"
           "                          output: moodle (Moodle XML), gift or qti (QTI 2.1)\n"
           "\n";
}

}  // namespace attn
