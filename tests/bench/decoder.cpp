#include "bench/decoder.h"

#include <emscripten.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/files/byte_source.h"
#include "model/layers/model_load.h"
#include "model/layers/model_run.h"
#include "model/roles/lens.h"
#include "model/roles/patch_effects.h"

EM_JS(void, read_tensors, (double begin, double size, std::uint8_t* into),
      { HEAPU8.set(Module.read_tensors(begin, size), into); });

namespace {

constexpr std::int64_t kSlice = 64'000'000;  // multiply-adds, as the page's

class FetchedFile : public attn::ByteSource {
public:
    explicit FetchedFile(double num_bytes) : num_bytes_(num_bytes) {}
    const std::string& name() const override { return name_; }
    std::uint64_t size() const override { return static_cast<std::uint64_t>(num_bytes_); }
    std::string read(std::uint64_t begin, std::span<std::uint8_t> into) override {
        read_tensors(static_cast<double>(begin), static_cast<double>(into.size()), into.data());
        return "";
    }

private:
    std::string name_ = "model.safetensors";
    double num_bytes_;
};

struct Decoder {
    std::string problem;
    std::optional<attn::Model> model;
    std::shared_ptr<attn::ModelRun> run;
    std::optional<attn::RowLogits> logits;
};

Decoder& decoder() {
    static Decoder the_one;
    return the_one;
}

}  // namespace

const char* decoder_open(const char* config, double num_bytes) {
    Decoder& at = decoder();
    std::vector<std::unique_ptr<attn::ByteSource>> files;
    files.push_back(std::make_unique<FetchedFile>(num_bytes));
    attn::Result<attn::TensorFiles> tensors = attn::TensorFiles::open(std::move(files));
    attn::Result<attn::Model> model =
        tensors ? attn::load_model(config, std::move(*tensors)) : attn::Result<attn::Model>::failure(tensors.error());
    if (!model) {
        at.problem = model.error();
        return at.problem.c_str();
    }
    at.model = std::move(*model);
    return nullptr;
}

int decoder_vocabulary() {
    return decoder().model->config.vocabulary;
}

void decoder_layers(const int* ids, int count) {
    attn::ModelRun run(*decoder().model, {.ids = std::vector<int>(ids, ids + count)});
    while (!run.advance(kSlice)) continue;
}

double decoder_products(int rows, int times) {
    const attn::LinearWeights& linear = decoder().model->weights.layers[0].mlp_in;
    attn::Matrix x = attn::zeros<attn::Matrix>(rows, linear.inputs);
    x.fill(0.5F);
    for (int i = 0; i < times; ++i) static_cast<void>(multiply(x, linear));
    return static_cast<double>(rows) * linear.inputs * linear.outputs;
}

int decoder_lens(const int* ids, int count) {
    Decoder& at = decoder();
    if (!at.run || !at.run->is_done() || at.run->input().ids != std::vector<int>(ids, ids + count)) return 0;
    attn::LensWork work(at.run, 0, count, count - 1, std::nullopt);
    while (!work.advance(kSlice)) continue;
    return work.num_cells();
}

int decoder_patches(const int* ids, int count) {
    const attn::Model& model = *decoder().model;
    const std::vector<int> here(ids, ids + count), there(std::vector<int>(here.rbegin(), here.rend()));
    attn::PatchEffects work(std::make_shared<attn::ModelRun>(model, attn::ModelInput{.ids = here}),
                            std::make_shared<attn::ModelRun>(model, attn::ModelInput{.ids = there}), count - 1, 1, 2,
                            count - 1, 1);
    while (!work.advance(kSlice)) continue;
    return work.num_effects();
}

double decoder_unembed(int rows) {
    const attn::LinearWeights& linear = decoder().model->weights.unembedding;
    const int together = static_cast<int>(attn::lens_rows_together(linear.outputs));
    for (int first = 0; first < rows; first += together) {
        attn::Matrix x = attn::zeros<attn::Matrix>(std::min(together, rows - first), linear.inputs);
        x.fill(0.5F);
        static_cast<void>(multiply(x, linear));
    }
    return static_cast<double>(rows) * linear.inputs * linear.outputs;
}

const float* decoder_read(const int* ids, int count) {
    Decoder& at = decoder();
    attn::ModelInput input = {.ids = std::vector<int>(ids, ids + count)};
    if (!attn::find_input_problem(at.model->config, input).empty()) return nullptr;
    at.run = std::make_shared<attn::ModelRun>(*at.model, std::move(input), at.run.get());
    at.logits.emplace(at.run, count - 1);
    while (!at.logits->advance(kSlice)) continue;
    return at.logits->logits().data();
}
