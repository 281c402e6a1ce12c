// Check me: what is asked, how answers are judged, what counts, and that a blank number is nowhere to be read.
#include "playground/check/check_me.h"
#include "core/explain/stage_numbers.h"

#include <catch_amalgamated.hpp>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/ground/check.h"
#include "playground/link/lesson_links.h"
#include "playground/link/state_url.h"
#include "playground/models/small_model.h"
#include "playground/state/shapes.h"
#include "playground/text/format.h"
#include "views/words/announcement.h"
#include "views/words/mirror.h"
#include "views/words/view_text.h"

using namespace attn;
using nlohmann::json;

namespace {

// A visit without a screen.
struct Visit {
    explicit Visit(const std::string& link) : state(read_link(link).state) { update(); }
    void update() { evaluation = evaluate(state.inputs, state.view.sentence); }
    double number(const Question& question) const {
        const Vector row =
            stage_row(*evaluation.problem, evaluation.trace, question.stage, question.head, question.row);
        return static_cast<double>(row(question.column));
    }
    const Answer& type(const Question& question, const std::string& typed) {
        answer(state, answers, evaluation, question, typed);
        return answers.given.at(question);
    }
    const Answer& type_right(const Question& question) { return type(question, exact_number(number(question))); }

    PlaygroundState state;
    Answers answers;
    Evaluation evaluation;
};

// The texts of the mirror that stand for numbers, whether cells, explanations or tables.
void collect_texts(const json& node, std::vector<std::string>& texts) {
    if (node.is_string()) texts.push_back(node.get<std::string>());
    if (node.is_structured()) {
        for (const json& child : node) collect_texts(child, texts);
    }
}

}  // namespace

TEST_CASE("an answer is judged by the digits that were typed", "[check]") {
    struct Row {
        double number;
        const char* typed;
        Verdict verdict;
    };
    const Row table[] = {
        {0.391, "0.3910", Verdict::right},
        {0.391, "0.391", Verdict::right},
        {0.391, ".39", Verdict::right},
        {0.391, "0.40", Verdict::wrong},
        {0.391, "0.4", Verdict::unclear},
        {0.391, "", Verdict::unclear},
        {0.391, "abc", Verdict::unclear},
        {0.391, "NaN", Verdict::unclear},
        {0.391, "1e999", Verdict::unclear},
        {0.391, "0.3915", Verdict::right},
        {0.391, "0.3916", Verdict::wrong},  // four decimals count as three
        {0.391, "0.39149999", Verdict::right},
        {0.391, "0.395", Verdict::wrong},
        {0.391, "0.385", Verdict::wrong},
        {0.125, "0.12", Verdict::right},
        {0.125, "0.13", Verdict::right},
        {-0.391, "-0.39", Verdict::right},
        {-0.391, "−0.39", Verdict::right},
        {-0.391, "0.39", Verdict::wrong},
        {1, "1", Verdict::right},
        {1, "1.00", Verdict::right},
        {1, "2", Verdict::wrong},  // as far as it goes, no number near it is
                                   // right
        {0.18, "0.3", Verdict::wrong},
        {0.18, "0.2", Verdict::unclear},
        {0.18, "-0.2", Verdict::wrong},
        {1, "2.00", Verdict::wrong},
        {0, "0", Verdict::right},
        {0.99999, "1", Verdict::unclear},
        {0.99999, "1.00", Verdict::right},
        {43.5066, "43.5", Verdict::right},
        {43.5066, "43.6", Verdict::wrong},
        {43.5066, "44", Verdict::unclear},
        {12345, "1.23e4", Verdict::right},
        {12345, "1.2345e4", Verdict::right},
        {12345, "1.24e4", Verdict::wrong},
        {0.000031, "0.00", Verdict::right},
        {0.000031, "3.1e-5", Verdict::right},
    };
    for (const Row& row : table) {
        CAPTURE(row.number, row.typed);
        CHECK(judge(row.number, row.typed).verdict == row.verdict);
    }
    // A float stands for itself, however it is written out.
    // Found by fuzzing: an exponent beyond those that a power of ten is exact for.
    for (const char* typed : {"1e97", "-5e30", "1e23", "1e300", "1e-97", "1e-300"})
        CHECK(judge(0.3, typed).verdict == Verdict::wrong);
    CHECK(judge(1e30, "1e30").verdict == Verdict::right);
    CHECK(judge(0.391, "0.40").tolerance == answer_tolerance(0.391, kEnoughDecimals));
    CHECK(judge(static_cast<double>(0.1F), "0.1").verdict == Verdict::right);
    CHECK(judge(static_cast<double>(16777217.0F), "16777216").verdict == Verdict::right);
}

TEST_CASE("the numbers that are asked for are those that are there", "[check]") {
    const Visit visit("text=a+small+step&heads=2&mask_at=before");
    CHECK(questions_of(visit.evaluation, TensorId::scores).size() == 18);
    const std::vector<Question> weights = questions_of(visit.evaluation, TensorId::weights);
    CHECK(weights.size() == 12);  // the lower triangles
    CHECK(std::is_sorted(weights.begin(), weights.end()));
    for (const Question& question : weights) CHECK(question.column <= question.row);
    CHECK(questions_of(visit.evaluation, TensorId::merged).size() == 12);
    // The first sentence that a visitor sees can be asked for, a longer one in more heads cannot.
    CHECK_FALSE(questions_of(Visit("").evaluation, TensorId::scores).empty());
    CHECK(questions_of(Visit("d_out=16&heads=16").evaluation, TensorId::scores).empty());
    std::string text = "text=";
    for (int i = 0; i < 300; ++i) text += "w+";
    CHECK(questions_of(Visit(text).evaluation, TensorId::weights).empty());
}

TEST_CASE("copies of a blank stage are blank", "[check]") {
    const auto blank = [](const std::string& link, TensorId stage) { return is_blank(read_link(link).state, stage); };
    CHECK_FALSE(blank("", TensorId::weights));
    CHECK(blank("check=weights", TensorId::weights));
    CHECK_FALSE(blank("check=weights", TensorId::context));
    CHECK(blank("check=context", TensorId::merged));
    CHECK(blank("check=masked_scores", TensorId::scaled_scores));
    CHECK_FALSE(blank("check=masked_scores", TensorId::scores));
    CHECK(blank("check=masked_scores&scale=none", TensorId::scores));
    CHECK(blank("check=keys&init=none", TensorId::embeddings));
    CHECK(blank("check=all", TensorId::output));
}

TEST_CASE("arithmetic that names a blank number is not shown", "[check]") {
    const auto tells = [](const std::string& link, TensorId stage) {
        return tells_of_blank(read_link(link).state, stage);
    };
    CHECK(tells("check=weights", TensorId::weights));
    CHECK(tells("check=weights", TensorId::context));
    CHECK_FALSE(tells("check=weights", TensorId::output));
    CHECK(tells("check=queries", TensorId::scores));
    CHECK(tells("check=queries", TensorId::weights));  // explained down to query · key
    CHECK(tells("check=scores", TensorId::weights));
    CHECK_FALSE(tells("", TensorId::weights));
}

TEST_CASE("right, wrong and told answers are counted once, hints each", "[check]") {
    Visit visit("text=a+small+step&heads=2&check=scores");
    const std::vector<Question> questions = questions_of(visit.evaluation, TensorId::scores);
    CHECK_FALSE(visit.state.view.score);

    CHECK(visit.type(questions[0], "nothing").verdict == Verdict::unclear);
    CHECK_FALSE(visit.state.view.score);  // not judged, not counted
    visit.type(questions[0], "77.77");
    CHECK(visit.state.view.score == Score{0, 1, 0});
    visit.type(questions[0], "-77.77");
    CHECK(visit.state.view.score == Score{0, 1, 0});
    CHECK(visit.type_right(questions[0]).remark == "Right.");
    CHECK(visit.state.view.score == Score{1, 1, 0});
    visit.type(questions[0], "77.77");  // solved is solved
    CHECK(visit.state.view.score == Score{1, 1, 0});

    take_hint(visit.state, visit.answers, visit.evaluation, questions[1]);
    CHECK(visit.state.view.score == Score{1, 1, 1});
    for (int i = 0; i < 5; ++i) take_hint(visit.state, visit.answers, visit.evaluation, questions[1]);
    CHECK(visit.state.view.score == Score{1, 1, 3});
    CHECK(hints_of(visit.state, visit.answers, visit.evaluation, questions[1]).size() == 3);

    show_answer(visit.state, visit.answers, visit.evaluation, questions[2]);
    CHECK(visit.state.view.score == Score{1, 2, 3});
    CHECK(is_solved(visit.answers, questions[2]));
    visit.type_right(questions[2]);  // too late
    CHECK(visit.state.view.score == Score{1, 2, 3});
    CHECK(score_text(*visit.state.view.score) == "1 of 2 right, 3 hints");
}

TEST_CASE("the score is in the link and the answers are not", "[check]") {
    Visit visit("text=a+small+step&heads=2&check=scores");
    const std::vector<Question> questions = questions_of(visit.evaluation, TensorId::scores);
    visit.type(questions[0], "77.7777");
    visit.type_right(questions[1]);
    const std::string link = write_link(visit.state);
    CHECK(link.find("score=1/2/0") != std::string::npos);
    CHECK(link.find("77.77") == std::string::npos);
    CHECK(link.find(exact_number(visit.number(questions[1]))) == std::string::npos);
    CHECK(read_link(link).state == visit.state);
}

TEST_CASE("other numbers drop the answers and keep the score", "[check]") {
    Visit visit("text=a+small+step&heads=2&check=scores");
    const Question question = questions_of(visit.evaluation, TensorId::scores)[3];
    const double before = visit.number(question);
    visit.type_right(question);
    REQUIRE(take_new_numbers(visit.state));
    visit.update();
    keep_answers(visit.answers, visit.state);
    CHECK(visit.answers.given.empty());
    CHECK_FALSE(is_solved(visit.answers, question));
    CHECK(visit.number(question) != before);
    visit.type_right(question);
    CHECK(visit.state.view.score == Score{2, 2, 0});

    stop_check(visit.state, visit.answers);
    CHECK(visit.state.view.check.empty());
    CHECK(visit.state.view.score == Score{2, 2, 0});  // for handing in
    start_check(visit.state, visit.answers, {TensorId::weights});
    CHECK_FALSE(visit.state.view.score);

    // A link that comes with a score goes on from it.
    Visit later(write_link(Visit("text=a+small+step&check=scores&score=4/5/1").state));
    later.type_right(questions_of(later.evaluation, TensorId::scores)[0]);
    CHECK(later.state.view.score == Score{5, 6, 1});
}

TEST_CASE("where no seed decides, there are no new numbers", "[check]") {
    PlaygroundState state = read_link("init=none&embed=typed&x=1,2;3,4").state;
    CHECK_FALSE(take_new_numbers(state));
    state.inputs.embed = EmbeddingKind::hash;
    const std::uint64_t seed = state.inputs.embed_seed;
    CHECK(take_new_numbers(state));
    CHECK(state.inputs.embed_seed == seed + 1);
    state.inputs.model = "first-words";
    CHECK_FALSE(take_new_numbers(state));
}

TEST_CASE("a lesson's text quotes numbers, so there are no others", "[check][lessons]") {
    PlaygroundState state = read_link("lesson=causal&step=8").state;
    REQUIRE_FALSE(state.view.check.empty());
    const PlaygroundState before = state;
    CHECK_FALSE(take_new_numbers(state));
    CHECK(state == before);
    leave_lesson(state.view);
    CHECK(take_new_numbers(state));
}

TEST_CASE("a wrong answer is told its slip, and only a slip that was made", "[check]") {
    Visit visit("text=a+small+step&d_out=8&heads=2&init=torch.randn&check=scaled_scores");
    const Question question = {.stage = TensorId::scaled_scores, .head = 1, .row = 2, .column = 0};
    const Question score = {.stage = TensorId::scores, .head = 1, .row = 2, .column = 0};
    const std::string undivided = shown_number(visit.number(score));
    CHECK(visit.type(question, undivided).remark ==
          concat("Not yet, because ", undivided, " comes out when you forget to divide by √4."));
    CHECK(visit.type(question, "123.456").remark == "Not yet, because the number is below 123.456.");
}

TEST_CASE("hints go from the formula to all numbers, and never to the sum", "[check]") {
    Visit visit("text=a+small+step&d_out=4&heads=2&check=scores");
    const Question question = {.stage = TensorId::scores, .head = 0, .row = 1, .column = 0};
    for (int i = 0; i < kNumHints; ++i) take_hint(visit.state, visit.answers, visit.evaluation, question);
    const std::vector<std::string> hints = hints_of(visit.state, visit.answers, visit.evaluation, question);
    REQUIRE(hints.size() == 3);
    CHECK(hints[0] == "score = query · key");
    const std::string first = shown_number(visit.number({TensorId::queries, 0, 1, 0}));
    const std::string second = shown_number(visit.number({TensorId::queries, 0, 1, 1}));
    CHECK(hints[1].find(first) != std::string::npos);
    CHECK(hints[1].find(second) == std::string::npos);
    CHECK(hints[2].find(second) != std::string::npos);
    for (const std::string& hint : hints) CHECK(hint.find(shown_number(visit.number(question))) == std::string::npos);
}

TEST_CASE("the hints of a capped score name the score that is bent, not its tangent", "[check][score_cap]") {
    Visit visit("text=a+small+step&d_out=4&heads=2&score_cap=3&check=capped_scores");
    const Question question = {.stage = TensorId::capped_scores, .head = 0, .row = 1, .column = 0};
    for (int i = 0; i < kNumHints; ++i) take_hint(visit.state, visit.answers, visit.evaluation, question);
    const std::string scaled = shown_number(visit.number({TensorId::scaled_scores, 0, 1, 0}));
    CHECK(hints_of(visit.state, visit.answers, visit.evaluation, question) ==
          std::vector<std::string>{"capped score = cap · tanh(scaled score / cap)",
                                   concat("= cap · tanh(", scaled, " / cap)"), concat("= 3 × tanh(", scaled, " / 3)")});
    CHECK(needs_of(visit.state, visit.answers, visit.evaluation, question) ==
          std::vector<std::string>{concat("scaled scores of “small”:  ", scaled), "cap:  3"});
}

TEST_CASE("the hints of a normed number divide by the root mean square of its row", "[check][norm]") {
    Visit visit("text=a+small+step&d_out=4&heads=2&qk_norm=1&check=normed_queries&edit=queries[1,0]=3,4");
    const Question question = {.stage = TensorId::normed_queries, .head = 0, .row = 1, .column = 0};
    for (int i = 0; i < kNumHints; ++i) take_hint(visit.state, visit.answers, visit.evaluation, question);
    CHECK(hints_of(visit.state, visit.answers, visit.evaluation, question) ==
          std::vector<std::string>{"normed query = query · q_norm / rms", "= (3.0000 × 1.0000) / rms",
                                   "= (3.0000 × 1.0000) / √((3.0000 × 3.0000 + 4.0000 × 4.0000) / 2 + 1e-6)"});
    CHECK(needs_of(visit.state, visit.answers, visit.evaluation, question) ==
          std::vector<std::string>{"queries of “small”:  3.0000  4.0000", "q_norm, row 0:  1.0000"});
}

TEST_CASE("every stage of a model's layer has hints, and numbers to answer from", "[check][model]") {
    for (const auto& [name, checkpoint] : test::all_checkpoints()) {
        const test::ModelIsOpen model(test::small_model("small", checkpoint));
        const PlaygroundState open = read_link("model=small&text=the+artist+painted&layer=2").state;
        for (const TensorId stage : present_stages(open.inputs)) {
            CAPTURE(name, tensor_name(stage));
            Visit visit(concat("model=small&text=the+artist+painted&layer=2&stage=", tensor_name(stage),
                               "&check=", tensor_name(stage)));
            const std::vector<Question> questions = questions_of(visit.evaluation, stage);
            const Question& question = questions.back();
            for (int i = 0; i < kNumHints; ++i) take_hint(visit.state, visit.answers, visit.evaluation, question);
            CHECK(hints_of(visit.state, visit.answers, visit.evaluation, question).size() == kNumHints);
            CHECK_FALSE(needs_of(visit.state, visit.answers, visit.evaluation, question).empty());
        }
    }
}

TEST_CASE("what one needs for a sum of the stream is both of its numbers", "[check][model]") {
    const test::ModelIsOpen model(test::small_model());
    Visit visit("model=small&text=the+artist+painted&layer=1&stage=middle&check=middle&hide=middle[2,5]");
    const Question question = {.stage = TensorId::middle, .head = 0, .row = 2, .column = 5};
    CHECK(needs_of(visit.state, visit.answers, visit.evaluation, question) ==
          std::vector<std::string>{
              concat("before of “painted”:  ", shown_number(visit.number({TensorId::before, 0, 2, 5}))),
              concat("output of “painted”:  ", shown_number(visit.number({TensorId::output, 0, 2, 5})))});
}

TEST_CASE("a hint leaves out the numbers of other blank stages until they are solved", "[check]") {
    Visit visit("text=a+small+step&d_out=4&heads=2&check=all");
    const Question question = {.stage = TensorId::scores, .head = 0, .row = 1, .column = 0};
    const Question query = {.stage = TensorId::queries, .head = 0, .row = 1, .column = 0};
    for (int i = 0; i < kNumHints; ++i) take_hint(visit.state, visit.answers, visit.evaluation, question);
    CHECK(hints_of(visit.state, visit.answers, visit.evaluation, question)[2] == "= ? × ? + ? × ?");
    visit.type_right(query);
    const std::string shown = shown_number(visit.number(query));
    CHECK(hints_of(visit.state, visit.answers, visit.evaluation, question)[2] == concat("= ", shown, " × ? + ? × ?"));
}

TEST_CASE("no blank number can be read in the mirror, its explanations or what is announced", "[check][property]") {
    const std::string inputs =
        "text=a+small+step&heads=2&init=torch.randn&dropout=0.3&score_cap=0.7&qk_norm=1&cell=2,2,1";
    const Inputs read = read_link(inputs).state.inputs;
    for (const TensorId blank : present_stages(read)) {
        for (const TensorId stage : present_stages(read)) {
            for (const char* view : {"matrix", "numbers", "lines", "compare", "stacked", "dots"}) {
                const std::string link = concat(inputs, "&check=", tensor_name(blank), "&stage=", tensor_name(stage),
                                                "&select=1,2&target=2%3E1&view=", view);
                CAPTURE(link);
                const Visit visit(link);
                std::vector<std::string> texts;
                const json mirror = json::parse(mirror_as_json(read_link(link)));
                collect_texts(mirror.at("shown"), texts);
                collect_texts(mirror.at("acts"), texts);
                texts.push_back(announcement_of(visit.state, visit.evaluation));
                Evaluator evaluator;
                evaluator.update(visit.state);
                for (const TextTable& table : tables_of_view(visit.state, evaluator)) {
                    for (const auto& row : table.rows) texts.insert(texts.end(), row.begin(), row.end());
                }
                for (const Question& question : questions_of(visit.evaluation, blank)) {
                    const std::string number = shown_number(visit.number(question));
                    if (number.size() < 6 || std::abs(visit.number(question)) < 0.01)
                        continue;  // seen elsewhere by chance
                    for (const std::string& text : texts) {
                        CAPTURE(number, text);
                        CHECK(text.find(number) == std::string::npos);
                    }
                }
                if (stage == blank) CHECK(mirror.at("shown").at("heads").at(0).at("values").at(2).at(1) == "?");
            }
        }
    }
}

TEST_CASE("what one needs to answer is told, and nothing that is blank", "[check]") {
    Visit visit("text=a+small+step&heads=1&d_in=2&d_out=2&check=weights");
    const auto needs = [&](TensorId stage) {
        return needs_of(visit.state, visit.answers, visit.evaluation,
                        {.stage = stage, .head = 0, .row = 2, .column = 1});
    };
    const auto scores = stage_row(*visit.evaluation.problem, visit.evaluation.trace, TensorId::masked_scores, 0, 2);
    const std::string all =
        concat("  ", shown_number(scores(0)), "  ", shown_number(scores(1)), "  ", shown_number(scores(2)));
    REQUIRE(needs(TensorId::weights).size() == 1);
    CHECK(needs(TensorId::weights).front().ends_with(concat("of “step”:", all)));
    REQUIRE(needs(TensorId::context).size() == 2);
    CHECK(needs(TensorId::context)[0] == "weights of “step”:  ?  ?  ?");
    CHECK(needs(TensorId::context)[1].starts_with("values, column 1:  "));
    CHECK(needs(TensorId::queries).size() == 2);
    CHECK(needs(TensorId::scaled_scores).back().starts_with("divisor:  1.41"));
    REQUIRE(needs(TensorId::output).size() == 3);
    CHECK(needs(TensorId::output)[2] ==
          concat("bias:  ", shown_number(visit.evaluation.problem->projections->b_out(1))));
}

TEST_CASE("single numbers that are blank are all that is asked, and no arithmetic tells them", "[check]") {
    Visit visit("text=a+small+step&heads=1&hide=weights[1,2,0]");
    const Blanks blanks(visit.state);
    REQUIRE(questions_of(visit.evaluation, TensorId::weights, blanks).size() == 1);
    CHECK(questions_of(visit.evaluation, TensorId::scores, blanks).size() == 9);
    const auto tells = [&](TensorId stage, int row, int column) {
        return tells_of_blank(
            visit.evaluation, blanks,
            explain(*visit.evaluation.problem, visit.evaluation.trace, visit.evaluation.parts, stage, 0, row, column));
    };
    CHECK(tells(TensorId::weights, 2, 0));
    CHECK(tells(TensorId::weights, 2, 1));  // its row sum lists the exponential of the blank one
    CHECK_FALSE(tells(TensorId::weights, 1, 0));
    CHECK(tells(TensorId::context, 2, 3));
    CHECK_FALSE(tells(TensorId::context, 1, 3));
    CHECK_FALSE(tells(TensorId::scores, 2, 0));  // what comes before is what one computes with

    Visit keys("text=a+small+step&heads=1&hide=keys[1,1,0]");
    const Blanks key(keys.state);
    CHECK(tells_of_blank(
        keys.evaluation, key,
        explain(*keys.evaluation.problem, keys.evaluation.trace, keys.evaluation.parts, TensorId::weights, 0, 2, 1)));
}

TEST_CASE("an answer may have a decimal comma", "[check]") {
    CHECK(judge(0.389, "0,39").verdict == Verdict::right);
    CHECK(judge(0.389, "0,45").verdict == Verdict::wrong);
    CHECK(judge(0.389, "0,3,9").verdict == Verdict::unclear);
}
