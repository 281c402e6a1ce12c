#include "playground/models/model_opening.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <utility>

#include "core/ground/check.h"
#include "core/words/code_points.h"
#include "model/files/number_type.h"
#include "model/layers/tensor_kinds.h"

namespace attn {
namespace {

// Some have other names, too: those of OpenAI's GPT-2, of T5, of XLM-R.
constexpr std::array<std::pair<std::string_view, std::string TokenizerFiles::*>, 11> kTokenizerFiles = {
    {{"tokenizer.json", &TokenizerFiles::tokenizer_json},
     {"vocab.json", &TokenizerFiles::vocab_json},
     {"merges.txt", &TokenizerFiles::merges_txt},
     {"vocab.txt", &TokenizerFiles::vocab_txt},
     {"tokenizer_config.json", &TokenizerFiles::tokenizer_config_json},
     {"tokenizer.model", &TokenizerFiles::tokenizer_model},
     {"encoder.json", &TokenizerFiles::vocab_json},
     {"vocab.bpe", &TokenizerFiles::merges_txt},
     {"spiece.model", &TokenizerFiles::tokenizer_model},
     {"spm.model", &TokenizerFiles::tokenizer_model},
     {"sentencepiece.bpe.model", &TokenizerFiles::tokenizer_model}}};

constexpr std::size_t kNumTokenizerTexts = 6;  // the first of them have a text of their own

constexpr std::uint64_t kFnvStart = 0xcbf29ce484222325;
constexpr std::uint64_t kFnvPrime = 0x100000001b3;

// FNV-1a, 64 bit (Fowler, Noll, Vo), going on from `hash`.
std::uint64_t fnv_of(std::uint64_t hash, std::span<const std::uint8_t> bytes) {
    for (const std::uint8_t byte : bytes) hash = (hash ^ byte) * kFnvPrime;
    return hash;
}

std::uint64_t fnv_of(std::uint64_t hash, std::string_view text) {
    return fnv_of(hash, {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
}

std::string hexadecimal(std::uint64_t number) {
    std::string text(16, '0');
    for (std::size_t i = 16; i-- > 0; number >>= 4U) text[i] = "0123456789abcdef"[number & 15U];
    return text;
}

// "gpt-neo": the kind's "model_type" as it can stand in a link.
std::string name_word(ModelKind kind) {
    std::string word(std::ranges::find(kReadKinds, kind, &ReadKind::kind)->type);
    std::ranges::replace(word, '_', '-');
    return word.empty() ? "attention-only" : word;
}

// A model's small files by name, and where their text goes.
std::string* text_of_file(ModelFiles& files, std::string_view name) {
    if (name.ends_with(".tiktoken")) return &files.tokenizer.tokenizer_model;
    if (name == "config.json") return &files.config;
    if (name == "model.safetensors.index.json" || name == "pytorch_model.bin.index.json") return &files.index;
    for (const auto& [known, text] : kTokenizerFiles)
        if (name == known) return &(files.tokenizer.*text);
    return nullptr;
}

// A name that two files have, as those of two folders; else "".
std::string find_twice(std::vector<std::string> names) {
    std::ranges::sort(names);
    const auto twice = std::ranges::adjacent_find(names);
    return twice == names.end() ? "" : *twice;
}

}  // namespace

bool ModelFiles::take_text(std::string_view name, std::string text) {
    std::string* const place = text_of_file(*this, name);
    if (place == nullptr) return false;
    *place = std::move(text);
    names.emplace_back(name);
    return true;
}

bool is_tensor_file(std::string_view name) {
    constexpr std::array<std::string_view, 5> kEndings = {".safetensors", ".bin", ".pt", ".pth", ".gguf"};
    return std::ranges::any_of(kEndings, [&](std::string_view ending) { return name.ends_with(ending); });
}

bool is_model_file(std::string_view name) {
    ModelFiles files;
    return is_tensor_file(name) || text_of_file(files, name) != nullptr;
}

bool are_modules(const ModelFiles& files, const TensorFiles& tensors) {
    return files.names.empty() && tensors.settings().empty() && !module_tensor(tensors).empty();
}

Result<ModelOpening> ModelOpening::begin(ModelFiles files, ModelRoom room) {
    const auto refuse = [](std::string sentence) { return Result<ModelOpening>::failure(std::move(sentence)); };
    if (files.tensors.empty())
        return refuse(
            "The file with the model's numbers is missing (.safetensors, .bin, .pt or .gguf): bring it with the "
            "others.");
    Result<TensorFiles> tensors = TensorFiles::open(std::move(files.tensors), files.index);
    if (!tensors) return refuse(tensors.error());
    return begin(files, std::move(*tensors), room);
}

Result<ModelOpening> ModelOpening::begin(const ModelFiles& files, TensorFiles tensors, ModelRoom room) {
    const std::string twice = find_twice(files.names);
    if (!twice.empty())
        return Result<ModelOpening>::failure(
            concat("Two files are called ", quoted(twice), ": open one model at a time."));
    const bool is_gguf = tensors.gguf() != nullptr;
    const Result<TokenizerFiles> own = is_gguf ? tokenizer_files(*tensors.gguf(), files.tokenizer) : TokenizerFiles();
    const TokenizerFiles& texts = is_gguf && own ? *own : files.tokenizer;
    Result<ModelLoad> load = ModelLoad::begin(files.config, std::move(tensors), room);
    if (!load) return Result<ModelOpening>::failure(load.error());
    std::uint64_t digest = fnv_of(kFnvStart, is_gguf ? load->own_config() : files.config);
    for (const auto& [name, text] : std::span(kTokenizerFiles).first(kNumTokenizerTexts))
        digest = fnv_of(digest, texts.*text);
    return ModelOpening(std::move(*load),
                        own ? ModelTokenizer::read(texts) : Result<ModelTokenizer>::failure(own.error()), digest);
}

void ModelOpening::slice_is_there(const ModelLoad::Slice& slice) {
    digest_ = fnv_of(digest_, slice.into);
    const ModelTensor::NotFinite found = slice.count_not_finite();
    if (found.num_nan + found.num_infinite > 0) {
        ModelTensor::NotFinite& sum = not_finite_[slice.tensor->tensor.name];
        sum.num_nan += found.num_nan;
        sum.num_infinite += found.num_infinite;
    }
    load_.slice_is_there(slice);
}

std::string ModelOpening::advance(std::size_t num_bytes) {
    const std::uint64_t until = bytes_done() + std::max<std::size_t>(num_bytes, 1);
    while (!is_done() && bytes_done() < until) {
        const ModelLoad::Slice slice = next(static_cast<std::size_t>(until - bytes_done()));
        std::string problem = load_.read(slice);
        if (!problem.empty()) return problem;
        slice_is_there(slice);
    }
    return "";
}

Result<std::shared_ptr<const LoadedModel>> ModelOpening::take(std::string name) {
    Model model = load_.take();
    if (name.empty()) name = concat(name_word(model.config.kind), "-", hexadecimal(digest_));
    Notes notes = load_.remarks();
    for (const auto& [tensor, found] : not_finite_)
        notes.push_back(concat("the model's tensor ", quoted(tensor), " has ", found.num_nan, " NaN and ",
                               found.num_infinite, " infinite numbers"));
    if (!model.weights.unembedding.is_there() && model.config.mask == Mask::causal)
        notes.push_back(
            "the model's files have no head for logits, and config.json does not tie them to the token embeddings: "
            "there "
            "is no next word");
    if (!tokenizer_) {
        notes.push_back(
            concat("write tokens by their numbers, such as 15 3 8: no text is read, as there is no tokenizer (",
                   std::string_view(tokenizer_.error()).substr(0, tokenizer_.error().size() - 1), ")"));
        tokenizer_ = ModelTokenizer::of_numbers(model.config.vocabulary);
    }
    return LoadedModel::make(std::move(name), std::move(model), std::move(*tokenizer_), std::move(notes));
}

}  // namespace attn
