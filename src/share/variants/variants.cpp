// Computes the numbers of each student. See variants.h.
#include "share/variants/variants.h"

#include <algorithm>

#include "core/ground/check.h"
#include "playground/check/answer_log.h"
#include "playground/link/state_url.h"
#include "playground/numbers/evaluation.h"
#include "playground/numbers/memory_needs.h"
#include "playground/print/trace_export.h"
#include "playground/text/format.h"
#include "playground/text/json_writer.h"
#include "share/worksheet/sheet_needs.h"
#include "share/worksheet/sheet_tables.h"

namespace attn {
namespace {

bool draws_matrices(const Inputs& inputs) {
    return inputs.init != Init::none && inputs.init != Init::identity;
}

bool draws_embeddings(const Inputs& inputs) {
    return inputs.embed != EmbeddingKind::typed || inputs.positions == Positions::learned;
}

// What a row of the key's first table holds: a number a question, while these fit beside each other.
constexpr std::size_t kAnswersBeside = 6;

// What a student's questions stand under: long names that begin alike are told apart by their seeds.
std::string section_of(const Variant& variant) {
    const std::string seed = concat(", seed ", variant.seed);
    return cut_text(variant.name, kMostQuizName - seed.size()) + seed;
}

// The names with their seeds and, where there are few, their answers: the first page of the key.
std::string overview(const VariantSet& set) {
    const bool has_answers = set.asked.size() <= kAnswersBeside;
    std::string html = "<section>\n<h1>Key: who has which numbers</h1>\n";
    for (std::size_t n = 0; has_answers && n < set.asked.size(); ++n)
        html += concat("<p class=\"small\">", n + 1, ": ", html_text(set.asked_words[n]), "</p>\n");
    html += "<table>\n<thead><tr><th scope=\"col\">name</th><th scope=\"col\">seed</th>";
    for (std::size_t n = 0; has_answers && n < set.asked.size(); ++n)
        html += concat("<th scope=\"col\">", n + 1, "</th>");
    html += "</tr></thead>\n<tbody>\n";
    for (const Variant& variant : set.variants) {
        html += concat("<tr><th scope=\"row\">", html_name(variant.name, kMostNameLetters), "</th><td>", variant.seed,
                       "</td>");
        for (std::size_t n = 0; has_answers && n < variant.answers.size(); ++n)
            html += concat("<td>", shown_number(variant.answers[n]), "</td>");
        html += "</tr>\n";
    }
    return html + "</tbody>\n</table>\n</section>\n";
}

}  // namespace

bool has_seeded_numbers(const Inputs& inputs) {
    if (!inputs.model.empty()) return false;
    return draws_matrices(inputs) || draws_embeddings(inputs) || inputs.dropout > 0;
}

PlaygroundState with_seed(const PlaygroundState& state, std::uint64_t seed) {
    PlaygroundState with = state;
    Inputs& inputs = with.inputs;
    if (!inputs.model.empty()) return with;
    if (draws_matrices(inputs)) inputs.seed = seed;
    if (draws_embeddings(inputs)) inputs.embed_seed = seed;
    if (inputs.dropout > 0) inputs.dropout_seed = seed;
    return with;
}

VariantWork::VariantWork(const PlaygroundState& state, NameTable names, VariantOptions options)
    : state_(state), options_(options), seeds_(seeds_of_names(names.names, state.inputs.seed)) {
    set_.notes = std::move(names.notes);
    set_.quiz.format = options.questions.value_or(QuizFormat::moodle);
    if (seeds_.empty()) refusal_ = "There is no name in the list: write one a line.";
    if (refusal_.empty() && !has_room_for(state)) refusal_ = concat(no_room_text(state), ".");
    if (!has_seeded_numbers(state.inputs))
        set_.notes.push_back("all students get the same numbers: no seed decides any number of this link");
}

bool VariantWork::advance() {
    const std::size_t n = set_.variants.size();
    if (!refusal_.empty() || n == seeds_.size()) return true;
    const PlaygroundState state = with_seed(state_, seeds_[n].seed);
    Variant variant = {.name = seeds_[n].name,
                       .seed = seeds_[n].seed,
                       .is_moved = seeds_[n].is_moved,
                       .link = write_link(state),
                       .answers = {}};
    Evaluator evaluator;
    const Evaluation& evaluation = evaluator.update(state);
    const std::vector<Question> asked = asked_cells(state, evaluation);
    if (n == 0) {
        set_.asked = asked;
        for (const Question& question : asked) set_.asked_words.push_back(question_for_sheet(evaluation, question));
    }
    for (const Question& question : set_.asked) variant.answers.push_back(answer_of(evaluation, question));
    if (options_.has_pages && !set_.asked.empty()) {
        const SheetOwner owner = {.name = variant.name, .numbers_of_seed = concat("seed ", variant.seed)};
        for (const bool is_key : {false, true}) {
            const Result<std::string> sheet = write_sheet(state, evaluation, owner, is_key);
            if (!sheet) {
                refusal_ = sheet.error();
                return true;
            }
            (is_key ? set_.key : set_.worksheets) += *sheet;
        }
    }
    if (options_.questions) refusal_ = add_quiz_section(set_.quiz, state, evaluator, section_of(variant));
    set_.variants.push_back(std::move(variant));
    return !refusal_.empty() || set_.variants.size() == seeds_.size();
}

Result<VariantSet> VariantWork::take() {
    if (!refusal_.empty()) return Result<VariantSet>::failure(refusal_);
    const auto same_as_first = [&](const Variant& one) { return one.answers == set_.variants.front().answers; };
    if (set_.asked.empty()) {
        set_.notes.push_back("the link asks for nothing, so there are no worksheets and no key");
    } else if (set_.variants.size() > 1 && has_seeded_numbers(state_.inputs) &&
               std::ranges::all_of(set_.variants, same_as_first)) {
        set_.notes.push_back("all students get the same answers: the numbers that are asked for follow from no seed");
    }
    NameList moved;
    for (const Variant& variant : set_.variants) {
        if (variant.is_moved) moved.add(quoted(variant.name));
    }
    if (!moved.empty())
        set_.notes.push_back(concat("another student of the list has the seed of ", moved.text(),
                                    ", so the next free one is taken: keep the list, if a name is in it twice"));
    if (!set_.worksheets.empty()) {
        set_.worksheets = write_sheet_page("Worksheets", options_.paper, set_.worksheets);
        set_.key = write_sheet_page("Key", options_.paper, overview(set_) + set_.key);
    }
    return std::move(set_);
}

Result<VariantSet> make_variants(const PlaygroundState& state, NameTable names, VariantOptions options) {
    VariantWork work(state, std::move(names), options);
    while (!work.advance()) continue;
    return work.take();
}

std::string links_as_csv(const VariantSet& set, std::string_view address) {
    std::string csv = "name,seed,link\r\n";
    for (const Variant& variant : set.variants)
        // An address is no formula, and an apostrophe in it, as csv_field puts one before signs, would be a part of it.
        csv += concat(csv_field(variant.name), ",", variant.seed, ",\"", address, "#", variant.link, "\"\r\n");
    return csv;
}

std::string key_as_csv(const VariantSet& set) {
    std::string csv = "name,seed,question,asked,answer\r\n";
    for (const Variant& variant : set.variants) {
        for (std::size_t n = 0; n < set.asked.size(); ++n)
            csv += concat(csv_field(variant.name), ",", variant.seed, ",", csv_field(question_in_log(set.asked[n])),
                          ",", csv_field(set.asked_words[n]), ",", exact_number(static_cast<float>(variant.answers[n])),
                          "\r\n");
    }
    return csv;
}

std::string variants_as_json(const VariantSet& set, std::string_view address) {
    std::string text;
    JsonWriter json(text);
    json.begin_object();
    json.key("notes");
    json.begin_array();
    for (const std::string& note : set.notes) json.text(note);
    json.end_array();
    json.key("asked");
    json.begin_array();
    for (std::size_t n = 0; n < set.asked.size(); ++n) {
        json.begin_object();
        json.member("question", question_in_log(set.asked[n]));
        json.member("asked", set.asked_words[n]);
        json.end_object();
    }
    json.end_array();
    json.key("variants");
    json.begin_array();
    for (const Variant& variant : set.variants) {
        json.begin_object();
        json.member("name", variant.name);
        json.key("seed");
        json.integer(static_cast<std::int64_t>(variant.seed));
        json.flag("is_moved", variant.is_moved);
        json.member("link", concat(address, "#", variant.link));
        json.key("answers");
        json.begin_row();
        for (const double answer : variant.answers) json.number(static_cast<float>(answer));
        json.end_row();
        json.end_object();
    }
    json.end_array();
    json.end_object();
    return text;
}

}  // namespace attn
