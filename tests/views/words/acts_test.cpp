// What the text version offers and does: the same states, verdicts, hints and scores as the picture's controls give.
#include "views/words/acts.h"

#include <algorithm>
#include <catch_amalgamated.hpp>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/explain/stage_numbers.h"
#include "playground/check/check_course.h"
#include "playground/link/key_table.h"
#include "playground/link/state_url.h"
#include "playground/state/view_table.h"
#include "playground/text/format.h"
#include "views/words/check_acts.h"
#include "views/words/mirror.h"

using namespace attn;
using nlohmann::json;

namespace {

// A visit to the text version, as src/engine.cpp makes it.
class TextVisit {
public:
    explicit TextVisit(const std::string& link) { open(link); }

    void open(const std::string& link) {
        session.open_link(link);
        session.settle(now += 1);
        keep();
    }
    std::string act(std::string_view name, std::string_view typed = {}) {
        ActOutcome outcome;
        do {
            outcome = do_act(session, evaluator, work, name, typed, now += 1);
        } while (!outcome.is_done);
        keep();
        return outcome.said;
    }
    const PlaygroundState& state() const { return session.state(); }
    CheckText check() const { return check_text(session, evaluator); }
    json mirror() const {
        return json::parse(mirror_as_json({.state = session.state(), .notes = {}}, evaluator, &session));
    }
    std::vector<std::string> offered() const {
        std::vector<std::string> names;
        for (const ActGroup& group : acts_of_view(state(), evaluator)) {
            for (const Act& act : group.acts) {
                if (act.is_possible) names.push_back(act.name);
            }
        }
        return names;
    }
    std::string number(int head, int row, int column) {
        const Evaluation& evaluation = evaluator.shown();
        const Vector numbers = stage_row(*evaluation.problem, evaluation.trace, state().view.stage, head, row);
        return shown_number(static_cast<double>(numbers(static_cast<std::size_t>(column))));
    }

    Session session;
    Evaluator evaluator;

private:
    void keep() {
        evaluator.update(session.state());
        keep_checks(session, evaluator);
    }

    NextWordWork work;
    double now = 0;
};

bool has_act(const std::vector<Act>& acts, std::string_view name) {
    return std::ranges::any_of(acts, [&](const Act& act) { return act.name == name && act.is_possible; });
}

}  // namespace

TEST_CASE("a check in the text version asks, judges, hints and counts", "[acts][check]") {
    TextVisit visit("text=a+small+step&heads=2");
    REQUIRE(visit.check().toggle);
    CHECK(visit.check().toggle->label == "Check me");
    CHECK(visit.check().field.empty());
    CHECK(visit.act("check") == "The numbers are blank now.");
    CHECK(visit.state().view.check == std::set<TensorId>{TensorId::weights});
    CheckText text = visit.check();
    CHECK(text.title == "Head 1 · a → a");
    CHECK(text.questions.size() == 12);
    CHECK(text.current == 0);
    CHECK(text.remark == judging_rule());
    CHECK(text.questions[0].label == "Head 1 · a → a: blank");
    CHECK(visit.mirror().at("shown").at("heads").at(0).at("values").at(0).at(0) == "?");

    CHECK(visit.act("answer", "0.70") == "Not yet, because the number is above 0.70.");
    CHECK(visit.check().score == "Score: 0 of 1 right");
    CHECK(visit.check().questions[0].label == "Head 1 · a → a: not right");
    CHECK(visit.mirror().at("shown").at("heads").at(0).at("values").at(0).at(0) == "0.70, not right");
    CHECK(visit.act("answer", "0.7") == "Not yet, because the number is above 0.7.");
    CHECK(visit.act("answer", "1.00") == "Right. Next: Head 1 · small → a.");
    CHECK(visit.check().score == "Score: 1 of 1 right");
    CHECK(visit.mirror().at("shown").at("heads").at(0).at("values").at(0).at(0) == "1.0000, right");
    CHECK(visit.check().title == "Head 1 · small → a");

    const std::string hint = visit.act("check hint");
    CHECK(hint.starts_with("weight"));
    CHECK(std::ranges::count(visit.check().lines, hint) == 1);
    CHECK(visit.check().score == "Score: 1 of 1 right, 1 hint");
    CHECK(has_act(visit.check().acts, "check hint"));
    visit.act("check hint");
    visit.act("check hint");
    CHECK_FALSE(has_act(visit.check().acts, "check hint"));
    CHECK(visit.act("check show") == "It is " + visit.number(0, 1, 0) + ".");
    CHECK(visit.check().score == "Score: 1 of 2 right, 3 hints");
    CHECK(visit.check().field.empty());
    CHECK(visit.act("check next") == "Head 1 · small → small: blank");
    CHECK(visit.act("question=6") == "Head 2 · a → a: blank");
    CHECK(visit.state().view.cell == Cell{.head = 1, .row = 0, .column = 0});
    CHECK(visit.act("question=99").empty());

    CHECK(visit.act("check=all").empty());
    CHECK(visit.state().view.check == whole_case());
    const auto seed = visit.state().inputs.seed;
    CHECK(visit.act("check new") == "These are new numbers.");
    CHECK(visit.state().inputs.seed == seed + 1);
    CHECK(visit.check().questions[0].label == "Head 1 · a → a: blank");
    CHECK(visit.check().score == "Score: 1 of 2 right, 3 hints");
    CHECK(visit.act("check") == "The numbers are shown again.");
    CHECK(visit.state().view.check.empty());
}

TEST_CASE("all numbers filled in is said, and there is no field any more", "[acts][check]") {
    TextVisit visit("text=one+two&heads=1&check=weights");
    for (const auto& [row, column] : std::vector<std::pair<int, int>>{{0, 0}, {1, 0}, {1, 1}})
        visit.act("answer", visit.number(0, row, column));
    CHECK(visit.check().score == "Score: 3 of 3 right");
    CHECK(visit.check().field.empty());
    CHECK_FALSE(has_act(visit.check().acts, "check show"));
}

TEST_CASE("a view that would give blank numbers away says so, and leads back", "[acts][check]") {
    TextVisit visit("text=a+small+step&check=scores&view=cost&stage=weights");
    CHECK(visit.check().title.empty());
    visit.open("text=a+small+step&check=scores&view=lines&stage=weights");
    CHECK(visit.check().title == "This view would give away numbers that are blank: scores.");
    visit.act("check numbers");
    CHECK(visit.state().view.view == ViewKind::matrix);
}

TEST_CASE("locks and what an author left out hold for the acts, too", "[acts][check]") {
    TextVisit visit("text=a+small+step&lock=check,compare&view=compare");
    CHECK_FALSE(visit.check().toggle->is_possible);
    CHECK(visit.act("check").empty());
    CHECK(visit.state().view.check.empty());
    visit.act("compare=now");
    CHECK(visit.state().view.compare.empty());
    visit.open("text=a+small+step&hide=check,undo");
    CHECK_FALSE(visit.check().toggle);
    CHECK(undo_acts(visit.session).empty());
    visit.open("text=");
    CHECK_FALSE(visit.check().toggle);
    CHECK(visit.act("check").empty());
    CHECK(visit.act("no such act").empty());
}

TEST_CASE("a lesson asks for the count that its step speaks of, and for no other", "[acts][check][cache][lessons]") {
    TextVisit visit("lesson=groups&step=4");
    CHECK(visit.check().title == "How many numbers does one more token add to the cache?");
    CHECK(visit.act("count answer", "16").starts_with("Not yet"));
    CHECK(visit.act("count answer", "8").starts_with("Right."));
    CHECK(visit.check().remark.ends_with("Done. Press Next."));
    CHECK(visit.check().acts.empty());
}

TEST_CASE("a step has new numbers if its words hold for them, and else says why not", "[acts][check][lessons]") {
    TextVisit visit("lesson=cache&step=3");
    const auto seed = visit.state().inputs.seed;
    const std::string words = visit.mirror().at("lesson").at("text");
    CHECK(has_act(visit.check().acts, "check new"));
    CHECK(visit.act("check new") == "These are new numbers.");
    CHECK(visit.state().inputs.seed == seed + 1);
    CHECK(visit.mirror().at("lesson").at("text") != words);

    TextVisit fixed("lesson=shares&step=2");
    CHECK_FALSE(has_act(fixed.check().acts, "check new"));
    CHECK(fixed.check().acts.back().label == "New numbers: the text of this step names its own numbers");
    CHECK(fixed.act("check new").empty());
    CHECK(fixed.state().inputs.seed == seed);
}

TEST_CASE("counts of the cache are asked for and judged", "[acts][check][cache]") {
    TextVisit visit("view=cache&prompt=4&at=2");
    visit.act("check");
    REQUIRE(visit.state().view.asks_counts);
    CheckText text = visit.check();
    CHECK(text.title.starts_with("Question 1 of "));
    CHECK(text.field == "count answer");
    CHECK(visit.act("count hint") == visit.session.cache_check().question().hint);
    CHECK(visit.act("count answer", "1").starts_with("Not yet"));
    CHECK(visit.check().score == "Score: 0 of 1 right, 1 hint");
    const std::string number = std::to_string(visit.session.cache_check().question().number);
    CHECK(visit.act("count answer", number).starts_with("Right."));
    CHECK(visit.check().score == "Score: 0 of 1 right, 1 hint");  // a question counts once
    CHECK(visit.check().field.empty());
    const std::string second = visit.act("count next");
    CHECK(second == visit.session.cache_check().question().asks);
    CHECK(visit.check().title.starts_with("Question 2 of "));
    visit.act("count show");
    CHECK(visit.check().score == "Score: 0 of 2 right, 1 hint");
}

TEST_CASE("the cache is walked token by token", "[acts][cache]") {
    TextVisit visit("view=cache&prompt=4");
    const auto step_words = [&] { return acts_of_view(visit.state(), visit.evaluator)[0].words[0]; };
    CHECK(step_words().starts_with("Prefill"));
    CHECK(visit.offered() == std::vector<std::string>{"cache=step", "cache=play"});
    visit.act("cache=step");
    visit.act("cache=step");
    CHECK(visit.state().view.at == 2);
    CHECK(step_words().starts_with("Step 2 of 7: "));
    visit.act("cache=back");
    CHECK(visit.state().view.at == 1);
    visit.act("cache=play");
    CHECK(visit.state().view.at == 7);
    CHECK(visit.offered() == std::vector<std::string>{"cache=again", "cache=back"});
    visit.act("cache=step");
    CHECK(visit.state().view.at == 7);
    visit.act("cache=again");
    CHECK(visit.state().view.at == 0);
    CHECK(visit.mirror().at("view").at("values").at("prompt") == json({"4"}));
}

TEST_CASE("the next word of a goal is said, becomes the newest token, and can be undone", "[acts][cache]") {
    TextVisit visit(
        "view=cache&text=the+cat+sat+the+cat&goal=next&optimizer=adam&rate=0.05&steps=300&pos=none&d_in=8&d_out=8&"
        "heads=2&prompt=3&at=2");
    CHECK_FALSE(undo_acts(visit.session)[0].is_possible);
    CHECK(visit.act("cache=say") == "“sat” is said.");
    CHECK(visit.state().inputs.texts[0] == "the cat sat the cat sat");
    CHECK(visit.state().view.at == 3);
    CHECK(undo_acts(visit.session)[0].is_possible);
    CHECK(visit.act("undo").starts_with("Undone."));
    CHECK(visit.state().inputs.texts[0] == "the cat sat the cat");
    CHECK(undo_acts(visit.session)[1].is_possible);
    CHECK(visit.act("redo").starts_with("Done again."));
    CHECK(visit.state().inputs.texts[0] == "the cat sat the cat sat");
}

TEST_CASE("links that the text version opens one after the other are undone one by one", "[acts]") {
    TextVisit visit("heads=2");
    visit.open("heads=2&mask=none");
    visit.open("heads=2&mask=none&cell=1,2,1");
    visit.open("heads=1&mask=none");
    CHECK(visit.act("undo") == "Undone. heads: 2.");
    CHECK(visit.act("undo").starts_with("Undone. mask"));
    CHECK(visit.state().inputs.mask == Mask::causal);
    CHECK(visit.act("undo").empty());
    CHECK(visit.act("redo").starts_with("Done again."));
}

TEST_CASE("a B is chosen, swapped and removed", "[acts][compare]") {
    TextVisit visit("view=compare&seed=5");
    const auto words = [&] { return acts_of_view(visit.state(), visit.evaluator)[0].words[0]; };
    CHECK(words().starts_with("A is what you see now."));
    visit.act("compare=seed");
    CHECK(words().starts_with("B: seed 6"));
    CHECK(std::ranges::count(visit.offered(), "head of B-") == 0);
    visit.act("head of B+");
    CHECK(words() == "B: seed 6 instead of 5; head 2 instead of 1");
    CHECK(std::ranges::count(visit.offered(), "head of B+") == 0);
    visit.act("head of B-");
    visit.act("compare=swap");
    CHECK(visit.state().inputs.seed == 6);
    CHECK(words().starts_with("B: seed 5"));
    visit.act("compare=none");
    CHECK(visit.state().view.compare.empty());
    visit.act("compare=now");
    CHECK_FALSE(visit.state().view.compare.empty());
}

TEST_CASE("every key that a view is shown by is one of the link and decides no numbers", "[acts]") {
    for (const ViewInfo& view : kViews) {
        for (const std::string_view key : keys_of_view(view.kind)) CHECK_FALSE(key_info(key).decides_numbers);
    }
}

TEST_CASE("a prediction is asked, chosen and told in the text version", "[text][predict]") {
    TextVisit visit("lesson=no-weights&step=2");
    const auto asks = [&] { return visit.mirror().at("lesson").at("asks"); };
    CHECK(asks().at("question") == "Which scores higher with “journey”?");
    CHECK(asks().at("said") == "");
    CHECK(asks().at("order").empty());
    REQUIRE(asks().at("choices").size() == 3);
    CHECK(asks().at("choices")[0].at("label") == "“with”");
    CHECK(visit.mirror().dump().find("0.9544") == std::string::npos);  // the answer's number, in no table either

    CHECK(visit.act("predict=1").starts_with("You said: “with”; it is: “Your”."));
    CHECK(asks().at("choices")[0].at("label") == "“with”, your answer, not right");
    CHECK(visit.mirror().at("view").dump().find("0.9544") != std::string::npos);
    CHECK(visit.act("predict=2").find("That is right.") != std::string::npos);
    for (const json& choice : asks().at("choices")) CHECK(choice.at("is_possible") == false);
    CHECK(visit.session.answers().log.records().at(0).right_at == 2);
    CHECK(visit.act("predict=8") == asks().at("said"));  // not offered
    CHECK(visit.act("predict=x") == asks().at("said"));

    visit.open("lesson=no-weights&step=3");
    CHECK(asks().at("question") == "");
    CHECK(visit.act("predict=1").empty());
    visit.open("lesson=no-weights&step=2");
    CHECK(asks().at("said").get<std::string>().starts_with("You said: “Your”. That is right."));
    visit.open("heads=2");
    CHECK(visit.act("predict=1").empty());
}

TEST_CASE("an order is made with buttons in the text version", "[text][predict]") {
    TextVisit visit("lesson=off&step=6");
    const auto asks = [&] { return visit.mirror().at("lesson").at("asks"); };
    CHECK(asks().at("order") == json({"without head 1", "without head 2", "without head 7"}));
    CHECK(asks().at("choices")[0] ==
          json({{"name", "predict up=1"}, {"label", "without head 1: one place up"}, {"is_possible", false}}));
    CHECK(visit.act("predict up=3") == "without head 7: place 2 of 3.");
    CHECK(visit.act("predict down=1") == "without head 1: place 2 of 3.");
    CHECK(visit.act("predict down=3").empty());
    CHECK(visit.act("predict up=1").empty());
    CHECK(asks().at("order") == json({"without head 7", "without head 1", "without head 2"}));
    CHECK(visit.act("predict=order").find("; it is: without head 7, without head 2, without head 1.") !=
          std::string::npos);
    visit.act("predict up=3");
    CHECK(visit.act("predict=order").find("That is right.") != std::string::npos);
}
