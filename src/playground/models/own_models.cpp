#include "playground/models/own_models.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "core/ground/check.h"
#include "embedded/models.h"
#include "playground/models/model_opening.h"

namespace attn {
namespace {

class EmbeddedSource : public ByteSource {
public:
    explicit EmbeddedSource(const EmbeddedModelFile& file) : name_(file.name), file_(file) {}
    const std::string& name() const override { return name_; }
    std::uint64_t size() const override { return file_.size; }
    std::string read(std::uint64_t begin, std::span<std::uint8_t> into) override {
        std::copy_n(file_.data + begin, into.size(), into.begin());
        return "";
    }

private:
    std::string name_;
    EmbeddedModelFile file_;
};

ModelFiles files_of(const EmbeddedModel& own) {
    ModelFiles files;
    for (std::size_t i = 0; i < own.num_files; ++i) {
        const EmbeddedModelFile& file = own.files[i];
        if (is_tensor_file(file.name)) {
            files.tensors.push_back(std::make_unique<EmbeddedSource>(file));
        } else {
            files.take_text(file.name, std::string(reinterpret_cast<const char*>(file.data), file.size));
        }
    }
    return files;
}

void open_own_model(const EmbeddedModel& own) {
    Result<ModelOpening> opening = ModelOpening::begin(files_of(own));
    ATTN_CHECK(bool(opening), own.name, ": ", opening.error());
    while (!opening->is_done()) {
        const std::string problem = opening->advance(std::size_t{1} << 20U);
        ATTN_CHECK(problem.empty(), own.name, ": ", problem);
    }
    Result<std::shared_ptr<const LoadedModel>> model = opening->take(own.name);
    ATTN_CHECK(bool(model), own.name, ": ", model.error());
    keep_model_open(std::move(*model));
}

}  // namespace

void open_own_models() {
    for (std::size_t i = 0; i < kNumEmbeddedModels; ++i) open_own_model(kEmbeddedModels[i]);
}

std::optional<ModelFiles> own_model_files(std::string_view name) {
    for (std::size_t i = 0; i < kNumEmbeddedModels; ++i) {
        if (name == kEmbeddedModels[i].name) return files_of(kEmbeddedModels[i]);
    }
    return std::nullopt;
}

}  // namespace attn
