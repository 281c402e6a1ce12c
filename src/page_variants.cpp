// A link and a worksheet for each student as C functions that the author's page calls (web/author_variants.js), beside
// those of engine.cpp. The texts that are returned live until the next call.
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "core/ground/check.h"
#include "platform/platform.h"
#include "playground/link/state_url.h"
#include "playground/text/json_writer.h"
#include "share/questions/quiz_formats.h"
#include "share/variants/variants.h"

namespace attn {
namespace {

// What was asked for last: the page asks for the table first, then for one file after the other.
struct VariantsAtWork {
    std::string link, names, paper;
    std::optional<QuizFormat> questions;
    std::unique_ptr<VariantWork> work;
    std::optional<Result<VariantSet>> set;  // once it is made
};

VariantsAtWork& variants_at_work() {
    static VariantsAtWork one;
    return one;
}

std::string& bytes_of_variants() {
    static std::string bytes;
    return bytes;
}

std::string file_of_variants(const VariantSet& set, std::string_view kind, std::string_view address) {
    if (kind == "links") return links_as_csv(set, address);
    if (kind == "answers") return key_as_csv(set);
    if (kind == "worksheets") return set.worksheets;
    if (kind == "key") return set.key;
    if (quiz_format_of_name(kind)) return write_quiz(set.quiz);
    return variants_as_json(set, address);
}

std::string variants_of_link(std::string_view link, std::string_view names, std::string_view kind,
                             std::string_view paper, std::string_view address, double seconds) {
    VariantsAtWork& one = variants_at_work();
    const std::optional<QuizFormat> questions = quiz_format_of_name(kind);
    const bool is_same = (one.work || one.set) && one.link == link && one.names == names && one.paper == paper &&
                         one.questions == questions;
    if (!is_same) {
        const Paper sheets = paper == "letter" ? Paper::letter : Paper::a4;
        one = {.link = std::string(link),
               .names = std::string(names),
               .paper = std::string(paper),
               .questions = questions,
               .work = {},
               .set = {}};
        one.work = std::make_unique<VariantWork>(
            read_link(link).state, read_names(names),
            VariantOptions{.has_pages = !questions, .questions = questions, .paper = sheets});
    }
    const double end = Platform::seconds() + seconds;
    while (!one.set) {
        if (one.work->advance()) {
            one.set = one.work->take();
            one.work.reset();
        } else if (Platform::seconds() >= end) {
            break;
        }
    }
    std::string text;
    JsonWriter json(text);
    json.begin_object();
    if (!one.set) {
        json.flag("is_ready", false);
    } else if (!*one.set) {
        json.member("error", one.set->error());
    } else {
        bytes_of_variants() = file_of_variants(**one.set, kind, address);
        json.key("size");
        json.integer(static_cast<std::int64_t>(bytes_of_variants().size()));
    }
    json.end_object();
    return text;
}

}  // namespace
}  // namespace attn

extern "C" {

// For each of `names` (read_names) a link with numbers of its own: `kind` links and answers are CSV, worksheets and key
// pages for print (`paper` a4 or letter), moodle, gift and qti the questions for a course system, everything else
// variants_as_json. `address` stands before each link. Works for about so many seconds: {"is_ready": false} where there
// is more to do, and the same call goes on; then {"size"} of the bytes, or {"error": a sentence}.
const char* engine_variants(const char* link, const char* names, const char* kind, const char* paper,
                            const char* address, double seconds) {
    static std::string answer;
    answer = attn::variants_of_link(link, names, kind, paper, address, seconds);
    return answer.c_str();
}

// The bytes that engine_variants told about, until it is called again.
const char* engine_variants_bytes() {
    return attn::bytes_of_variants().data();
}

}  // extern "C"
