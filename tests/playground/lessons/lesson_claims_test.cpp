// The texts of the lessons against the numbers of their links: what a text claims is so, and every number in it is a
// claim's or stands on the screen.
#include <algorithm>
#include <array>
#include <catch_amalgamated.hpp>
#include <cctype>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "core/ground/check.h"
#include "playground/cache/cache_questions.h"
#include "playground/check/check_course.h"
#include "playground/lessons/lesson_claims.h"
#include "playground/lessons/lessons.h"
#include "playground/lessons/prediction.h"
#include "playground/lessons/step_words.h"
#include "playground/link/state_url.h"
#include "views/words/mirror.h"

using namespace attn;
using namespace attn::test;
using nlohmann::json;

namespace {

struct Quoted {
    double value = 0;
    int decimals = 0;
    std::size_t begin = 0, end = 0;  // in the text
};

bool is_digit(char c) {
    return std::isdigit(static_cast<unsigned char>(c)) != 0;
}
bool is_letter(char c) {
    return std::isalpha(static_cast<unsigned char>(c)) != 0;
}

// What stands before a number's first digit says whether it is a part of a name: "GPT-2", "w_out2".
bool is_in_name(std::string_view text, std::size_t begin) {
    if (begin == 0) return false;
    const char before = text[begin - 1];
    return is_letter(before) || before == '_' || (before == '-' && begin > 1 && is_letter(text[begin - 2]));
}

// The digits from `begin` on, with thousands and decimals.
Quoted digits_at(std::string_view text, std::size_t begin) {
    std::size_t end = begin;
    std::string digits;
    const auto take = [&](std::size_t count) {
        for (; count > 0; --count) digits += text[end++];
    };
    const auto count_digits = [&](std::size_t from) {
        std::size_t count = 0;
        while (from + count < text.size() && is_digit(text[from + count])) ++count;
        return count;
    };
    take(count_digits(end));
    while (digits.size() <= 9 && end < text.size() && text[end] == ',' && count_digits(end + 1) == 3) {
        ++end;
        take(3);
    }
    int decimals = 0;
    if (end + 1 < text.size() && text[end] == '.' && is_digit(text[end + 1])) {
        decimals = static_cast<int>(count_digits(end + 1));
        take(1 + static_cast<std::size_t>(decimals));
    }
    return {.value = std::stod(digits), .decimals = decimals, .begin = begin, .end = end};
}

constexpr std::array<std::string_view, 11> kWords = {"two",   "three", "four", "five",   "six",   "seven",
                                                     "eight", "nine",  "ten",  "eleven", "twelve"};

// All numbers: in digits, and as words from two to twelve.
std::vector<Quoted> numbers_in(std::string_view text) {
    constexpr std::string_view kMinus = "−";
    std::vector<Quoted> numbers;
    for (std::size_t i = 0; i < text.size();) {
        if (is_digit(text[i]) && !is_in_name(text, i)) {
            Quoted number = digits_at(text, i);
            i = number.end;
            if (text.substr(0, number.begin).ends_with(kMinus)) {
                number.begin -= kMinus.size();
                number.value = -number.value;
            }
            numbers.push_back(number);
        } else if (is_digit(text[i]) || is_letter(text[i])) {
            const std::size_t begin = i;
            while (i < text.size() && (is_letter(text[i]) || is_digit(text[i]))) ++i;
            std::string word(text.substr(begin, i - begin));
            std::transform(word.begin(), word.end(), word.begin(), [](unsigned char c) { return std::tolower(c); });
            const auto* const found = std::find(kWords.begin(), kWords.end(), word);
            if (found != kWords.end()) {
                numbers.push_back({.value = static_cast<double>(found - kWords.begin()) + 2, .begin = begin, .end = i});
            }
        } else {
            ++i;
        }
    }
    return numbers;
}

// Title, answer, text and question, with the numbers of its state; "Notes, step 4: " counts steps of the notes.
std::string words_of(const Seen& step) {
    std::string title(step_of(step.state().view)->title);
    if (title.starts_with("Notes, step ")) title.erase(0, title.find(": ") + 2);
    const StepWords words = step_words(step.state(), step.evaluation());
    // "Answer to step 3: " counts steps.
    const std::string answer = words.answer.substr(std::min(words.answer.find(": "), words.answer.size()));
    const PredictionRow* asks = asked_row(step.state().view);
    return concat(title, "\n", answer, "\n", words.text, asks ? "\n" : "", asks ? asks->question : "");
}

const LessonStep& step_of_claim(const Claim& claim) {
    const Lesson* lesson = find_lesson(claim.lesson);
    REQUIRE(lesson != nullptr);
    REQUIRE(claim.step >= 1);
    REQUIRE(claim.step <= static_cast<int>(lesson->steps.size()));
    return lesson->steps[static_cast<std::size_t>(claim.step - 1)];
}

std::string link_to(std::string_view lesson, int step) {
    return concat("lesson=", lesson, "&step=", step);
}

// What a step asks for, if anything.
Numbers asked_of(const Seen& step) {
    const PlaygroundState& state = step.state();
    const Evaluation& evaluation = step.evaluation();
    if (!is_exercise(state.view)) return {};
    if (state.view.asks_counts) {
        const CacheSplit split = cache_split(state.view, evaluation.num_tokens());
        return {static_cast<double>(cache_questions(state.inputs, evaluation.sizes, split).front().number)};
    }
    Numbers numbers;
    for (const Question& question : asked_questions(state, evaluation))
        numbers.push_back(step.at(question.stage, question.row, question.column, question.head + 1));
    return numbers;
}

// Half a unit of the last decimal, and float rounding on top.
bool is_as_quoted(double computed, const Quoted& quoted) {
    const double half = 0.5 * std::pow(10, -quoted.decimals);
    return std::abs(computed - quoted.value) <= half + 1e-6 * std::max(1.0, std::abs(computed));
}

void check_claim(const Claim& claim) {
    CAPTURE(claim.lesson, claim.step, claim.words);
    step_of_claim(claim);  // there is one
    const Seen seen(link_to(claim.lesson, claim.step));
    const std::string words = words_of(seen);
    const std::size_t place = words.find(claim.words);
    CHECK(place != std::string::npos);
    CHECK(words.find(claim.words, place + 1) == std::string::npos);
    const Numbers computed = claim.numbers(seen);
    const std::vector<Quoted> quoted = numbers_in(claim.words);
    REQUIRE(quoted.size() == computed.size());
    for (std::size_t k = 0; k < quoted.size(); ++k) {
        CAPTURE(k);
        CHECK(is_as_quoted(computed[k], quoted[k]));
    }
}

std::vector<Claim> all_claims() {
    std::vector<Claim> all;
    for (const std::vector<Claim>& some :
         {claims_of_one_head(),      claims_of_softmax(),   claims_of_order(),         claims_inside_one_head(),
          claims_of_several_heads(), claims_of_the_split(), claims_of_the_cache(),     claims_of_saving(),
          claims_of_positions(),     claims_of_ideas(),     claims_of_learning(),      claims_of_targets(),
          claims_of_a_model(),       claims_of_a_block(),   claims_of_the_next_word(), claims_of_the_stream(),
          claims_of_the_depths(),    claims_of_patching(),  claims_of_a_circuit(),     claims_of_own_words(),
          claims_of_exercises()}) {
        all.insert(all.end(), some.begin(), some.end());
    }
    return all;
}

void collect(const json& value, std::set<double>& numbers) {
    if (value.is_string()) {
        for (const Quoted& number : numbers_in(value.get<std::string>())) numbers.insert(number.value);
    } else if (value.is_structured()) {
        for (const json& part : value) collect(part, numbers);
    }
}

// Every number that the screen shows: picture, arithmetic of the pinned cell, tables of the view, printed tables,
// settings and shapes. Not what the step itself says.
std::set<double> numbers_on_screen(const std::string& link) {
    const json mirror = json::parse(mirror_as_json(read_link(link)));
    std::set<double> numbers;
    for (const json& part : {mirror.at("shown").at("heads"), mirror.at("shown").at("pinned"), mirror.at("view"),
                             mirror.at("values"), mirror.at("lesson").at("printed")}) {
        collect(part, numbers);
    }
    for (const json& stage : mirror.at("stages")) {
        for (const json& extent : stage.at("shape")) numbers.insert(extent.get<double>());
    }
    return numbers;
}

}  // namespace

TEST_CASE("numbers are found in a text, in digits and in words", "[lessons]") {
    const auto values = [](std::string_view text) {
        Numbers all;
        for (const Quoted& number : numbers_in(text)) all.push_back(number.value);
        return all;
    };
    CHECK(values("Ten of eleven: 0.85, −0.2, 2,359,296 and (1, 3, 6)") ==
          Numbers{10, 11, 0.85, -0.2, 2359296, 1, 3, 6});
    CHECK(values("GPT-2 has w_q1, w_query[0,3] and 1/√768 = 0.036.") == Numbers{0, 3, 1, 768, 0.036});
    CHECK(values("often weighted; one tenth") == Numbers{});
    const std::vector<Quoted> numbers = numbers_in("at 0.0960.");
    REQUIRE(numbers.size() == 1);
    CHECK(numbers[0].decimals == 4);
}

// A section for each lesson: -c own-sentence -r compact -s prints what its claims come to.
TEST_CASE("what a step claims of numbers is so", "[lessons]") {
    const std::vector<Claim> claims = all_claims();
    for (const Lesson& lesson : lessons()) {
        DYNAMIC_SECTION(lesson.name) {
            for (const Claim& claim : claims) {
                if (claim.lesson == lesson.name) check_claim(claim);
            }
        }
    }
}

// The numbers of the words in order: those of a claim are at the same places whatever the seed.
TEST_CASE("with new numbers what a step claims is still so", "[lessons]") {
    const std::vector<Claim> claims = all_claims();
    int num_steps = 0;
    for (const Lesson& lesson : lessons()) {
        for (std::size_t i = 0; i < lesson.steps.size(); ++i) {
            const std::string link = link_to(lesson.name, static_cast<int>(i) + 1);
            PlaygroundState state = read_link(link).state;
            if (state.view.check.empty() || !take_new_numbers_of_step(state)) continue;
            ++num_steps;
            const Seen own(link);
            const std::string words = words_of(own);
            const std::vector<Quoted> numbers = numbers_in(words);
            for (int n = 0; n < 3; ++n, take_new_numbers_of_step(state)) {
                const Seen other(concat(link, "&seed=", state.inputs.seed));
                const std::vector<Quoted> quoted = numbers_in(words_of(other));
                CAPTURE(link, state.inputs.seed, words_of(other));
                // An answer that does not hold any more is left out, with its numbers.
                const std::size_t num_left_out = numbers.size() - quoted.size();
                for (const Claim& claim : claims) {
                    const std::size_t place = words.find(claim.words);
                    const bool is_here = claim.lesson == lesson.name && claim.step == static_cast<int>(i) + 1;
                    if (!is_here || claim.words.starts_with(':')) continue;
                    CAPTURE(claim.words);
                    const Numbers computed = claim.numbers(other);
                    std::size_t k = 0;
                    for (std::size_t at = 0; at < numbers.size(); ++at) {
                        if (numbers[at].begin < place || numbers[at].end > place + claim.words.size()) continue;
                        const bool is_of_title = numbers[at].begin < words.find('\n');
                        CHECK(is_as_quoted(computed.at(k++), quoted.at(is_of_title ? at : at - num_left_out)));
                    }
                }
            }
        }
    }
    CHECK(num_steps >= 20);
}

TEST_CASE("a step tells first what the step before asked for, and nothing else begins with it", "[lessons]") {
    const auto says = [](std::string_view text, std::string_view words) {
        return text.find(words) != std::string_view::npos;
    };
    int num_told = 0;
    for (const Lesson& lesson : lessons()) {
        for (std::size_t i = 0; i < lesson.steps.size(); ++i) {
            const LessonStep& step = lesson.steps[i];
            CAPTURE(lesson.name, i + 1, step.answer_before);
            for (const std::string_view riddle : {"It is ", "It was ", "That was ", "Answer", "−"})
                CHECK_FALSE(step.text.starts_with(riddle));
            CHECK_FALSE(is_digit(step.text.front()));
            CHECK((step.answer_before.empty() || step.answer_before.ends_with('.')));
            if (i == 0) {
                CHECK(step.answer_before.empty());
                continue;
            }
            const Seen before(link_to(lesson.name, static_cast<int>(i)));
            const Numbers asked = asked_of(before);
            const std::string_view question = lesson.steps[i - 1].text;
            const bool is_asked = !asked.empty() || lesson.steps[i - 1].asks || says(question, "Guess");
            CHECK((!is_asked || !step.answer_before.empty()));
            if (asked.empty()) continue;
            const StepWords words = [&] {
                const Seen seen(link_to(lesson.name, static_cast<int>(i) + 1));
                return step_words(seen.state(), seen.evaluation());
            }();
            std::vector<Quoted> told = numbers_in(words.answer);
            REQUIRE(told.size() > asked.size());  // the first one counts the step
            for (std::size_t k = 0; k < asked.size(); ++k) CHECK(is_as_quoted(asked[k], told[k + 1]));
            ++num_told;
        }
    }
    CHECK(num_told >= 49);
}

TEST_CASE("every number that a step says is a claim's or stands on the screen", "[lessons]") {
    const std::vector<Claim> claims = all_claims();
    for (const Lesson& lesson : lessons()) {
        for (std::size_t i = 0; i < lesson.steps.size(); ++i) {
            const int step = static_cast<int>(i) + 1;
            const std::string words = words_of(Seen(link_to(lesson.name, step)));
            const std::set<double> on_screen = numbers_on_screen(link_to(lesson.name, step));
            const Numbers asked = step > 1 ? asked_of(Seen(link_to(lesson.name, step - 1))) : Numbers();
            for (const Quoted& number : numbers_in(words)) {
                const bool is_claimed = std::any_of(claims.begin(), claims.end(), [&](const Claim& claim) {
                    const std::size_t place = words.find(claim.words);
                    return claim.lesson == lesson.name && claim.step == step && place != std::string::npos &&
                           place <= number.begin && number.end <= place + claim.words.size();
                });
                const bool is_answer =
                    std::any_of(asked.begin(), asked.end(), [&](double value) { return is_as_quoted(value, number); });
                CAPTURE(lesson.name, step, words.substr(number.begin, number.end - number.begin));
                CHECK((is_claimed || is_answer || on_screen.contains(number.value)));
            }
        }
    }
}
