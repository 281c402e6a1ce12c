// Where docs/teaching.md sends a reader, idea by idea: the steps it names speak of the idea.
#include <algorithm>
#include <array>
#include <catch_amalgamated.hpp>
#include <cctype>
#include <fstream>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "core/ground/check.h"
#include "playground/lessons/lessons.h"
#include "playground/lessons/step_words.h"
#include "project_folder.h"

using namespace attn;
using namespace attn::test;

namespace {

// How a row begins, and words of which each lesson that it names has some, with | between them.
struct Idea {
    std::string_view row, words;
};
constexpr auto kIdeas = std::to_array<Idea>({
    {"a sentence with two readings", "reading"},
    {"one attention sees one perspective", "reading|half"},
    {"one table of weights and one context a head", "one table|two tables|each head's context"},
    {"X has 11 rows of 8 numbers", "11 rows of 8"},
    {"first one head: W of 8 × 4", "one head|8 × 4"},
    {"head_dim = d_out / num_heads", "head_dim = "},
    {"W_q becomes W_q1 and W_q2", "columns"},
    {"“copies” of the matrices", "copies"},
    {"Q1 to V2 have 11 rows of 2", "11 × 11"},
    {"the mask: everything above the diagonal", "mask|hidden"},
    {"the order in which it is said", "softmax"},
    {"dropout |", "dropout|dropped"},
    {"scores and weights differ", "softmax"},
    {"the contexts side by side", "side by side"},
    {"the price: 2 numbers instead of 4", "half of"},
    {"a context vector is richer", "whole sentence"},
    {"all large models have several heads", "12 heads|64 heads"},
    {"lines between words", "line"},
    {"BERT looks both ways", "BERT"},
    {"“11 heads”", "11 heads"},
    {"layer 3, head 3", "layer 2|two readings|both readings|readings"},
    {"next: the numbers", "numbers|kept|latent"},
    {"the four steps: projections", "query"},
    {"an embedding is meaning and position", "meaning|position"},
    {"causal: the past and the present", "cheating"},
    {"0 or −∞", "−∞"},
    {"the two readings, and their lines", "reading"},
    {"one matrix, one interpretation", "settle for one reading|half"},
    {"“The government should regulate", "regulate free speech"},
    {"summaries lose", "both readings"},
    {"11 tokens, 8, 4, 2, 2", "96"},
    {"all shapes from step to step", "(1, 3, 6)"},
    {"the first two columns of W_q", "columns 0 and 1|column 2"},
    {"scores stay 11 × 11", "11 × 11"},
    {"the steps scale and then mask", "before it divides|after the softmax|after it"},
    {"÷ √head_dim, not", "√3"},
    {"joined along the last axis", "side by side"},
    {"with a batch", "(b, T, d_in)"},
    {"the function in code", "torch.softmax|In Python|PyTorch script"},
    {"all heads at once", "One large product"},
    {"heads specialise", "targets|added|kept apart|side by side|Two heads, two readings|reading"},
    {"one head of 4 against two of 2", "half of"},
    {"121 weights against 242", "242"},
    {"a demonstration with BERT", "BertViz"},
    {"how many heads GPT has", "12 heads"},
    {"KV cache, MLA; gradient", "computed|cache|key heads|latent"},
    {"one can see what a head has learned", "colour for each head|target|does most|induction head"},
    {"96 heads need 96 × 3", "96 × 3"},
    {"head_dim = 6 / 2 = 3", "head_dim = 6 / 2 = 3"},
    {"W_q, W_k, W_v, “used Linear Layer”", "nn.Linear"},
    {"X · W, printed", "X times each matrix"},
    {"(1, 3, 2, 3); two people", "two people"},
    {"the printed groups", "(1, 2, 3, 3)"},
    {"Kᵀ |", "transpose"},
    {"scores of each head", "every query times every key"},
    {"mask, ÷ √3 and not", "√3"},
    {"the printed scores, masked", "printed scores"},
    {"dropout may follow", "dropout"},
    {"context of each head, and its shapes", "(1, 2, 3, 3)"},
    {"tokens first again", "one row of six"},
    {"from the printed step 6 on", "printed"},
    {"one sum that every X · W", "7 times|seven times"},
    {"b, num_tokens, d_in", "x.shape"},
    {"view, transpose(1, 2)", "view|transpose(1, 2)"},
    {"queries @ keys.transpose", "keys.transpose(2, 3)"},
    {"mask, ÷ √3, softmax; attn_weights", "attn_weights @ values"},
    {"contiguous().view joins", "contiguous().view|same shape"},
    {"six heads would make", "six heads"},
    {"the inputs stacked on themselves", "twice"},
    {"sentences do not mix", "sentence 1 does not|Sentence 2"},
    {"the class of 20 to 25 lines", "about 25 lines"},
    {"“take a piece of paper”", "piece of paper"},
    {"flash attention; KV cache", "same bits|latent"},
    {"simplified attention once more", "weighted mean"},
    {"six embeddings and a context vector", "dot product"},
    {"W_q, W_k, W_v: random now", "torch.rand"},
    {"from here on without the embeddings", "nothing looks at X"},
    {"nn.Parameter(torch.rand", "requires_grad|gradient"},
    {"query, key and value of “journey”", "query"},
    {"one row by hand, then all", "transposed"},
    {"how a query attends to the keys", "score"},
    {"a dot product is alignment", "90°"},
    {"scores mean nothing before training", "nothing"},
    {"why normalise; positive", "shares|weighted mean"},
    {"÷ √d_k, the weights", "√2"},
    {"dim=-1, keys.shape", "dim=-1"},
    {"softmax of five numbers", "softmax"},
    {"large scores are unstable", "hard|hardly"},
    {"the variance of q·k is d", "variance"},
    {"the same in a sentence", "√512"},
    {"the name: scaled dot-product", "scaled dot-product attention"},
    {"values shrunk and put end to end", "starts where the one before ends"},
    {"the exercise: six values", "six"},
    {"all six contexts, and why", "plain mean"},
    {"the class, nn.Linear, other numbers", "nn.Linear"},
    {"“more stable and effective”", "better start|near 1/11|dividing|same 20 steps"},
    {"the context has d_out columns", "2 columns|(11, 4)"},
    {"a search in a database", "search in a database|dictionary"},
    {"next-word prediction as the reason", "guessing the next word"},
});

const std::regex kPointer("`([a-z-]+)` ([0-9]+((, | to | and )[0-9]+)*)");

std::vector<std::string> rows_of_ideas() {
    std::ifstream in(std::string(kProjectFolder) + "/docs/teaching.md");
    REQUIRE(in);
    std::vector<std::string> rows;
    bool is_inside = false;
    for (std::string line; std::getline(in, line);) {
        if (line.starts_with("## ")) is_inside = line == "## Idea by idea";
        if (is_inside && line.starts_with("| ")) rows.push_back(line.substr(2));
    }
    return rows;
}

std::string in_small_letters(std::string_view text) {
    std::string small(text);
    std::ranges::transform(small, small.begin(), [](unsigned char c) { return std::tolower(c); });
    return small;
}

// "1, 3 to 6 and 8", from 1.
std::vector<int> steps_in(const std::string& list) {
    std::vector<int> steps;
    const std::regex range("([0-9]+)( to ([0-9]+))?");
    for (auto place = std::sregex_iterator(list.begin(), list.end(), range); place != std::sregex_iterator(); ++place) {
        const int first = std::stoi((*place)[1]);
        const int last = (*place)[3].matched ? std::stoi((*place)[3]) : first;
        for (int step = first; step <= last; ++step) steps.push_back(step);
    }
    return steps;
}

bool speaks_of(const LessonStep& step, std::string_view words) {
    const std::string said = in_small_letters(
        concat(step.title, " ", step.answer_before, " ", step.text, " ", step.asks ? step.asks->question : ""));
    while (!words.empty()) {
        const std::size_t end = std::min(words.find('|'), words.size());
        if (said.find(in_small_letters(words.substr(0, end))) != std::string::npos) return true;
        words.remove_prefix(std::min(end + 1, words.size()));
    }
    return false;
}

}  // namespace

TEST_CASE("the guide lists the exercises that another seed makes anew", "[lessons][docs]") {
    std::ifstream in(std::string(kProjectFolder) + "/docs/teaching.md");
    REQUIRE(in);
    std::string text;
    bool is_inside = false;
    for (std::string line; std::getline(in, line);) {
        is_inside = line.starts_with("Another seed makes") || (is_inside && !line.empty());
        if (is_inside) text += concat(line, " ");
    }
    std::set<std::string> named, live;
    for (auto place = std::sregex_iterator(text.begin(), text.end(), kPointer); place != std::sregex_iterator();
         ++place) {
        for (const int step : steps_in((*place)[2])) named.insert(concat((*place)[1].str(), " ", step));
    }
    for (const Lesson& lesson : lessons()) {
        for (std::size_t i = 0; i < lesson.steps.size(); ++i) {
            PlaygroundState state;
            go_to_step(state, lesson, static_cast<int>(i));
            if (!state.view.check.empty() && take_new_numbers_of_step(state))
                live.insert(concat(lesson.name, " ", i + 1));
        }
    }
    CHECK(named == live);
}

TEST_CASE("each step that the guide names for an idea speaks of it", "[lessons][docs]") {
    std::set<std::string_view> met;
    for (const std::string& row : rows_of_ideas()) {
        auto place = std::sregex_iterator(row.begin(), row.end(), kPointer);
        if (place == std::sregex_iterator()) continue;
        CAPTURE(row);
        const auto is_of_row = [&](const Idea& idea) { return row.starts_with(idea.row); };
        REQUIRE(std::ranges::count_if(kIdeas, is_of_row) == 1);
        const Idea& idea = *std::ranges::find_if(kIdeas, is_of_row);
        met.insert(idea.row);
        for (; place != std::sregex_iterator(); ++place) {
            const Lesson* lesson = find_lesson((*place)[1].str());
            REQUIRE(lesson != nullptr);
            CAPTURE(place->str(), idea.words);
            const std::vector<int> steps = steps_in((*place)[2]);
            CHECK(std::ranges::any_of(steps, [&](int step) {
                return speaks_of(lesson->steps.at(static_cast<std::size_t>(step - 1)), idea.words);
            }));
        }
    }
    CHECK(met.size() == kIdeas.size());
}
