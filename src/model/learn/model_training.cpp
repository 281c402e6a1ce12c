// A batch, its gradients, a step.
#include "model/learn/model_training.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <memory>
#include <utility>

#include "core/ground/check.h"
#include "model/files/memory_file.h"
#include "model/files/safetensors_writer.h"
#include "model/files/tensor_files.h"

namespace attn {

ModelTraining::ModelTraining(const Recipe& recipe, std::uint64_t seed, TrainingMeans means)
    : recipe_(&recipe),
      seed_(seed),
      texts_(means.texts),
      num_texts_(means.num_texts > 0 ? means.num_texts : recipe.batch),
      layout_(recipe.shape),
      numbers_(first_numbers(layout_, recipe.embedding_deviation, seed)),
      gradients_(layout_.num_numbers()),
      parts_(layout_, recipe.texts_a_part, std::move(means.runner)),
      adamw_(recipe.adamw, layout_.num_numbers()) {
    ATTN_CHECK((texts_ != nullptr) == recipe.texts.has_value(), "texts, or a grammar");
    for (const LearnedTensor& tensor : layout_.tensors()) {
        if (tensor.is_matrix()) shrinking_.push_back({.begin = tensor.begin, .end = tensor.begin + tensor.size});
    }
}

double ModelTraining::step() {
    const TextBatch batch = batch_of_step(*recipe_, texts_, seed_, num_steps(), num_texts_);
    const double loss = parts_.run(numbers_, batch, gradients_);
    cut_gradients(gradients_, recipe_->longest_gradient);
    adamw_.step(recipe_->rate.rate(num_steps()), gradients_, numbers_, shrinking_);
    losses_.push_back(static_cast<float>(loss));
    return loss;
}

HeldOutLoss ModelTraining::held_out_loss(std::span<const float> numbers, int most_texts) {
    ATTN_CHECK(texts_ != nullptr, "a grammar has no held-out texts");
    return texts_->held_out_loss(parts_, numbers, recipe_->shape.positions, most_texts);
}

std::int64_t ModelTraining::num_tokens_seen() const {
    return std::int64_t{num_steps()} * num_texts_ * recipe_->shape.positions;
}

bool ModelTraining::has_diverged() const {
    constexpr float kLargestHalf = 65'504;
    return (!losses_.empty() && !std::isfinite(losses_.back())) ||
           !std::ranges::all_of(numbers_, [](float number) { return std::abs(number) <= kLargestHalf; });
}

std::string ModelTraining::checkpoint() const {
    const auto tensor = [](std::string name, std::span<const float> numbers) {
        return WrittenTensor{
            .name = std::move(name), .shape = {static_cast<std::int64_t>(numbers.size())}, .numbers = numbers};
    };
    const std::vector<WrittenTensor> tensors = {tensor("numbers", numbers_), tensor("mean", adamw_.mean()),
                                                tensor("mean_square", adamw_.mean_square()), tensor("losses", losses_)};
    const std::vector<std::pair<std::string, std::string>> about = {
        {"recipe", recipe_->digest}, {"seed", concat(seed_)}, {"steps", concat(num_steps())}};
    return write_safetensors(tensors, "F32", about);
}

std::string ModelTraining::go_to(std::string_view checkpoint) {
    MemoryFile file("the checkpoint", std::string(checkpoint));
    const Result<SafetensorsHeader> header = read_safetensors_header(file);
    if (!header) return header.error();
    const auto about = [&](std::string_view key) {
        for (const auto& [name, value] : header->metadata) {
            if (name == key) return value;
        }
        return std::string();
    };
    if (about("recipe") != recipe_->digest) return "The checkpoint belongs to another recipe.";
    if (about("seed") != concat(seed_)) return concat("The checkpoint belongs to the seed ", about("seed"), ".");
    const std::string steps = about("steps");
    int num_steps = 0;
    std::from_chars(steps.data(), steps.data() + steps.size(), num_steps);
    const auto read = [&](std::string_view name, std::size_t size) {
        std::vector<float> numbers(size);
        for (const StoredTensor& one : header->tensors) {
            if (one.name != name || one.end - one.begin != 4 * size) continue;
            std::vector<std::uint8_t> bytes(4 * size);
            file.read(one.begin, bytes);
            widen(*one.type, bytes, numbers);
            return numbers;
        }
        return std::vector<float>();
    };
    const std::vector<float> numbers = read("numbers", numbers_.size()), mean = read("mean", numbers_.size()),
                             mean_square = read("mean_square", numbers_.size());
    const std::vector<float> losses = read("losses", static_cast<std::size_t>(std::max(num_steps, 0)));
    if (num_steps <= 0 || num_steps > recipe_->rate.num_steps || numbers.empty() || mean.empty() ||
        mean_square.empty() || losses.empty()) {
        return "The checkpoint is not one of this training.";
    }
    numbers_ = numbers;
    losses_ = losses;
    adamw_.go_to(num_steps, mean, mean_square);
    return "";
}

std::int64_t bytes_of_training(const Recipe& recipe, int num_workers) {
    const std::int64_t width = recipe.shape.width, mlp = recipe.shape.mlp_width, V = recipe.shape.vocabulary,
                       T = recipe.shape.positions;
    const std::int64_t widest = std::max({3 * width, mlp, V + 16});
    // BatchPass: of each token in each layer, and once. One text more for the runs that score.
    const std::int64_t of_layer =
        8 * width + (recipe.shape.kind == ModelKind::llama ? 4 : 2) * mlp + recipe.shape.num_heads * T;
    const std::int64_t floats_a_token = recipe.shape.num_layers * of_layer + 6 * width + 6 * widest;
    const std::int64_t part = recipe.texts_a_part > 0 ? recipe.texts_a_part : recipe.batch;
    const std::int64_t batch = (num_workers * part + 1) * T * floats_a_token;
    // Numbers, gradients, both means and a checkpoint of three; a model of floats and one of halves; gradients of
    // parts.
    const auto numbers = static_cast<std::int64_t>(LearnedLayout(recipe.shape).num_numbers());
    const std::int64_t num_parts = (recipe.batch + part - 1) / part;
    constexpr std::int64_t kDouble = 8;  // the counts of pairs of words
    return 4 * (batch + (12 + num_parts) * numbers) + (recipe.texts ? 0 : kDouble * V * V);
}

}  // namespace attn
