#include "playground/state/open_models.h"

#include <algorithm>
#include <utility>

namespace attn {
namespace {

std::vector<std::shared_ptr<const OpenModel>>& kept_models() {
    static std::vector<std::shared_ptr<const OpenModel>> kept;
    return kept;
}

int num_changes = 0;

}  // namespace

int num_model_changes() {
    return num_changes;
}

std::shared_ptr<const OpenModel> find_open_model(std::string_view name) {
    for (const std::shared_ptr<const OpenModel>& model : kept_models()) {
        if (model->name() == name) return model;
    }
    return nullptr;
}

void keep_model_open(std::shared_ptr<const OpenModel> model) {
    close_model(model->name());
    ++num_changes;
    kept_models().push_back(std::move(model));
}

void close_model(std::string_view name) {
    const auto is_it = [&](const std::shared_ptr<const OpenModel>& model) { return model->name() == name; };
    if (std::erase_if(kept_models(), is_it) > 0) ++num_changes;
}

bool waits_for_models() {
    return std::ranges::any_of(kept_models(), [](const auto& model) { return model->is_waiting(); });
}

bool waits_for_model(const Inputs& inputs) {
    const std::shared_ptr<const OpenModel> model = open_model_of(inputs);
    return model && model->is_waiting();
}

std::vector<std::shared_ptr<const OpenModel>> open_models() {
    return kept_models();
}

}  // namespace attn
