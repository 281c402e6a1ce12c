// A small model with random numbers and a tokenizer that knows some words, opened as its files would be.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "core/ground/check.h"
#include "model/layers/random_model.h"
#include "playground/models/model_opening.h"
#include "playground/state/open_models.h"
#include "playground/state/origin.h"

namespace attn::test {

// 17 words, as many as the random checkpoints have tokens; nothing stands for others.
inline const std::string kSmallTokenizer =
    R"({"version":"1.0","added_tokens":[],"normalizer":{"type":"BertNormalizer","clean_text":true,
    "handle_chinese_chars":true,"strip_accents":null,"lowercase":true},"pre_tokenizer":{"type":"BertPreTokenizer"},
    "model":{"type":"WordPiece","unk_token":"?","continuing_subword_prefix":"##","max_input_chars_per_word":100,"vocab":{
    "?":0,"the":1,"artist":2,"painted":3,"portrait":4,"of":5,"a":6,"woman":7,"with":8,"brush":9,".":10,"palette":11,
    "hat":12,"who":13,"has":14,"paint":15,"##s":16}}})";

inline ModelFiles small_model_files(const Checkpoint& checkpoint, std::string tokenizer = kSmallTokenizer) {
    ModelFiles files;
    files.config = checkpoint.config;
    files.tokenizer.tokenizer_json = std::move(tokenizer);
    files.tensors = sources({{"model.safetensors", checkpoint.file()}});
    return files;
}

inline std::shared_ptr<const LoadedModel> opened_model(ModelFiles files, const std::string& name,
                                                       std::size_t slice = 1000) {
    Result<ModelOpening> opening = ModelOpening::begin(std::move(files));
    ATTN_CHECK(bool(opening), opening.error());
    while (!opening->is_done()) {
        const std::string problem = opening->advance(slice);
        ATTN_CHECK(problem.empty(), problem);
    }
    Result<std::shared_ptr<const LoadedModel>> model = opening->take(name);
    ATTN_CHECK(bool(model), model.error());
    return *model;
}

inline std::shared_ptr<const LoadedModel> small_model(const std::string& name = "small",
                                                      const Checkpoint& checkpoint = random_gpt2()) {
    return opened_model(small_model_files(checkpoint), name);
}

// Open as long as this lives; then what was open by its name before is so again.
class ModelIsOpen {
public:
    explicit ModelIsOpen(std::shared_ptr<const LoadedModel> model)
        : model_(std::move(model)), before_(find_open_model(model_->name())) {
        keep_model_open(model_);
    }
    ~ModelIsOpen() {
        if (before_) {
            keep_model_open(before_);
        } else {
            close_model(model_->name());
        }
    }
    ModelIsOpen(const ModelIsOpen&) = delete;
    ModelIsOpen& operator=(const ModelIsOpen&) = delete;
    const LoadedModel& operator*() const { return *model_; }
    const LoadedModel* operator->() const { return model_.get(); }

private:
    std::shared_ptr<const LoadedModel> model_;
    std::shared_ptr<const OpenModel> before_;
};

// A model of the program's own is not open while this lives, as on a page that has not fetched it.
class OwnModelIsClosed {
public:
    explicit OwnModelIsClosed(const OwnModel& own = kFirstWords) : model_(find_open_model(own.name)) {
        close_model(own.name);
    }
    ~OwnModelIsClosed() { keep_model_open(model_); }
    OwnModelIsClosed(const OwnModelIsClosed&) = delete;
    OwnModelIsClosed& operator=(const OwnModelIsClosed&) = delete;

private:
    std::shared_ptr<const OpenModel> model_;
};

}  // namespace attn::test
