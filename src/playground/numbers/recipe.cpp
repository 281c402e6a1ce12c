// Targets become shares of rows, words that follow become rows of a vocabulary; core/learn does the rest.
#include "playground/numbers/recipe.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>
#include <utility>

#include "core/ground/check.h"
#include "core/words/embeddings.h"
#include "playground/link/recipe_keys.h"
#include "playground/state/shapes.h"
#include "playground/text/format.h"

namespace attn {
namespace {

// Rows of one sentence, each with shares that sum to 1. What the mask hides after all is left out.
std::vector<TargetRow> target_rows(const Inputs& inputs, const UntrainedSentence& sentence) {
    std::vector<TargetRow> rows;
    for (const TargetCell& target : inputs.targets) {
        if (target.sentence != sentence.sentence || sentence.problem.hidden(target.query, target.key) != 0) continue;
        const bool goes_on = !rows.empty() && rows.back().head == target.head && rows.back().query == target.query;
        if (!goes_on) {
            rows.push_back(
                {.head = target.head, .query = target.query, .shares = zeros<Vector>(sentence.problem.num_tokens())});
        }
        rows.back().shares(target.key) = static_cast<float>(target.share);
    }
    for (TargetRow& row : rows) {
        double sum = 0;
        for (const float share : row.shares) sum += static_cast<double>(share);
        for (float& share : row.shares) share = static_cast<float>(static_cast<double>(share) / sum);
    }
    return rows;
}

// The distinct tokens of all sentences, in code point order, and the vector of each where it stands first.
struct Vocabulary {
    std::vector<std::string> words;
    Matrix vectors;  // (V, d_in)
};

Vocabulary vocabulary_of_batch(const Inputs& inputs, const std::vector<UntrainedSentence>& sentences) {
    Vocabulary vocabulary{.words = words_of(inputs), .vectors = {}};
    const std::size_t d_in = sentences.front().token_vectors.shape(1);
    vocabulary.vectors = zeros<Matrix>(vocabulary.words.size(), d_in);
    std::vector<bool> is_set(vocabulary.words.size());
    for (const UntrainedSentence& sentence : sentences) {
        for (std::size_t i = 0; i < sentence.tokens.size(); ++i) {
            const auto word = std::ranges::lower_bound(vocabulary.words, sentence.tokens[i]);
            const auto row = static_cast<std::size_t>(word - vocabulary.words.begin());
            if (is_set[row]) continue;
            is_set[row] = true;
            std::ranges::copy(row_of(sentence.token_vectors, static_cast<int>(i)),
                              row_of(vocabulary.vectors, static_cast<int>(row)).begin());
        }
    }
    return vocabulary;
}

std::vector<Goal> goals_of(const Inputs& inputs, const std::vector<UntrainedSentence>& sentences) {
    std::vector<Goal> goals;
    int num_terms = 0;
    const bool is_next = inputs.goal == GoalKind::next;
    const Vocabulary vocabulary = is_next ? vocabulary_of_batch(inputs, sentences) : Vocabulary();
    for (const UntrainedSentence& sentence : sentences) {
        Goal& goal = goals.emplace_back();
        goal.kind = inputs.goal;
        if (!is_next) {
            goal.rows = target_rows(inputs, sentence);
            num_terms += static_cast<int>(goal.rows.size());
            continue;
        }
        goal.vocabulary = vocabulary.vectors;
        for (std::size_t i = 1; i < sentence.tokens.size(); ++i) {
            const auto word = std::ranges::lower_bound(vocabulary.words, sentence.tokens[i]);
            goal.next.push_back(static_cast<int>(word - vocabulary.words.begin()));
        }
        num_terms += static_cast<int>(goal.next.size());
        goal.next.push_back(-1);
    }
    for (Goal& goal : goals) goal.num_terms = std::max(num_terms, 1);
    return goals;
}

TrainingProblem problem_of(const Inputs& inputs, std::vector<UntrainedSentence>& sentences) {
    TrainingProblem problem{.sentences = {},
                            .optimizer = {.kind = inputs.optimizer, .rate = inputs.rate},
                            .learned = trained_tensors(inputs)};
    std::vector<Goal> goals = goals_of(inputs, sentences);
    for (std::size_t s = 0; s < sentences.size(); ++s) {
        problem.sentences.push_back(std::move(sentences[s].problem));
        problem.sentences.back().goal = std::move(goals[s]);
    }
    return problem;
}

constexpr std::int64_t kMostCheckpoints = 32;
constexpr std::int64_t kCheckpointBytes = 1 << 24;  // fewer of large ones, so that they take no more together

// Of one checkpoint, at most: everything that can learn, with the two means that Adam keeps of each number.
std::int64_t bytes_of_checkpoint(const Inputs& inputs) {
    const std::int64_t d_in = inputs.d_in, d_out = inputs.d_out;
    const std::int64_t latents = inputs.latent + inputs.query_latent;
    std::int64_t numbers = 3 * d_in * d_out + d_out * d_out + 4 * d_out + latents * (d_in + 2 * d_out) +
                           inputs.rope_dim * (d_in + inputs.num_heads * std::max(d_in, d_out));
    if (inputs.train.contains(TensorId::embeddings)) {
        for (std::size_t s = 0; s < inputs.texts.size(); ++s) numbers += count_tokens(inputs, s) * d_in;
    }
    return 3 * numbers * static_cast<std::int64_t>(sizeof(float));
}

std::int64_t most_checkpoints(const Inputs& inputs) {
    constexpr std::int64_t kFewest = 2;  // the beginning, and one on the way
    return std::clamp(kCheckpointBytes / bytes_of_checkpoint(inputs), kFewest, kMostCheckpoints);
}

std::vector<int> numbers_of(const std::vector<UntrainedSentence>& sentences) {
    std::vector<int> numbers;
    for (const UntrainedSentence& sentence : sentences) numbers.push_back(sentence.sentence);
    return numbers;
}

}  // namespace

std::int64_t bytes_of_checkpoints(const Inputs& inputs) {
    return most_checkpoints(inputs) * bytes_of_checkpoint(inputs);
}

TrainingRun::TrainingRun(const Inputs& inputs, std::vector<UntrainedSentence> sentences)
    : inputs_(inputs),
      words_(inputs.goal == GoalKind::next ? words_of(inputs) : std::vector<std::string>()),
      sentences_(numbers_of(sentences)),
      training_(problem_of(inputs, sentences)),
      losses_({training_.loss()}),
      cost_(step_cost(inputs)),
      most_checkpoints_(static_cast<std::size_t>(most_checkpoints(inputs))) {
    keep_checkpoint();
}

bool TrainingRun::advance(std::int64_t multiply_adds) {
    double left = static_cast<double>(multiply_adds);
    while (training_.num_steps() < inputs_.steps && left > 0) {
        if (!training_.step()) return true;
        if (training_.num_steps() == static_cast<int>(losses_.size())) losses_.push_back(training_.loss());
        keep_checkpoint();
        left -= cost_;
    }
    return training_.num_steps() >= inputs_.steps || training_.is_stopped();
}

// Where one is due. What lies beyond the last one was thinned out before.
void TrainingRun::keep_checkpoint() {
    const int step = training_.num_steps();
    const bool is_new = checkpoints_.empty() || checkpoints_.back()->num_steps < step;
    if (!is_new || step % distance_ != 0) return;
    if (checkpoints_.size() == most_checkpoints_) {
        distance_ *= 2;
        std::erase_if(checkpoints_, [&](const auto& kept) { return kept->num_steps % distance_ != 0; });
        if (step % distance_ != 0) return;
    }
    checkpoints_.push_back(std::make_shared<const TrainingPoint>(training_.point()));
}

// The last one that is not beyond `step`.
const TrainingPoint& TrainingRun::checkpoint_before(int step) const {
    const auto beyond =
        std::ranges::upper_bound(checkpoints_, step, {}, [](const auto& kept) { return kept->num_steps; });
    return **std::prev(beyond);
}

bool TrainingRun::is_same_recipe(const Inputs& inputs) const {
    Inputs same = inputs_;
    same.steps = inputs.steps;
    return same == inputs;
}

bool TrainingRun::go_on_to(const Inputs& inputs) {
    if (!is_same_recipe(inputs)) return false;
    inputs_.steps = inputs.steps;
    const TrainingPoint& checkpoint = checkpoint_before(inputs.steps);
    const int now = training_.num_steps();
    if (now > inputs.steps || checkpoint.num_steps > now) training_.go_to(checkpoint);
    return true;
}

std::optional<AttentionProblem> TrainingRun::problem_at(int sentence, int step) const {
    const auto found = std::ranges::find(sentences_, sentence);
    if (found == sentences_.end() || step < 0 || step >= static_cast<int>(losses_.size())) return std::nullopt;
    const auto number = static_cast<int>(found - sentences_.begin());
    if (step == num_steps()) return training_.sentence(number);
    const TrainingPoint& checkpoint = checkpoint_before(step);
    if (step == checkpoint.num_steps) return training_.sentence_at(checkpoint, number);
    Training again = training_;
    if (num_steps() > step || num_steps() < checkpoint.num_steps) again.go_to(checkpoint);
    while (again.num_steps() < step && again.step()) continue;
    return again.sentence(number);
}

double TrainingRun::lowest_loss() const {
    double sum = 0;
    for (const AttentionProblem& sentence : training_.sentences()) sum += attn::lowest_loss(sentence.goal);
    return sum;
}

std::int64_t TrainingRun::multiply_adds_left() const {
    if (training_.is_stopped()) return 0;
    return static_cast<std::int64_t>((inputs_.steps - training_.num_steps()) * cost_);
}

// Among the sentences that are trained.
int TrainingRun::place_of(int sentence) const {
    const auto found = std::ranges::find(sentences_, sentence);
    ATTN_CHECK(found != sentences_.end(), "sentence ", sentence, " has no tokens to train with");
    return static_cast<int>(found - sentences_.begin());
}

const AttentionProblem& TrainingRun::problem(int sentence) const {
    return training_.sentence(place_of(sentence));
}

const Goal& TrainingRun::goal(int sentence) const {
    return problem(sentence).goal;
}

std::shared_ptr<const Gradients> TrainingRun::gradients(int sentence) const {
    auto gradients = std::make_shared<Gradients>(training_.gradients(place_of(sentence)));
    gradients->batch = training_.gradients();
    return gradients;
}

std::string TrainingRun::outcome() const {
    constexpr int kDecimals = 4;
    return concat("trained for ", counted(num_steps(), "step"), ": the loss went from ",
                  shown_number(losses_.front(), kDecimals), " to ", shown_number(loss(), kDecimals));
}

Notes TrainingRun::notes() const {
    Notes notes;
    if (inputs_.steps > 0) notes.push_back(outcome());
    if (training_.is_stopped())
        notes.push_back(concat("training stopped after step ", with_thousands(training_.num_steps()),
                               ": after the next one the loss or a number would not be finite; try a smaller rate"));
    if (inputs_.goal == GoalKind::pattern && inputs_.targets.empty())
        notes.push_back("no head was told where to look: paint targets on the maps, by hand or ready-made");
    return notes;
}

}  // namespace attn
