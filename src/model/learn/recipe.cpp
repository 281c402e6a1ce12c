// Each member with its bounds.
#include "model/learn/recipe.h"

#include <optional>

#include "core/ground/check.h"
#include "core/words/code_points.h"
#include "model/files/json_tree.h"
#include "model/files/sha256.h"

namespace attn {
namespace {

constexpr int kMostTokens = 65'536;  // of a vocabulary

bool is_digest(std::string_view text) {
    return text.size() == 64 && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

// Remembers the first thing that is wrong.
class Members {
public:
    Members(JsonValue object, std::string_view where, std::string& problem)
        : object_(object), where_(where), problem_(problem) {}

    double number(std::string_view name, double least, double most) {
        const std::optional<JsonValue> value = object_.find(name);
        if (value && value->is(JsonKind::number) && value->number() >= least && value->number() <= most)
            return value->number();
        if (problem_.empty())
            problem_ = concat("The recipe's ", where_, " has no \"", name, "\" from ", least, " to ", most, ".");
        return least;
    }
    int whole(std::string_view name, int least, int most) {
        const std::optional<JsonValue> value = object_.find(name);
        const std::optional<std::uint64_t> number = value ? value->whole() : std::nullopt;
        if (number && *number >= static_cast<std::uint64_t>(least) && *number <= static_cast<std::uint64_t>(most))
            return static_cast<int>(*number);
        if (problem_.empty())
            problem_ = concat("The recipe's ", where_, " has no \"", name, "\", a whole number from ", least, " to ",
                              most, ".");
        return least;
    }
    std::string digest(std::string_view name) {
        const std::optional<JsonValue> value = object_.find(name);
        if (value && is_digest(value->text())) return std::string(value->text());
        if (problem_.empty())
            problem_ = concat("The recipe's ", where_, " has no \"", name,
                              "\", a SHA-256 of 64 hexadecimal digits in small letters.");
        return "";
    }
    bool has(std::string_view name) const { return object_.find(name).has_value(); }

private:
    JsonValue object_;
    std::string_view where_;
    std::string& problem_;
};

}  // namespace

Result<Recipe> read_recipe(std::string_view json) {
    const auto refuse = [](std::string sentence) { return Result<Recipe>::failure(std::move(sentence)); };
    const Result<JsonTree> tree = JsonTree::read(json, "The recipe");
    if (!tree) return refuse(tree.error());
    const JsonValue root = tree->root();
    const std::optional<JsonValue> name = root.find("name"), model = root.find("model"),
                                   training = root.find("training"), choice = root.find("choice");
    for (const std::string_view part : {"name", "model", "training", "choice"}) {
        if (!root.find(part)) return refuse(concat("The recipe has no \"", part, "\"."));
    }
    Recipe recipe;
    std::string problem;
    recipe.name = name->text();
    Members sizes(*model, "\"model\"", problem);
    int vocabulary = 0;
    if (const std::optional<JsonValue> texts = root.find("texts")) {
        Members known(*texts, "\"texts\"", problem);
        recipe.texts = {
            .read = known.digest("read"), .held_out = known.digest("held_out"), .tokenizer = known.digest("tokenizer")};
        vocabulary = sizes.whole("vocabulary", 257, kMostTokens);
        if (root.find("kinds") && problem.empty()) {
            Result<Grammar> tests = Grammar::read(root, true);
            if (!tests) return refuse(tests.error());
            recipe.grammar = std::move(*tests);
        }
    } else {
        Result<Grammar> grammar = Grammar::read(root);
        if (!grammar) return refuse(grammar.error());
        recipe.grammar = std::move(*grammar);
        vocabulary = static_cast<int>(recipe.grammar.words().size());
    }
    const std::optional<JsonValue> kind = model->find("kind");
    if (kind && kind->text() != "gpt2" && kind->text() != "llama" && problem.empty())
        problem = "The recipe's \"model\" has a \"kind\" that is not \"gpt2\" or \"llama\".";
    recipe.shape = {.kind = kind && kind->text() == "llama" ? ModelKind::llama : ModelKind::gpt2,
                    .vocabulary = vocabulary,
                    .positions = sizes.whole("positions", 2, 1024),
                    .width = sizes.whole("width", 1, 1024),
                    .num_layers = sizes.whole("layers", 1, 16),
                    .num_heads = sizes.whole("heads", 1, 64),
                    .mlp_width = sizes.whole("mlp_width", 1, 4096),
                    .beginning = recipe.texts ? vocabulary - 1 : 0};
    recipe.embedding_deviation = sizes.number("embedding_deviation", 0, 10);
    Members steps(*training, "\"training\"", problem);
    recipe.batch = steps.whole("batch", 1, 4096);
    if (steps.has("part")) recipe.texts_a_part = steps.whole("part", 1, recipe.batch);
    recipe.rate = {.highest = steps.number("rate", 0, 1),
                   .least = steps.number("least_rate", 0, 1),
                   .warm_up = steps.whole("warm_up", 0, 1'000'000),
                   .num_steps = steps.whole("steps", 1, 10'000'000)};
    recipe.adamw = {.beta1 = steps.number("beta1", 0, 0.9999),
                    .beta2 = steps.number("beta2", 0, 0.9999999),
                    .epsilon = steps.number("epsilon", 1e-30, 1),
                    .decay = steps.number("decay", 0, 100)};
    recipe.longest_gradient = steps.number("longest_gradient", 1e-30, 1e30);
    if (problem.empty() && recipe.shape.width % recipe.shape.num_heads != 0)
        problem = concat("The recipe's model has ", recipe.shape.num_heads, " heads, which do not divide its width, ",
                         recipe.shape.width, ".");
    if (problem.empty() && recipe.shape.kind == ModelKind::llama && recipe.shape.head_dim() % 2 != 0)
        problem = concat("The recipe's model has heads of ", recipe.shape.head_dim(),
                         " numbers; rotary positions need an even number of them.");
    if (const std::optional<JsonValue> seeds = training->find("seeds")) {
        for (const JsonValue one : *seeds) {
            recipe.seeds.push_back(one.whole().value_or(kMaxSeed + 1));
            if (recipe.seeds.back() > kMaxSeed && problem.empty())
                problem = concat("The recipe has a seed that is not a whole number from 0 to ", kMaxSeed, ".");
        }
    }
    if (recipe.seeds.empty() && problem.empty()) problem = "The recipe's \"training\" has no \"seeds\".";
    if (const std::optional<JsonValue> wanted = choice->find("wanted")) {
        for (const JsonValue one : *wanted)
            recipe.wanted.push_back({.name = std::string(one.name()), .least = one.number()});
    }
    if (!problem.empty()) return refuse(problem);
    if (const std::optional<JsonValue> rule = choice->find("rule")) recipe.rule = rule->text();
    recipe.digest = sha256_of(json);
    return recipe;
}

TextBatch batch_of_step(const Recipe& recipe, const TrainingTexts* texts, std::uint64_t seed, int step, int num_texts) {
    constexpr std::uint64_t kStepsOfASeed = 1'000'003;  // more than any training has
    TorchGenerator generator(seed * kStepsOfASeed + static_cast<std::uint64_t>(step));
    if (texts != nullptr) return texts->draw(generator, num_texts, recipe.shape.positions);
    TextBatch batch{.num_texts = num_texts, .num_tokens = recipe.shape.positions, .ids = {}};
    for (int text = 0; text < num_texts; ++text) {
        const std::vector<int> ids = recipe.grammar.make_text(generator, recipe.shape.positions + 1);
        batch.ids.insert(batch.ids.end(), ids.begin(), ids.end());
    }
    return batch;
}

}  // namespace attn
