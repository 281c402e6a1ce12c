// Any bytes as config.json and, behind the first NUL, as a safetensors file: both are refused in a sentence, or they
// are a model, which is computed.
#include <utility>

#include "core/ground/check.h"
#include "fuzz/computed_model.h"
#include "fuzz/target.h"
#include "model/layers/random_model.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    const std::string all(bytes, bytes + size);
    const std::string config = all.substr(0, all.find('\0'));
    const std::string numbers = config.size() == all.size() ? "" : all.substr(config.size() + 1);
    attn::Result<attn::TensorFiles> files = attn::TensorFiles::open(attn::test::sources({{"a.safetensors", numbers}}));
    if (!files) {
        const attn::Result<attn::ModelConfig> read = attn::read_model_config(config);
        ATTN_CHECK(read || read.error().ends_with('.'), "no sentence: ", read.error());
        return 0;
    }
    const attn::Result<attn::Model> model = attn::load_model(config, std::move(*files));
    if (!model) {
        ATTN_CHECK(model.error().ends_with('.'), "no sentence: ", model.error());
        return 0;
    }
    compute_model(*model);
    return 0;
}

// A model of one of the kinds, by the link's length.
std::string input_of_link(std::string_view link) {
    const auto all = attn::test::all_checkpoints();
    const attn::test::Checkpoint& checkpoint = all[link.size() % all.size()].second;
    return checkpoint.config + std::string(1, '\0') + checkpoint.file();
}
