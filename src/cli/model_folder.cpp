// Files on disk, read where they are.
#include "cli/model_folder.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <utility>
#include <vector>

#include "core/ground/check.h"
#include "core/words/code_points.h"
#include "playground/models/own_models.h"

namespace attn {
namespace {

namespace fs = std::filesystem;

std::string quoted_path(const fs::path& path) {
    return concat('"', one_line(path.string()), '"');
}

std::string last_error() {
    return errno == 0 ? "the system does not say why" : std::strerror(errno);
}

class FileSource : public ByteSource {
public:
    FileSource(const fs::path& path, std::uint64_t size)
        : name_(path.filename().string()), size_(size), file_(path, std::ios::binary) {}
    const std::string& name() const override { return name_; }
    std::uint64_t size() const override { return size_; }
    std::string read(std::uint64_t begin, std::span<std::uint8_t> into) override {
        errno = 0;
        file_.clear();
        file_.seekg(static_cast<std::streamoff>(begin));
        file_.read(reinterpret_cast<char*>(into.data()), static_cast<std::streamsize>(into.size()));
        if (file_) return "";
        return concat("Cannot read \"", one_line(name_), "\": ", last_error(), ".");
    }

private:
    std::string name_;
    std::uint64_t size_;
    std::ifstream file_;
};

// The text of a file; "" where it is not there. A sentence in `problem` where it cannot be read.
std::string text_of_file(const fs::path& path, std::string& problem) {
    constexpr std::uintmax_t kMost = std::uintmax_t{1} << 28U;  // the longest tokenizer.json has 33 MiB
    std::error_code error;
    if (!fs::is_regular_file(path, error)) return "";
    const std::uintmax_t size = fs::file_size(path, error);
    if (!error && size > kMost) {
        problem = concat(quoted_path(path), " has ", size >> 20U, " MiB; at most ", kMost >> 20U, " are read.");
        return "";
    }
    errno = 0;
    std::ifstream file(path, std::ios::binary);
    std::string text(error ? 0 : static_cast<std::size_t>(size), '\0');
    file.read(text.data(), static_cast<std::streamsize>(text.size()));
    if (!file) problem = concat("Cannot read ", quoted_path(path), ": ", last_error(), ".");
    return text;
}

Result<ModelFiles> files_of_folder(const fs::path& folder) {
    const auto refuse = [](std::string sentence) { return Result<ModelFiles>::failure(std::move(sentence)); };
    std::error_code error;
    const bool is_file = folder.extension() == ".gguf" && fs::is_regular_file(folder, error);
    if (!is_file && !fs::is_directory(folder, error))
        return refuse(concat(quoted_path(folder), " is neither a folder with a model's files nor a .gguf file."));
    std::string problem;
    ModelFiles files;
    std::vector<fs::path> paths, texts;
    if (is_file) paths.push_back(folder);
    for (const fs::directory_entry& entry :
         is_file ? fs::directory_iterator() : fs::directory_iterator(folder, error)) {
        const std::string name = entry.path().filename().string();
        if (is_tensor_file(name))
            paths.push_back(entry.path());
        else if (is_model_file(name))
            texts.push_back(entry.path());
    }
    std::sort(paths.begin(), paths.end());
    std::sort(texts.begin(), texts.end());
    for (const fs::path& one : texts) {
        std::string text = text_of_file(one, problem);
        if (!problem.empty()) return refuse(problem);
        files.take_text(one.filename().string(), std::move(text));
    }
    if (paths.empty())
        return refuse(concat("The folder ", quoted_path(folder),
                             " has no file with numbers (.safetensors, .bin, .pt or .gguf)."));
    for (const fs::path& one : paths) {
        const std::uintmax_t size = fs::file_size(one, error);
        if (error) return refuse(concat("Cannot read ", quoted_path(one), ": ", error.message(), "."));
        files.tensors.push_back(std::make_unique<FileSource>(one, size));
    }
    return files;
}

Result<ModelFolder> model_of_files(ModelFiles files, int heads = 0) {
    const auto refuse = [](std::string sentence) { return Result<ModelFolder>::failure(std::move(sentence)); };
    Result<TensorFiles> tensors = TensorFiles::open(std::move(files.tensors), files.index);
    if (!tensors) return refuse(tensors.error());
    if (tensors->gguf() != nullptr && heads != 0)
        return refuse("--heads is for folders without config.json: a GGUF file says how many heads there are.");
    Notes notes;
    const Gguf* gguf = tensors->gguf();
    const Result<TokenizerFiles> texts =
        gguf == nullptr ? std::move(files.tokenizer) : tokenizer_files(*gguf, files.tokenizer);
    Result<Model> model = load_model(files.config, std::move(*tensors), &notes);
    if (!model) return refuse(model.error());
    Result<ModelTokenizer> tokenizer =
        texts ? ModelTokenizer::read(*texts) : Result<ModelTokenizer>::failure(texts.error());
    ModelFolder result{.model = std::move(*model),
                       .tokenizer = std::nullopt,
                       .no_tokenizer = tokenizer.error(),
                       .notes = std::move(notes)};
    if (!tokenizer) return result;
    if (tokenizer->size() > result.model.config.vocabulary) {
        return refuse(concat("The tokenizer has the token ", tokenizer->size() - 1,
                             ", but config.json says that the model has ", result.model.config.vocabulary,
                             " tokens: these files do not belong together."));
    }
    result.tokenizer = std::move(*tokenizer);
    return result;
}

}  // namespace

Result<ModelFolder> open_model_folder(const std::string& path, int heads) {
    std::error_code error;
    std::optional<ModelFiles> own = fs::is_directory(path, error) ? std::nullopt : own_model_files(path);
    if (own) return model_of_files(std::move(*own));
    Result<ModelFiles> files = files_of_folder(path);
    if (files && heads != 0 && !files->config.empty())
        return Result<ModelFolder>::failure(
            "--heads is for folders without config.json: this folder's says how many heads there are.");
    if (files && heads != 0)  // whatever the kind calls them
        files->config =
            concat("{\"n_head\": ", heads, ", \"num_heads\": ", heads, ", \"num_attention_heads\": ", heads, "}");
    return files ? model_of_files(std::move(*files), heads) : Result<ModelFolder>::failure(files.error());
}

}  // namespace attn
