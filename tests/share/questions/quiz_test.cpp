// Which questions a state asks, how they are judged, and what must not stand in them. How files have them is tested in
// quiz_formats_test.cpp and share/questions.test.mjs.
#include "share/questions/quiz.h"

#include <algorithm>
#include <catch_amalgamated.hpp>
#include <cmath>
#include <memory>

#include "core/ground/check.h"
#include "playground/check/check_me.h"
#include "playground/check/slips.h"
#include "playground/link/state_url.h"
#include "playground/state/open_models.h"
#include "playground/text/format.h"
#include "share/worksheet/sheet_needs.h"

namespace attn {
namespace {

struct QuizCase {
    PlaygroundState state;
    Evaluator evaluator;
    Quiz quiz;
    std::string refusal;

    explicit QuizCase(std::string_view link) : state(read_link(link).state) {
        evaluator.update(state);
        refusal = add_quiz_section(quiz, state, evaluator);
    }
    const std::vector<QuizQuestion>& questions() const {
        REQUIRE(refusal.empty());
        return quiz.sections.at(0).questions;
    }
};

bool has_part(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
}

TEST_CASE("each asked number is a question with its value, and Check me judges as the question does", "[questions]") {
    const QuizCase one("text=a+b+c&heads=2&hide=weights[1,2,*]");
    const std::vector<Question> asked = asked_cells(one.state, one.evaluator.shown());
    REQUIRE(one.questions().size() == asked.size());
    for (std::size_t n = 0; n < asked.size(); ++n) {
        const QuizQuestion& question = one.questions()[n];
        CHECK(question.name == question_for_sheet(one.evaluator.shown(), asked[n]));
        REQUIRE(question.answers.front().is_right);
        const auto& [is_right, number, tolerance, html, feedback] = question.answers.front();
        CHECK(number == answer_of(one.evaluator.shown(), asked[n]));
        // What is right in Check me with two decimals is right here, and what is just beyond is wrong in both.
        const auto typed = [&](double at) { return judge(number, shown_number(at, 2)).verdict; };
        CHECK(typed(number) == Verdict::right);
        for (int step = -3; step <= 3; ++step) {
            const double at = std::round(number * 100 + step) / 100;
            CHECK((std::abs(at - number) <= tolerance) == (typed(at) == Verdict::right));
        }
    }
}

TEST_CASE("no answer can be taken for another, and each mistake has the words of Check me", "[questions][property]") {
    for (const char* link : {"text=a+b+c&check=weights", "text=a+b&check=scores,scaled_scores",
                             "text=a+b&check=queries", "text=a+b+c&check=context&dropout=0.5",
                             "text=a+b&check=output&heads=2", "text=a+b&goal=pattern&target=1:1>0&check=grad_scores"}) {
        const QuizCase one(link);
        const Evaluation& evaluation = one.evaluator.shown();
        const std::vector<Question> asked = asked_cells(one.state, evaluation);
        std::size_t num_mistakes = 0;
        for (std::size_t n = 0; n < asked.size(); ++n) {
            const std::vector<QuizAnswer>& answers = one.questions()[n].answers;
            for (std::size_t i = 0; i < answers.size(); ++i) {
                CHECK(answers[i].is_right == (i == 0));
                for (std::size_t j = 0; j < i; ++j)
                    CHECK(std::abs(answers[i].number - answers[j].number) >
                          answers[i].tolerance + answers[j].tolerance);
            }
            const std::vector<Slip> slips = slips_at(evaluation, asked[n].stage, asked[n].cell());
            for (std::size_t i = 1; i < answers.size(); ++i) {
                const auto first = std::ranges::find_if(
                    slips, [&](const Slip& slip) { return std::abs(slip.number - answers[i].number) <= 1e-12; });
                REQUIRE(first != slips.end());
                CHECK(answers[i].feedback.find("comes out when you ") != std::string::npos);
                CHECK(answers[i].feedback.starts_with("Not yet, because " + shown_number(first->number)));
                ++num_mistakes;
            }
        }
        CHECK(num_mistakes > 0);
    }
}

TEST_CASE("of mistakes with one number the first is named, and one with the right number is not", "[questions]") {
    // With one head of one channel, √1 divides nothing: whoever forgets it is right.
    const QuizCase one("text=a+b&heads=1&d_out=1&check=scaled_scores");
    for (const QuizQuestion& question : one.questions()) {
        for (std::size_t i = 1; i < question.answers.size(); ++i)
            CHECK(!has_part(question.answers[i].feedback, "forget to divide by √1"));
    }
}

TEST_CASE("no number that is asked stands in a question's text or picture", "[questions][property]") {
    for (const char* link :
         {"text=a+b+c&check=weights", "text=The+cat+sat&hide=weights[2,2,1]&stage=context",
          "text=a+b+c&check=scores,weights", "text=a+b+c&check=queries&stage=scores",
          "text=a+b+c&check=weights&view=lines", "text=a+b+c&hide=weights[1,2,1]&view=edit&tensor=weights",
          "text=a+b+c&check=weights&view=split"}) {
        const QuizCase one(link);
        for (const QuizQuestion& question : one.questions()) {
            for (const QuizQuestion& other : one.questions()) {
                const std::string number = shown_number(other.answers.front().number);
                if (number == "1.0000" || number == "0") continue;  // also a number of something else
                INFO(link << ": " << question.name << " tells " << other.name << ", " << number);
                CHECK(!has_part(question.html + question.asks, number));
                if (question.picture >= 0)
                    CHECK(!has_part(one.quiz.pictures[static_cast<std::size_t>(question.picture)].svg, number));
            }
        }
    }
}

TEST_CASE("a question has the picture of its head where the view can leave blanks out", "[questions]") {
    const QuizCase one("text=a+b+c&heads=2&d_out=4&hide=weights[1,1,*],weights[2,2,*]");
    CHECK(one.quiz.pictures.size() == 2);
    CHECK(one.questions().front().picture == 0);
    CHECK(one.questions().back().picture == 1);
    CHECK(has_part(one.quiz.pictures[0].svg, "<svg"));
    const QuizCase vectors("text=a+b+c&check=weights&view=vectors");
    CHECK(vectors.quiz.pictures.empty());
    CHECK(vectors.questions().front().picture == -1);
}

TEST_CASE("what a step asks before it goes on is a choice with what is wrong with each", "[questions]") {
    const QuizCase one("lesson=heads&step=3&mask=none");  // changed by the visitor: the step's own numbers decide
    REQUIRE(one.questions().size() == 1);
    const QuizQuestion& question = one.questions()[0];
    CHECK(!question.is_numeric);
    CHECK(has_part(question.asks, "In which word"));
    CHECK(has_part(question.html, "step 3"));
    CHECK(question.answers.size() == 4);
    CHECK(std::ranges::count(question.answers, true, &QuizAnswer::is_right) == 1);
    CHECK(!question.reason.empty());
    for (const QuizAnswer& answer : question.answers) CHECK(!answer.feedback.empty());
}

TEST_CASE("what asks for nothing is refused with a sentence", "[questions][bad-input]") {
    CHECK(QuizCase("text=a+b").refusal.starts_with("Nothing is asked for here"));
    CHECK(QuizCase("text=&check=weights").refusal.starts_with("The sentence is empty"));
    CHECK(
        QuizCase("text=a+b+c+d+e+f+g+h+i+j+k+l+m+n+o+p+q+r+s+t+u+v+w+x+y+z&check=weights").refusal.find("more than") !=
        std::string::npos);
    const std::shared_ptr<const OpenModel> model = find_open_model("first-words");
    close_model("first-words");
    CHECK(QuizCase("lesson=off&step=6").refusal.starts_with("What this step asks follows from numbers of a model"));
    if (model) keep_model_open(model);
}

TEST_CASE("names are short, of one line, and cut between two characters", "[questions][bad-input]") {
    const std::string long_word(300, 'x');
    const QuizCase one(concat("text=", long_word, "+%C3%A9%C3%A9&heads=1&hide=weights[1,1,0]"));
    CHECK(one.questions().front().name.size() <= kMostQuizName);
    CHECK(one.quiz.sections[0].name.size() <= kMostQuizName);
    Quiz quiz;
    std::string name;
    while (name.size() < 600) name += "é\n";
    CHECK(add_quiz_section(quiz, one.state, one.evaluator, name).empty());
    CHECK(quiz.sections[0].name.size() <= kMostQuizName);
    CHECK(!has_part(quiz.sections[0].name, "\n"));
    CHECK(quiz.sections[0].name.ends_with("é"));
}

}  // namespace
}  // namespace attn
