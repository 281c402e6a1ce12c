#include "playground/models/model_numbers.h"

#include <utility>

#include "core/ground/check.h"
#include "playground/text/notes.h"

namespace attn {

std::optional<ModelText> model_text(const Inputs& inputs, int sentence) {
    const std::shared_ptr<const OpenModel> open = open_model_of(inputs);
    if (!open) return std::nullopt;
    const auto loaded = std::static_pointer_cast<const LoadedModel>(open);  // there are no others
    ModelInput input = loaded->input_of(inputs, sentence);
    std::vector<std::string> words = texts_of(loaded->tokenize(inputs.texts[static_cast<std::size_t>(sentence)]));
    if (words.empty()) return std::nullopt;
    std::shared_ptr<ModelRun> run = loaded->run_of(input);
    return ModelText{.model = std::shared_ptr<const Model>(loaded, &loaded->model()),
                     .tokenizer = std::shared_ptr<const ModelTokenizer>(loaded, &loaded->tokenizer()),
                     .name = loaded->name(),
                     .input = std::move(input),
                     .run = std::move(run),
                     .words = std::move(words)};
}

std::optional<ModelText> model_text(const Evaluator& evaluator) {
    if (!evaluator.state()) return std::nullopt;
    return model_text(evaluator.inputs(), evaluator.state()->view.sentence);
}

std::string progress_in_words(const ModelProgress& progress) {
    const auto computed = [](int done, int all, const char* what) {
        return concat(with_thousands(done), " of ", with_thousands(all), " ", what, " are computed");
    };
    if (progress.num_layers_done < progress.num_layers)
        return computed(progress.num_layers_done, progress.num_layers, "layers");
    return computed(progress.num_logits_done, progress.num_logits, "logits");
}

}  // namespace attn
