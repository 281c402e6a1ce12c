// One model at a time: another one's files take the place of those that are being read.
#include "app/model_files.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "app/news.h"
#include "core/ground/check.h"
#include "core/words/code_points.h"
#include "playground/link/legal.h"
#include "playground/models/model_opening.h"
#include "playground/state/origin.h"
#include "share/formats/zip_file.h"
#include "share/opening/open_file.h"

namespace attn {
namespace {

constexpr std::size_t kModelSlice = 1 << 20;  // bytes between two looks at the clock

class FileInParts : public ByteSource {
public:
    explicit FileInParts(std::shared_ptr<FileData> file) : file_(std::move(file)) {}
    const std::string& name() const override { return file_->name; }
    std::uint64_t size() const override { return file_->read_part ? file_->size : file_->bytes.size(); }
    std::string read(std::uint64_t begin, std::span<std::uint8_t> into) override {
        if (file_->read_part) return file_->read_part(begin, into);
        std::copy_n(file_->bytes.begin() + static_cast<std::ptrdiff_t>(begin), into.size(), into.begin());
        return "";
    }

private:
    std::shared_ptr<FileData> file_;
};

// All of a file that is read in parts; returns nothing, or a sentence.
std::string fetch_bytes(FileData& file) {
    if (!file.read_part) return "";
    file.bytes.resize(static_cast<std::size_t>(file.size));
    return file.read_part(0, {reinterpret_cast<std::uint8_t*>(file.bytes.data()), file.bytes.size()});
}

void show_model(Program& program) {
    Result<std::shared_ptr<const LoadedModel>> model = program.opening_model->take();
    program.opening_model.reset();
    if (!model) return tell_failure(program, model.error());
    keep_model_open(*model);
    PlaygroundState state = program.session.state();
    if (state.inputs.model != (*model)->name()) {  // else the link waited for these files
        state.inputs.model = (*model)->name();
        leave_matrices(state.inputs);
        state.view.view = ViewKind::model;  // the view before may show nothing of it
        const Notes notes = clamp_to_legal(state);
        program.session.take_over(state, notes);
    }
    tell(program, concat("Opened the model ", (*model)->name(), "."));
}

// The files of a model that an archive of a folder holds take its place; one without such files stays.
void unpack_folders(Program& program, std::vector<FileData>& files) {
    std::vector<FileData> all;
    for (FileData& file : files) {
        const auto last_name = [](std::string_view name) { return name.substr(name.rfind('/') + 1); };
        const auto is_wanted = [&](std::string_view name) {
            return is_model_file(last_name(name)) && !name.starts_with("__MACOSX/");
        };
        const bool is_archive = file.name.ends_with(".zip") && looks_like_zip(file.bytes);
        Result<ZipContents> zip = is_archive ? read_zip(file.bytes, is_wanted) : Result<ZipContents>(ZipContents());
        if (!zip) {
            tell_failure(program, concat(file.name, ": ", zip.error()));
            continue;
        }
        if (zip->entries.empty()) all.push_back(std::move(file));
        for (ZipEntry& entry : zip->entries)
            all.push_back({.name = one_line(last_name(entry.name)), .media_type = {}, .bytes = std::move(entry.bytes)});
    }
    files = std::move(all);
}

}  // namespace

void take_model_files(Program& program, std::vector<FileData>& files) {
    unpack_folders(program, files);
    const auto is_of_model = [](const FileData& file) { return is_model_file(file.name); };
    if (std::none_of(files.begin(), files.end(), is_of_model)) return;
    const auto first = std::stable_partition(files.begin(), files.end(), std::not_fn(is_of_model));
    std::sort(first, files.end(), [](const FileData& a, const FileData& b) { return a.name < b.name; });
    ModelFiles of_model;
    std::shared_ptr<FileData> alone;  // the file of tensors, if there is one
    for (auto file = first; file != files.end(); ++file) {
        if (is_tensor_file(file->name)) {
            alone = std::make_shared<FileData>(std::move(*file));
            of_model.tensors.push_back(std::make_unique<FileInParts>(alone));
        } else {
            of_model.take_text(file->name, std::move(file->bytes));
        }
    }
    files.erase(first, files.end());
    if (of_model.tensors.size() != 1) alone.reset();
    if (of_model.tensors.empty()) return tell_failure(program, ModelOpening::begin(std::move(of_model)).error());
    Result<TensorFiles> tensors = TensorFiles::open(std::move(of_model.tensors), of_model.index);
    if (!tensors) return tell_failure(program, tensors.error());
    if (alone && are_modules(of_model, *tensors) &&
        std::max<std::uint64_t>(alone->size, alone->bytes.size()) <= kMaxFileBytes) {
        const std::string problem = fetch_bytes(*alone);
        if (!problem.empty()) return tell_failure(program, problem);
        return files.push_back({.name = alone->name, .media_type = {}, .bytes = std::move(alone->bytes)});
    }
    Result<ModelOpening> opening = ModelOpening::begin(of_model, std::move(*tensors));
    if (!opening) return tell_failure(program, opening.error());
    program.opening_model = std::move(*opening);
    tell(program, "The model's files are being read.");
}

bool read_model(Program& program, double end) {
    ModelOpening& opening = *program.opening_model;
    while (!opening.is_done() && program.world.seconds() < end) {
        const std::string problem = opening.advance(kModelSlice);
        if (problem.empty()) continue;
        program.opening_model.reset();
        tell_failure(program, problem);
        return false;
    }
    if (!opening.is_done()) return true;
    show_model(program);
    return false;
}

std::optional<float> read_share(const Program& program) {
    if (!program.opening_model) return std::nullopt;
    const double all = static_cast<double>(std::max<std::uint64_t>(program.opening_model->bytes_in_all(), 1));
    return static_cast<float>(static_cast<double>(program.opening_model->bytes_done()) / all);
}

void stop_reading_model(Program& program) {
    if (!program.opening_model) return;
    program.opening_model.reset();
    tell_failure(program, "The model was not opened, because you stopped it. What was there stays.");
}

}  // namespace attn
