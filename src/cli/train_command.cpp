// Steps, with a checkpoint in the folder every so often, then the model's files; or a choice among several trainings.
#include "cli/train_command.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <sstream>
#include <thread>
#include <vector>

#include "cli/files.h"
#include "cli/tell.h"
#include "cli/thread_runner.h"
#include "cli/trained_folder.h"
#include "core/ground/check.h"
#include "core/ground/memory_room.h"
#include "core/words/code_points.h"
#include "disk/replace_file.h"
#include "model/learn/choice.h"
#include "model/learn/model_training.h"
#include "playground/text/notes.h"

namespace attn {
namespace {

namespace fs = std::filesystem;

constexpr int kRefusedTraining = 2;
constexpr int kStepsACheckpoint = 250;
constexpr int kStepsALine = 50;
constexpr int kMostThreads = 256;
constexpr int kHeldOutTexts = 64;  // measured on the way

struct TrainOptions {
    std::string recipe, folder;
    std::optional<std::uint64_t> seed;  // nothing: the recipe's first
    std::optional<int> steps;           // to stop after; nothing: all of the recipe's
    bool writes_files = true;           // or the checkpoint alone
    std::vector<std::string> choices;   // folders with trainings to choose from
    std::string texts;                  // the folder with the recipe's texts and tokenizer
    int num_threads = static_cast<int>(std::clamp(std::thread::hardware_concurrency(), 1U, 16U));
};

// What a recipe with texts has besides.
struct OpenedTexts {
    std::optional<TrainingTexts> texts;
    std::string tokenizer;
};

std::string put_train_option(TrainOptions& options, const std::string& name, const std::string& value) {
    const auto whole = [&](std::uint64_t most) -> std::optional<std::uint64_t> {
        std::uint64_t number = 0;
        const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
        if (error != std::errc() || end != value.data() + value.size() || number > most) return std::nullopt;
        return number;
    };
    if (name == "--recipe") {
        options.recipe = value;
    } else if (name == "--out") {
        options.folder = value;
    } else if (name == "--files") {
        if (value != "yes" && value != "no") return concat("--files wants yes or no, not ", attn::quoted(value), ".");
        options.writes_files = value == "yes";
    } else if (name == "--choose") {
        options.choices.push_back(value);
    } else if (name == "--seed") {
        options.seed = whole(kMaxSeed);
        if (!options.seed) return concat("--seed wants a whole number up to 1,000,000, not ", attn::quoted(value), ".");
    } else if (name == "--texts") {
        options.texts = value;
    } else if (name == "--threads") {
        const std::optional<std::uint64_t> threads = whole(kMostThreads);
        if (!threads || *threads == 0)
            return concat("--threads wants a whole number from 1 to ", kMostThreads, ", not ", attn::quoted(value),
                          ".");
        options.num_threads = static_cast<int>(*threads);
    } else if (name == "--steps") {
        const std::optional<std::uint64_t> steps = whole(10'000'000);
        if (!steps) return concat("--steps wants a whole number up to 10,000,000, not ", attn::quoted(value), ".");
        options.steps = static_cast<int>(*steps);
    } else {
        return concat("attn train has no option ", attn::quoted(name), "; attn --help lists them.");
    }
    return "";
}

std::string seconds_text(std::chrono::steady_clock::time_point since) {
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - since;
    char text[32];
    std::snprintf(text, sizeof text, "%.1f s", passed.count());
    return text;
}

std::string four_digits(double number) {
    char text[32];
    std::snprintf(text, sizeof text, "%.4f", number);
    return text;
}

fs::path checkpoint_in(const std::string& folder) {
    return fs::path(folder) / "training.checkpoint";
}

// Goes on from the folder's checkpoint. Returns nothing, or a sentence.
std::string take_up(ModelTraining& training, const std::string& folder) {
    const fs::path path = checkpoint_in(folder);
    std::istringstream no_input;
    const Result<std::string> bytes = read_bytes(path.string(), no_input);
    const std::string problem = bytes ? training.go_to(*bytes) : bytes.error();
    return problem.empty() ? "" : concat(problem, " It is ", attn::quoted(path.string()), ".");
}

std::string divergence_after(const ModelTraining& training) {
    return concat("The training diverged: after step ", training.num_steps(),
                  " the loss or a number of the model is none, or too large for a file. No model is written; a lower "
                  "\"rate\" may help.");
}

std::string train(ModelTraining& training, const Recipe& recipe, const TrainOptions& options, std::ostream& err) {
    const fs::path checkpoint = checkpoint_in(options.folder);
    std::error_code error;
    if (fs::exists(checkpoint, error)) {
        std::string problem = take_up(training, options.folder);
        if (!problem.empty()) return problem;
        err << "goes on after step " << training.num_steps() << '\n';
    }
    const auto since = std::chrono::steady_clock::now();
    const int last = std::min(options.steps.value_or(recipe.rate.num_steps), recipe.rate.num_steps);
    while (training.num_steps() < last) {
        const double loss = training.step();
        const int done = training.num_steps();
        if (done % kStepsALine == 0 || done == last)
            err << "step " << done << " of " << recipe.rate.num_steps << ", loss " << four_digits(loss) << ", "
                << seconds_text(since) << std::endl;
        if (!std::isfinite(loss)) return divergence_after(training);
        if (done % kStepsACheckpoint != 0 && done != last) continue;
        if (training.has_diverged()) return divergence_after(training);
        if (recipe.texts)
            err << "  held out " << four_digits(training.held_out_loss(training.numbers(), kHeldOutTexts).nats)
                << " on a part" << std::endl;
        const std::string problem = replace_file(checkpoint, training.checkpoint());
        if (!problem.empty()) return concat("Cannot write ", attn::quoted(checkpoint.string()), ": ", problem, ".");
    }
    return "";
}

void print_scores(const Recipe& recipe, const TrainedSeed& seed, std::ostream& out) {
    out << "seed " << seed.seed << ", " << seed.num_steps << " steps: " << num_reached(recipe, seed.scores) << " of "
        << recipe.wanted.size() << " wanted scores reached\n";
    if (seed.scores.held_out)
        out << "  held out " << four_digits(seed.scores.held_out->nats) << " nats a token, "
            << four_digits(seed.scores.held_out->bits) << " bits a byte\n";
    for (const NamedScore& score : seed.scores.named)
        out << "  " << score.name << ' ' << four_digits(score.value) << '\n';
}

// The training in --out, or the chosen one of several.
std::string train_and_write(const Recipe& recipe, const OpenedTexts& opened, const TrainOptions& options,
                            std::string_view about, std::ostream& out, std::ostream& err) {
    const TrainingMeans means = {.texts = opened.texts ? &*opened.texts : nullptr,
                                 .runner = runner_on_threads(options.num_threads)};
    std::vector<ModelTraining> trainings;
    std::vector<TrainedSeed> seeds;
    if (options.choices.empty()) {
        trainings.emplace_back(recipe, options.seed.value_or(recipe.seeds.front()), means);
        std::string problem = train(trainings.back(), recipe, options, err);
        if (!problem.empty() || !options.writes_files) return problem;
    }
    for (std::size_t i = 0; i < options.choices.size(); ++i) {
        if (i >= recipe.seeds.size()) return "There are more folders to choose from than the recipe has seeds.";
        trainings.emplace_back(recipe, recipe.seeds[i], means);
        std::string problem = take_up(trainings.back(), options.choices[i]);
        if (!problem.empty()) return problem;
    }
    std::vector<TrainedScores> scores;
    for (ModelTraining& training : trainings) {
        if (training.has_diverged()) return divergence_after(training);
        scores.push_back(scores_of_training(recipe, training, means.texts));
        seeds.push_back({.seed = training.seed(), .num_steps = training.num_steps(), .scores = scores.back()});
        print_scores(recipe, seeds.back(), out);
    }
    const std::size_t chosen = choose_seed(recipe, scores);
    if (!options.choices.empty()) out << "chosen: seed " << seeds[chosen].seed << '\n';
    return write_trained_folder({.recipe = recipe,
                                 .training = trainings[chosen],
                                 .texts = means.texts,
                                 .tokenizer = opened.tokenizer,
                                 .about = about,
                                 .seeds = seeds,
                                 .chosen = chosen},
                                options.folder);
}

// The recipe's texts, or a sentence.
std::string open_texts(const Recipe& recipe, const std::string& folder, OpenedTexts& opened) {
    if (!recipe.texts)
        return folder.empty() ? "" : "The recipe makes its texts with a grammar: it has no use for --texts.";
    if (folder.empty())
        return "The recipe is for texts in files: --texts FOLDER says where read.txt, held-out.txt and tokenizer.json "
               "are.";
    TextFiles files;
    std::istringstream no_input;
    for (const auto& [name, own] : {std::pair{"read.txt", &files.read},
                                    {"held-out.txt", &files.held_out},
                                    {"tokenizer.json", &files.tokenizer}}) {
        Result<std::string> bytes = read_bytes((fs::path(folder) / name).string(), no_input);
        if (!bytes) return bytes.error();
        *own = std::move(*bytes);
    }
    // A token of a text is a number, and where it stands while it is cut.
    constexpr std::int64_t kBytesAByte = 32;
    const auto bytes = kBytesAByte * static_cast<std::int64_t>(files.read.size() + files.held_out.size());
    if (!has_room_for(bytes))
        return concat("The texts take ", bytes_in_words(bytes), " of memory, which cannot be had.");
    Result<TrainingTexts> texts =
        TrainingTexts::read(*recipe.texts, files, recipe.shape.vocabulary, recipe.shape.positions);
    if (!texts) return texts.error();
    opened = {.texts = std::move(*texts), .tokenizer = std::move(files.tokenizer)};
    return "";
}

}  // namespace

bool is_about_training(std::span<const std::string> arguments) {
    return !arguments.empty() && arguments[0] == "train" &&
           std::find(arguments.begin(), arguments.end(), "--help") == arguments.end();
}

int run_train_command(std::span<const std::string> arguments, std::ostream& out, std::ostream& err) {
    const auto refuse = [&](std::string_view sentence) {
        tell(err, sentence);
        return kRefusedTraining;
    };
    TrainOptions options;
    for (std::size_t i = 1; i < arguments.size(); i += 2) {
        if (i + 1 == arguments.size()) return refuse(concat(attn::quoted(arguments[i]), " wants a value after it."));
        const std::string refusal = put_train_option(options, arguments[i], arguments[i + 1]);
        if (!refusal.empty()) return refuse(refusal);
    }
    if (options.recipe.empty() || options.folder.empty())
        return refuse("Say what to train and where to: attn train --recipe FILE --out FOLDER.");
    std::istringstream no_input;
    const Result<std::string> json = read_bytes(options.recipe, no_input);
    if (!json) return refuse(json.error());
    const Result<Recipe> recipe = read_recipe(*json);
    if (!recipe) return refuse(recipe.error());
    const std::int64_t bytes = bytes_of_training(*recipe, options.num_threads);
    if (!has_room_for(bytes))
        return refuse(concat("Training by this recipe takes ", bytes_in_words(bytes),
                             " of memory, which cannot be had: fewer layers, heads, positions, numbers or texts of a "
                             "batch take less."));
    const fs::path about_path = fs::path(options.recipe).parent_path() / "about.json";
    std::error_code error;
    std::string about;
    if (fs::exists(about_path, error)) {
        const Result<std::string> text = read_bytes(about_path.string(), no_input);
        if (!text) return refuse(text.error());
        const Result<JsonTree> tree = JsonTree::read(*text, "about.json");
        if (!tree) return refuse(tree.error());
        about = *text;
    }
    OpenedTexts opened;
    const std::string text_problem = open_texts(*recipe, options.texts, opened);
    if (!text_problem.empty()) return refuse(text_problem);
    const std::string score_problem = find_score_problem(*recipe, opened.texts ? &*opened.texts : nullptr);
    if (!score_problem.empty()) return refuse(score_problem);
    fs::create_directories(options.folder, error);
    if (error)
        return refuse(concat("Cannot make the folder ", attn::quoted(options.folder), ": ", error.message(), "."));
    const std::string problem = train_and_write(*recipe, opened, options, about, out, err);
    return problem.empty() ? 0 : refuse(problem);
}

std::string train_help_text() {
    return "  attn train --recipe FILE --out FOLDER   trains a model, writes its files, goes on where it was stopped\n"
           "      --seed N            of first numbers and texts (default: the recipe's first)\n"
           "      --steps N           stop after so many\n"
           "      --texts FOLDER      of a recipe for texts: read.txt, held-out.txt and tokenizer.json\n"
           "      --threads N         the same bits with any number (default: as many as the machine has, at most 16)\n"
           "      --files no          write the checkpoint alone, from which it goes on\n"
           "      --choose FOLDER     instead of training: one of the trainings in such folders, of the recipe's seeds "
           "in\n"
           "                          their order, by the recipe's rule; repeated\n"
           "\n";
}

}  // namespace attn
