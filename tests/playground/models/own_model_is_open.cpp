// The models that this project trained are open in all tests of a program, as they are in the desktop's and in the attn
// command: lessons show them.
#include <catch_amalgamated.hpp>

#include "model/learn/own_model.h"
#include "playground/models/small_model.h"
#include "playground/state/origin.h"

namespace {

class OwnModelsAreOpen : public Catch::EventListenerBase {
public:
    using Catch::EventListenerBase::EventListenerBase;
    void testRunStarting(const Catch::TestRunInfo& /*run*/) override {
        using namespace attn;
        using namespace attn::test;
        for (const OwnModel& own : kOwnModels) {
            const std::string model(own.name);
            ModelFiles files;
            for (const char* name : {"config.json", "tokenizer.json"})
                files.take_text(name, own_model_file(name, model));
            files.tensors = sources({{"model.safetensors", own_model_file("model.safetensors", model)}});
            keep_model_open(opened_model(std::move(files), model, std::size_t{1} << 16U));
        }
    }
};

CATCH_REGISTER_LISTENER(OwnModelsAreOpen)

}  // namespace
