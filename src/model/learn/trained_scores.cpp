// Each sentence is computed once with all heads, and once without each of them.
#include "model/learn/trained_scores.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>
#include <utility>

#include "core/ground/check.h"
#include "core/ground/portable_math.h"
#include "core/words/code_points.h"
#include "model/layers/model_run.h"
#include "model/learn/test_sets.h"
#include "model/roles/role_scores.h"
#include "model/roles/votes.h"

namespace attn {
namespace {

constexpr std::int64_t kToTheEnd = std::numeric_limits<std::int64_t>::max();
constexpr std::uint64_t kLossSeed = 1'000'000'007;
constexpr int kWrittenTexts = 64;      // that people wrote: where each head looks on them
constexpr int kTextsSwitchedOff = 16;  // and what a head is needed for

class RunningMean {
public:
    void add(double value) {
        sum_ += value;
        ++count_;
    }
    void add(std::optional<double> value) {
        if (value) add(*value);
    }
    double value() const { return count_ == 0 ? 0 : sum_ / count_; }

private:
    double sum_ = 0;
    int count_ = 0;
};

class FinishedRun : public ModelRun {
public:
    FinishedRun(const Model& model, std::vector<int> ids, std::vector<HeadOff> off = {})
        : ModelRun(model, {.ids = std::move(ids), .types = {}, .off = std::move(off)}) {
        advance(kToTheEnd);
    }
};

// Probabilities after each of these rows.
class Foresight {
public:
    Foresight(const Model& model, const ModelRun& run) {
        LogitsWork work(model, run.final_stream());
        work.advance(kToTheEnd);
        for (int i = 0; i < length(work.logits(), 0); ++i) rows_.push_back(probabilities_of(row_of(work.logits(), i)));
    }
    double sum(int row, std::span<const int> tokens) const {
        double sum = 0;
        for (const int token : tokens)
            sum += static_cast<double>(rows_[static_cast<std::size_t>(row)][static_cast<std::size_t>(token)]);
        return sum;
    }
    int likeliest(int row) const {
        const std::vector<float>& shares = rows_[static_cast<std::size_t>(row)];
        return static_cast<int>(std::max_element(shares.begin(), shares.end()) - shares.begin());
    }

private:
    std::vector<std::vector<float>> rows_;
};

// Hands the weights of each head on a text to `each`.
template <class Each>
void for_each_head(const Model& model, const ModelRun& run, const Each& each) {
    for (int layer = 0; layer < model.config.num_layers; ++layer) {
        LayerWork work = run.layer_work(layer);
        std::int64_t enough = kToTheEnd;
        work.advance(enough);
        for (int h = 0; h < model.config.num_heads; ++h)
            each(layer * model.config.num_heads + h, HeadOnText{work.trace().attention.weights, h});
    }
}

class Scoring {
public:
    Scoring(const Recipe& recipe, const Model& model, int num_sentences, const TrainingTexts* texts)
        : recipe_(recipe), model_(model), count_(num_sentences), texts_(texts), sets_(recipe, num_sentences, texts) {
        for (int layer = 0; layer < model.config.num_layers; ++layer) {
            for (int head = 0; head < model.config.num_heads; ++head) {
                HeadScores one;
                one.layer = layer;
                one.head = head;
                scores_.heads.push_back(one);
            }
        }
    }

    TrainedScores run() {
        if (sets_.has_texts) score_texts();
        if (!sets_.copying.empty()) score_copies();
        if (!sets_.agreement.empty()) score_subjects();
        if (!sets_.attachment.empty()) score_attachment();
        if (!sets_.names.empty()) score_names();
        if (!sets_.lecture.ids.empty()) score_lecture();
        if (texts_ != nullptr) switch_off_on_texts();
        const auto largest = [&](std::optional<double> HeadScores::* score) {
            double most = 0;
            for (const HeadScores& one : scores_.heads) most = std::max(most, (one.*score).value_or(0));
            return most;
        };
        if (sets_.has_texts) put("positional", largest(&HeadScores::previous));
        if (!sets_.copying.empty()) put("induction", largest(&HeadScores::induction));
        if (!sets_.agreement.empty()) put("syntactic", largest(&HeadScores::subject) - *scores_.subject_baseline);
        return scores_;
    }

private:
    void put(std::string name, double value) { scores_.named.push_back({.name = std::move(name), .value = value}); }

    // Where each head looks, on texts of all kinds.
    void score_texts() {
        std::vector<std::array<RunningMean, 3>> means(scores_.heads.size());
        TorchGenerator generator(kLossSeed + 1);
        const std::vector<std::vector<int>> written =
            texts_ == nullptr ? std::vector<std::vector<int>>()
                              : texts_->held_out_texts(kWrittenTexts, recipe_.shape.positions);
        const int count = texts_ == nullptr ? count_ : kWrittenTexts;
        for (int i = 0; i < count; ++i) {
            const FinishedRun run(model_, texts_ != nullptr
                                              ? written[static_cast<std::size_t>(i)]
                                              : recipe_.grammar.make_text(generator, recipe_.shape.positions, true));
            for_each_head(model_, run, [&](int number, const HeadOnText& head) {
                std::array<RunningMean, 3>& mean = means[static_cast<std::size_t>(number)];
                mean[0].add(offset_score(head, 1));
                mean[1].add(offset_score(head, 0));
                mean[2].add(first_token_score(head));
            });
        }
        for (std::size_t n = 0; n < means.size(); ++n) {
            scores_.heads[n].previous = means[n][0].value();
            scores_.heads[n].self = means[n][1].value();
            scores_.heads[n].first = means[n][2].value();
        }
    }

    void score_copies() {
        std::vector<std::array<RunningMean, 2>> means(scores_.heads.size());
        RunningMean hits;
        const std::vector<TestSentence>& sentences = sets_.copying;
        for (const TestSentence& sentence : sentences) {
            const FinishedRun run(model_, sentence.ids);
            const Foresight foresight(model_, run);
            for (const Target& target : sentence.targets)
                hits.add(foresight.likeliest(target.row) == target.token ? 1.0 : 0.0);
            for_each_head(model_, run, [&](int number, const HeadOnText& head) {
                means[static_cast<std::size_t>(number)][0].add(duplicate_score(head, sentence.ids));
                means[static_cast<std::size_t>(number)][1].add(induction_score(head, sentence.ids));
            });
        }
        for (std::size_t n = 0; n < means.size(); ++n) {
            scores_.heads[n].duplicate = means[n][0].value();
            scores_.heads[n].induction = means[n][1].value();
        }
        put("copying", hits.value());
        switch_off(sentences, &HeadScores::rise_copying);
    }

    void score_subjects() {
        std::vector<std::array<RunningMean, 2>> means(scores_.heads.size());
        RunningMean hits;
        std::vector<Arc> arcs;
        const std::vector<TestSentence>& sentences = sets_.agreement;
        for (const TestSentence& sentence : sentences) {
            const FinishedRun run(model_, sentence.ids);
            hits.add(is_right(sentence, run) ? 1.0 : 0.0);
            const int before = sentence.targets.front().row;
            const std::array both = {Arc{.from = before, .to = sentence.owner},
                                     Arc{.from = before + 1, .to = sentence.owner}};
            arcs.push_back(both[0]);
            for_each_head(model_, run, [&](int number, const HeadOnText& head) {
                for (std::size_t k = 0; k < both.size(); ++k)
                    means[static_cast<std::size_t>(number)][k].add(arc_hits(head, {&both[k], 1}));
            });
        }
        for (std::size_t n = 0; n < means.size(); ++n)
            scores_.heads[n].subject = std::max(means[n][0].value(), means[n][1].value());
        scores_.subject_baseline = best_fixed_offset(arcs);
        put("agreement", hits.value());
        switch_off(sentences, &HeadScores::rise_agreement);
    }

    void score_attachment() {
        std::vector<RunningMean> means(scores_.heads.size());
        RunningMean hits;
        const std::vector<TestSentence>& sentences = sets_.attachment;
        for (const TestSentence& sentence : sentences) {
            const FinishedRun run(model_, sentence.ids);
            hits.add(is_right(sentence, run) ? 1.0 : 0.0);
            const Attachment attachment{
                .row = sentence.targets.front().row, .right = {sentence.owner}, .wrong = {sentence.other}};
            for_each_head(model_, run, [&](int number, const HeadOnText& head) {
                means[static_cast<std::size_t>(number)].add(attachment_score(head, {&attachment, 1}));
            });
        }
        for (std::size_t n = 0; n < means.size(); ++n) scores_.heads[n].attachment = means[n].value();
        put("attachment", hits.value());
        switch_off(sentences, &HeadScores::rise_attachment);
    }

    void score_names() {
        RunningMean hits;
        const std::vector<TestSentence>& sentences = sets_.names;
        for (const TestSentence& sentence : sentences)
            hits.add(is_right(sentence, FinishedRun(model_, sentence.ids)) ? 1.0 : 0.0);
        put("names", hits.value());
        switch_off(sentences, &HeadScores::rise_names);
    }

    // The probability of these tokens, one after the other, after the text.
    double probability_of(const std::vector<int>& text, const std::vector<int>& tokens) const {
        std::vector<int> ids = text;
        ids.insert(ids.end(), tokens.begin(), tokens.end() - 1);
        const FinishedRun run(model_, ids);
        const Foresight foresight(model_, run);
        double product = 1;
        for (std::size_t k = 0; k < tokens.size(); ++k)
            product *= foresight.sum(static_cast<int>(text.size() + k) - 1, {&tokens[k], 1});
        return product;
    }

    // Votes are those for the answers' first tokens.
    void score_lecture() {
        const auto& [ids, artist, woman] = sets_.lecture;
        const int row = static_cast<int>(ids.size()) - 1;
        scores_.artist = probability_of(ids, artist);
        scores_.woman = probability_of(ids, woman);
        const FinishedRun run(model_, ids);
        const Votes for_artist = votes_for(model_, run, row, artist.front()),
                    for_woman = votes_for(model_, run, row, woman.front());
        double most_artist = 0, most_woman = 0;
        for (std::size_t i = 0; i < for_artist.votes.size(); ++i) {
            const Vote& vote = for_artist.votes[i];
            if (vote.from != Vote::From::head) continue;
            const double margin = vote.logit - for_woman.votes[i].logit;
            scores_.heads[static_cast<std::size_t>(vote.layer * model_.config.num_heads + vote.head)].vote = margin;
            most_artist = std::max(most_artist, margin);
            most_woman = std::max(most_woman, -margin);
        }
        put("both_readings", std::min(*scores_.artist, *scores_.woman));
        put("two_readings", std::min(most_artist, most_woman));
    }

    void switch_off_on_texts() {
        std::vector<TestSentence> sentences;
        for (std::vector<int>& ids : texts_->held_out_texts(kTextsSwitchedOff, recipe_.shape.positions)) {
            TestSentence sentence;
            for (std::size_t k = 1; k < ids.size(); ++k)
                sentence.targets.push_back({.row = static_cast<int>(k) - 1, .token = ids[k]});
            sentence.ids = std::move(ids);
            sentences.push_back(std::move(sentence));
        }
        switch_off(sentences, &HeadScores::rise_text);
    }

    bool is_right(const TestSentence& sentence, const ModelRun& run) const {
        const Foresight foresight(model_, run);
        const int row = sentence.targets.front().row;
        return foresight.sum(row, sentence.right) > foresight.sum(row, sentence.wrong);
    }

    void switch_off(const std::vector<TestSentence>& sentences, std::optional<double> HeadScores::* rise) {
        const std::size_t num_used = std::min<std::size_t>(sentences.size(), 40);  // 17 forward passes of each
        const auto loss = [&](std::vector<HeadOff> off) {
            RunningMean mean;
            for (std::size_t i = 0; i < num_used; ++i)
                mean.add(mean_loss(model_, FinishedRun(model_, sentences[i].ids, off), sentences[i].targets));
            return mean.value();
        };
        const double with_all = loss({});
        for (HeadScores& one : scores_.heads) one.*rise = loss({{.layer = one.layer, .head = one.head}}) - with_all;
    }

    const Recipe& recipe_;
    const Model& model_;
    int count_;
    const TrainingTexts* texts_;
    TestSets sets_;
    TrainedScores scores_;
};

double mean_surprise(const std::vector<std::vector<int>>& texts, const Grammar& grammar) {
    RunningMean mean;
    for (const std::vector<int>& text : texts) {
        for (const double one : grammar.surprise(text)) mean.add(one);
    }
    return mean.value();
}

}  // namespace

double TrainedScores::named_score(std::string_view name) const {
    for (const NamedScore& one : named) {
        if (one.name == name) return one.value;
    }
    return 0;
}

std::vector<std::string> names_of_scores(const Recipe& recipe, const TrainingTexts* texts) {
    const TestSets sets(recipe, kSentencesOfAKind, texts);
    std::vector<std::string> names;
    if (!sets.copying.empty()) names.insert(names.end(), {"copying", "induction"});
    if (!sets.agreement.empty()) names.insert(names.end(), {"agreement", "syntactic"});
    if (!sets.attachment.empty()) names.emplace_back("attachment");
    if (!sets.names.empty()) names.emplace_back("names");
    if (!sets.lecture.ids.empty()) names.insert(names.end(), {"both_readings", "two_readings"});
    if (sets.has_texts) names.emplace_back("positional");
    return names;
}

std::string find_score_problem(const Recipe& recipe, const TrainingTexts* texts) {
    if (texts != nullptr) {
        std::string problem = find_word_problem(recipe, *texts);
        if (!problem.empty()) return problem;
    }
    const std::vector<std::string> names = names_of_scores(recipe, texts);
    for (const WantedScore& one : recipe.wanted) {
        if (std::ranges::find(names, one.name) != names.end()) continue;
        return concat("The recipe wants the score ", attn::quoted(one.name),
                      ", which there is not, or for which its templates make no held-out sentence that fits in ",
                      recipe.shape.positions, " positions.");
    }
    return "";
}

TrainedScores score_model(const Recipe& recipe, const Model& model, int num_sentences, const TrainingTexts* texts) {
    return Scoring(recipe, model, num_sentences, texts).run();
}

LossTable measure_losses(const Recipe& recipe, const Model& model, int num_texts) {
    const int size = recipe.shape.positions + 1;
    const auto V = static_cast<std::size_t>(recipe.shape.vocabulary);
    constexpr double kUnseen = 0.01;
    std::vector<double> words(V, kUnseen), pairs(V * V, kUnseen), before(V, kUnseen * static_cast<double>(V));
    TorchGenerator generator(kLossSeed);
    double num_words = kUnseen * static_cast<double>(V);
    for (int i = 0; i < 10 * num_texts; ++i) {
        const std::vector<int> text = recipe.grammar.make_text(generator, size);
        for (std::size_t k = 1; k < text.size(); ++k) {
            const auto from = static_cast<std::size_t>(text[k - 1]), to = static_cast<std::size_t>(text[k]);
            words[to] += 1;
            num_words += 1;
            pairs[from * V + to] += 1;
            before[from] += 1;
        }
    }
    const auto texts_of = [&](bool held_out) {
        std::vector<std::vector<int>> texts;
        for (int i = 0; i < num_texts; ++i) texts.push_back(recipe.grammar.make_text(generator, size, held_out));
        return texts;
    };
    const LearnedLayout layout(recipe.shape);
    const Result<std::vector<float>> numbers = numbers_of_model(layout, model);
    ATTN_CHECK(bool(numbers), numbers.error());
    BatchPass pass(layout);
    // In batches of the training's size, which have room.
    const auto loss_of = [&](std::span<const std::vector<int>> texts) {
        double sum = 0;
        for (std::size_t first = 0, count = 0; first < texts.size(); first += count) {
            count = std::min(texts.size() - first, static_cast<std::size_t>(recipe.batch));
            TextBatch batch{.num_texts = static_cast<int>(count), .num_tokens = size - 1, .ids = {}};
            for (const std::vector<int>& text : texts.subspan(first, count))
                batch.ids.insert(batch.ids.end(), text.begin(), text.end());
            sum += pass.loss(*numbers, batch) * static_cast<double>(count);
        }
        return sum / static_cast<double>(texts.size());
    };
    const std::vector<std::vector<int>> texts = texts_of(false);
    LossTable table;
    table.model = loss_of(texts);
    table.floor = mean_surprise(texts, recipe.grammar);
    RunningMean unigram, bigram;
    for (const std::vector<int>& text : texts) {
        for (std::size_t k = 1; k < text.size(); ++k) {
            const auto from = static_cast<std::size_t>(text[k - 1]), to = static_cast<std::size_t>(text[k]);
            unigram.add(-portable::log(words[to] / num_words));
            bigram.add(-portable::log(pairs[from * V + to] / before[from]));
        }
    }
    table.unigram = unigram.value();
    table.bigram = bigram.value();
    if (std::ranges::any_of(recipe.grammar.templates(), &SentenceTemplate::is_held_out))
        table.held_out = loss_of(texts_of(true));
    return table;
}

}  // namespace attn
