// Finds, merges and forgets records.
#include "playground/check/answer_log.h"

#include <algorithm>
#include <span>
#include <utility>

#include "core/ground/check.h"
#include "core/ground/fingerprint.h"
#include "core/words/code_points.h"
#include "playground/link/link_text.h"
#include "playground/link/own_task.h"
#include "playground/link/state_url.h"

namespace attn {
namespace {

int told_by(const AnswerRecord& record) {
    return record.tries + record.hints + (record.is_told ? 1 : 0);
}

bool tells_more(const AnswerRecord& record, const AnswerRecord& other) {
    if (told_by(record) != told_by(other)) return told_by(record) > told_by(other);
    return record.last > other.last;
}

// What strangers may have written into a kept text becomes possible.
void make_possible(AnswerRecord& record) {
    constexpr int kMost = 9999;
    for (std::string* text : {&record.place.lesson, &record.place.question, &record.asked, &record.typed})
        *text = cut_text(*text, AnswerLog::kMaxText);
    record.place.numbers = cut_text(record.place.numbers, AnswerLog::kMaxLink);
    record.place.step = record.place.lesson.empty() ? 0 : std::clamp(record.place.step, 0, kMost);
    record.tries = std::clamp(record.tries, 0, kMost);
    record.right_at = std::clamp(record.right_at, 0, record.tries);
    record.hints = std::clamp(record.hints, 0, kMost);
    if (record.mistakes.size() > AnswerLog::kMaxMistakes) record.mistakes.resize(AnswerLog::kMaxMistakes);
    for (std::string& mistake : record.mistakes) mistake = cut_text(mistake, AnswerLog::kMaxText);
    record.first = std::max<std::int64_t>(record.first, 0);
    record.last = std::max(record.last, record.first);
}

// The link whose numbers are asked for. In a task with the name that answers have in place of the task's texts, which
// would come again with each answer.
std::string link_of_numbers(const PlaygroundState& state) {
    std::string link = write_link(state);
    if (own_task(state.view.lesson) == nullptr) return link;
    const std::string task = encode_form(state.view.lesson);
    const std::size_t at = link.find(task);
    return at == std::string::npos ? link : link.replace(at, task.size(), lesson_in_log(state.view.lesson));
}

}  // namespace

std::string cut_text(std::string_view text, std::size_t most_bytes) {
    if (text.size() > most_bytes) {
        while (most_bytes > 0 && continues_code_point(text[most_bytes])) --most_bytes;
        text = text.substr(0, most_bytes);
    }
    return std::string(text);
}

const AnswerRecord* AnswerLog::find(const AnswerPlace& place) const {
    const auto found = std::ranges::find(records_, place, &AnswerRecord::place);
    return found == records_.end() ? nullptr : &*found;
}

AnswerRecord& AnswerLog::at(const AnswerPlace& place, std::string_view asked) {
    ++version_;
    if (std::ranges::find(fresh_, place) == fresh_.end()) fresh_.push_back(place);
    const auto found = std::ranges::find(records_, place, &AnswerRecord::place);
    if (found != records_.end()) return *found;
    if (records_.size() >= kMaxRecords) records_.erase(std::ranges::min_element(records_, {}, &AnswerRecord::last));
    AnswerRecord& record = records_.emplace_back();
    record.place = place;
    record.asked = cut_text(asked, kMaxText);
    return record;
}

void AnswerLog::merge(std::vector<AnswerRecord> others) {
    bool is_changed = false;
    for (AnswerRecord& other : others) {
        make_possible(other);
        const auto own = std::ranges::find(records_, other.place, &AnswerRecord::place);
        const bool has_room = own != records_.end() || records_.size() < kMaxRecords;
        if (!has_room || (own != records_.end() && !tells_more(other, *own))) continue;
        is_changed = true;
        if (own != records_.end())
            *own = std::move(other);
        else
            records_.push_back(std::move(other));
    }
    if (!is_changed) return;
    std::ranges::stable_sort(records_, {}, [](const AnswerRecord& record) {
        return record.first == 0 ? INT64_MAX : record.first;  // those that wait for their time come last
    });
    ++version_;
    ++num_replaced_;
}

void AnswerLog::clear(const std::optional<std::string>& lesson) {
    std::erase_if(records_, [&](const AnswerRecord& record) { return !lesson || record.place.lesson == *lesson; });
    std::erase_if(fresh_, [&](const AnswerPlace& place) { return !lesson || place.lesson == *lesson; });
    ++version_;
    ++num_replaced_;
}

void AnswerLog::stamp(std::int64_t now) {
    for (const AnswerPlace& place : std::exchange(fresh_, {})) {
        const auto record = std::ranges::find(records_, place, &AnswerRecord::place);
        if (record == records_.end()) continue;
        if (record->first == 0) record->first = now;
        record->last = std::max(record->first, now);
    }
}

AnswerPlace answer_place(const View& view, const Inputs& inputs, int sentence, std::string question) {
    const PlaygroundState* step = view.lesson.empty() ? nullptr : step_state(view);
    PlaygroundState state = {.inputs = inputs, .view = step != nullptr ? step->view : View()};
    state.view.lesson = view.lesson;
    state.view.step = view.step;
    state.view.sentence = sentence;
    AnswerPlace place = {.lesson = step != nullptr ? lesson_in_log(view.lesson) : std::string(),
                         .step = step != nullptr ? view.step : 0,
                         .question = std::move(question),
                         .numbers = link_of_numbers(state)};
    if (place.numbers.size() > AnswerLog::kMaxLink)
        place.numbers = concat("long-", fingerprint(std::as_bytes(std::span(place.numbers))));
    return place;
}

}  // namespace attn
