// A model's files, whoever brings them, on their way into memory: in slices, each checked before a number of it is
// used.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/ground/result.h"
#include "model/files/byte_source.h"
#include "model/layers/model_load.h"
#include "playground/models/loaded_model.h"

namespace attn {

// What is small is a text; "" where there is no such file.
struct ModelFiles {
    std::string config, index;
    TokenizerFiles tokenizer;
    std::vector<std::unique_ptr<ByteSource>> tensors;

    std::vector<std::string> names = {};  // of the texts that were taken

    // Takes a small file's text if a model has a file of this name; returns whether it does.
    bool take_text(std::string_view name, std::string text);
};

// Whether a file of this name is one of a model: "config.json", "x.safetensors", "vocab.txt" ...
bool is_model_file(std::string_view name);

// Whether what came is no model but attention modules alone, whose arrays open_file (share/opening) reads: `tensors` of
// one file, with no config.json beside it.
bool are_modules(const ModelFiles& files, const TensorFiles& tensors);

bool is_tensor_file(std::string_view name);

class ModelOpening {
public:
    // Reads config, tokenizer and the headers of the tensors' files. Where the tokenizer is missing or refused, tokens
    // are given by their numbers, and a note says why. Fails with a sentence: a file that is missing, what is wrong
    // with one, and where.
    // Of a model that is larger than `room` a part is read now, and is its digest.
    static Result<ModelOpening> begin(ModelFiles files, ModelRoom room = {});
    // The same, by one who has opened the tensors' files.
    static Result<ModelOpening> begin(const ModelFiles& files, TensorFiles tensors, ModelRoom room = {});

    // As in ModelLoad: where the next bytes go, for those who bring them themselves.
    ModelLoad::Slice next(std::size_t most) { return load_.next(most); }
    const std::string& file_name(const FiledTensor& tensor) const { return load_.file_name(tensor); }
    void slice_is_there(const ModelLoad::Slice& slice);
    // Or reads about so many bytes more. Returns nothing, or a sentence.
    std::string advance(std::size_t num_bytes);

    bool is_done() const { return load_.is_done(); }
    std::uint64_t bytes_done() const { return load_.bytes_done(); }
    std::uint64_t bytes_in_all() const { return load_.bytes_in_all(); }

    // The model, once all is read; to be called once. Without a name it is called by its kind and its digest
    // ("gpt2-0123456789abcdef"), which differs where config, tokenizer or a number does.
    Result<std::shared_ptr<const LoadedModel>> take(std::string name = {});

private:
    ModelOpening(ModelLoad load, Result<ModelTokenizer> tokenizer, std::uint64_t digest)
        : load_(std::move(load)), tokenizer_(std::move(tokenizer)), digest_(digest) {}

    ModelLoad load_;
    Result<ModelTokenizer> tokenizer_;
    std::uint64_t digest_;                                      // FNV-1a of what is there
    std::map<std::string, ModelTensor::NotFinite> not_finite_;  // by tensor
};

}  // namespace attn
