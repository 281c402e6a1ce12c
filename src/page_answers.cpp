// The answers of the visit as C functions that the page's sheet of answers calls (web/sheet.js), beside those of
// engine.cpp. The text that is returned lives until the next call.
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "playground/text/json_writer.h"
#include "playground/visit/this_visit.h"
#include "share/formats/answer_sheet.h"

namespace attn {
namespace {

std::string refusal_as_json(const std::string& sentence) {
    std::string text;
    JsonWriter json(text);
    json.begin_object();
    json.member("error", sentence);
    json.end_object();
    return text;
}

std::string answers_with(const std::string& kept, std::int64_t now) {
    AnswerLog& log = this_visit().answers().log;
    log.stamp(now);
    if (!kept.empty()) {
        Result<std::vector<AnswerRecord>> records = read_answers(kept);
        if (!records) return refusal_as_json(records.error());
        log.merge(std::move(*records));
    }
    return write_answers(log.records());
}

}  // namespace
}  // namespace attn

extern "C" {

// The answers of the visit, as write_answers writes them: after those that `kept`, such a text or nothing, adds to
// them. `now` in seconds since 1970 is when they were given that came since the last call. {"error": a sentence} where
// `kept` is no such text.
const char* engine_answers(const char* kept, double now) {
    static std::string answers;
    answers = attn::answers_with(kept, static_cast<std::int64_t>(now));
    return answers.c_str();
}

// Forgets the answers of a lesson; "": those given outside lessons; "*": all.
void engine_clear_answers(const char* lesson) {
    const std::string name = lesson;
    attn::this_visit().answers().log.clear(name == "*" ? std::nullopt : std::optional(name));
}

}  // extern "C"
