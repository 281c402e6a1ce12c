// The model that this project trained is open in all tests of a program, as it is in the desktop's and in the attn
// command: lessons show it.
#include <catch_amalgamated.hpp>

#include "model/learn/own_model.h"
#include "playground/models/small_model.h"
#include "playground/state/origin.h"

namespace {

class OwnModelIsOpen : public Catch::EventListenerBase {
public:
    using Catch::EventListenerBase::EventListenerBase;
    void testRunStarting(const Catch::TestRunInfo& /*run*/) override {
        using namespace attn;
        using namespace attn::test;
        ModelFiles files;
        for (const char* name : {"config.json", "tokenizer.json"}) files.take_text(name, own_model_file(name));
        files.tensors = sources({{"model.safetensors", own_model_file("model.safetensors")}});
        keep_model_open(opened_model(std::move(files), std::string(kOwnModel)));
    }
};

CATCH_REGISTER_LISTENER(OwnModelIsOpen)

}  // namespace
