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

}  // namespace

Result<ModelFolder> open_model_folder(const std::string& path) {
    const auto refuse = [](std::string sentence) { return Result<ModelFolder>::failure(std::move(sentence)); };
    const fs::path folder(path);
    std::error_code error;
    if (!fs::is_directory(folder, error))
        return refuse(concat(quoted_path(folder), " is not a folder with a model's files."));
    std::string problem;
    const std::string config = text_of_file(folder / "config.json", problem);
    if (problem.empty() && config.empty())
        problem = concat("The folder ", quoted_path(folder), " has no config.json, which says what the model is.");
    const std::string index = text_of_file(folder / "model.safetensors.index.json", problem);
    std::vector<fs::path> paths;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
        if (entry.path().extension() == ".safetensors") paths.push_back(entry.path());
    }
    std::sort(paths.begin(), paths.end());
    if (problem.empty() && paths.empty())
        problem = concat("The folder ", quoted_path(folder), " has no .safetensors file.");
    if (!problem.empty()) return refuse(problem);
    std::vector<std::unique_ptr<ByteSource>> files;
    for (const fs::path& one : paths) {
        const std::uintmax_t size = fs::file_size(one, error);
        if (error) return refuse(concat("Cannot read ", quoted_path(one), ": ", error.message(), "."));
        files.push_back(std::make_unique<FileSource>(one, size));
    }
    Result<TensorFiles> tensors = TensorFiles::open(std::move(files), index);
    if (!tensors) return refuse(tensors.error());
    Result<Model> model = load_model(config, std::move(*tensors));
    if (!model) return refuse(model.error());

    const auto text = [&](const char* name) { return text_of_file(folder / name, problem); };
    Result<ModelTokenizer> tokenizer = ModelTokenizer::read({.tokenizer_json = text("tokenizer.json"),
                                                             .vocab_json = text("vocab.json"),
                                                             .merges_txt = text("merges.txt"),
                                                             .vocab_txt = text("vocab.txt"),
                                                             .tokenizer_config_json = text("tokenizer_config.json")});
    if (!problem.empty()) return refuse(problem);
    ModelFolder result{.model = std::move(*model), .tokenizer = std::nullopt, .no_tokenizer = tokenizer.error()};
    if (!tokenizer) return result;
    if (tokenizer->size() > result.model.config.vocabulary) {
        return refuse(concat("The tokenizer has the token ", tokenizer->size() - 1,
                             ", but config.json says that the model has ", result.model.config.vocabulary,
                             " tokens: these files do not belong together."));
    }
    result.tokenizer = std::move(*tokenizer);
    return result;
}

}  // namespace attn
