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
#include "playground/link/legal.h"
#include "playground/models/model_opening.h"
#include "playground/state/origin.h"

namespace attn {
namespace {

constexpr std::size_t kModelSlice = 1 << 20;  // bytes between two looks at the clock

class FileInParts : public ByteSource {
public:
    explicit FileInParts(FileData file) : file_(std::move(file)) {}
    const std::string& name() const override { return file_.name; }
    std::uint64_t size() const override { return file_.read_part ? file_.size : file_.bytes.size(); }
    std::string read(std::uint64_t begin, std::span<std::uint8_t> into) override {
        if (file_.read_part) return file_.read_part(begin, into);
        std::copy_n(file_.bytes.begin() + static_cast<std::ptrdiff_t>(begin), into.size(), into.begin());
        return "";
    }

private:
    FileData file_;
};

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

}  // namespace

void take_model_files(Program& program, std::vector<FileData>& files) {
    const auto is_of_model = [](const FileData& file) { return is_model_file(file.name); };
    if (std::none_of(files.begin(), files.end(), is_of_model)) return;
    const auto first = std::stable_partition(files.begin(), files.end(), std::not_fn(is_of_model));
    std::sort(first, files.end(), [](const FileData& a, const FileData& b) { return a.name < b.name; });
    ModelFiles of_model;
    for (auto file = first; file != files.end(); ++file) {
        if (is_tensor_file(file->name)) {
            of_model.tensors.push_back(std::make_unique<FileInParts>(std::move(*file)));
        } else {
            of_model.take_text(file->name, std::move(file->bytes));
        }
    }
    files.erase(first, files.end());
    Result<ModelOpening> opening = ModelOpening::begin(std::move(of_model));
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
