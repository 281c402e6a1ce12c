// Any bytes as a text of answers, which a page keeps in its storage and anybody may write. A seed is the text of a
// visit that answered two questions at a golden link.
#include "core/ground/check.h"
#include "fuzz/target.h"
#include "playground/check/answers.h"
#include "playground/link/state_url.h"
#include "share/formats/answer_sheet.h"

using namespace attn;

namespace {

void check_possible(const AnswerRecord& record) {
    ATTN_CHECK(record.right_at >= 0 && record.right_at <= record.tries, "right at ", record.right_at);
    ATTN_CHECK(record.place.step >= 0 && record.hints >= 0 && record.last >= record.first, record.place.question);
    ATTN_CHECK(record.asked.size() <= AnswerLog::kMaxText && record.place.numbers.size() <= AnswerLog::kMaxLink,
               "a text is too long");
    ATTN_CHECK(record.mistakes.size() <= AnswerLog::kMaxMistakes, "too many mistakes");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    const std::string text(bytes, bytes + size);
    const Result<std::vector<AnswerRecord>> read = read_answers(text);
    ATTN_CHECK(read || !read.error().empty(), "a refusal has a reason");
    if (!read) return 0;
    Answers answers;
    answers.log.merge(*read);
    ATTN_CHECK(answers.log.records().size() <= AnswerLog::kMaxRecords, "too many records");
    for (const AnswerRecord& record : answers.log.records()) check_possible(record);
    const Result<std::vector<AnswerRecord>> back = read_answers(write_answers(answers.log.records()));
    ATTN_CHECK(back && *back == answers.log.records(), "the answers do not survive their text");
    bring_back(answers);
    const Score score = score_of(answers);
    ATTN_CHECK(score.right >= 0 && score.right <= score.asked, "right ", score.right, " of ", score.asked);
    answers.log.clear(std::nullopt);
    bring_back(answers);
    ATTN_CHECK(answers.given.empty(), "a cleared answer came back");
    return 0;
}

std::string input_of_link(std::string_view link) {
    const PlaygroundState state = read_link(link).state;
    AnswerLog log;
    const AnswerPlace place = answer_place(state.view, state.inputs, 0, "weights[1,0,0]");
    log_try(log, place, "weights, head 1, a → a", "0.5", false, "forget to divide by √2");
    log_told(log, place, "weights, head 1, a → a");
    log_hint(log, answer_place(state.view, state.inputs, 0, "output[0,0]"), "output, a, channel 0");
    return write_answers(log.records());
}
