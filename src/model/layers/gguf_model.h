// A GGUF file as the model's files of transformers would be: its settings as the text of a config.json, its tensors by
// the names that they have there. The rest of the program reads both as it reads those files, so a kind of model that
// is known there is a row here (gguf_names.cpp).
//
// The program that writes GGUF files (llama.cpp's convert_hf_to_gguf.py) changes some numbers; this is undone:
//   - rows of Llama's queries and keys: pairs that are turned together lie beside each other there, in the halves of a
//     head here;
//   - queries, keys and values of GPT-NeoX and BLOOM: one role after the other there, head by head in their own files,
//     so each becomes a matrix of its own here;
//   - weights of Gemma's norms have 1 added already: a setting of ours says so;
//   - Llama 3's rotary positions are a factor for each pair there: longrope with these factors, which divides by them.
// Matrices are (outputs, inputs) in all of them.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/ground/result.h"
#include "model/files/tensor_files.h"
#include "model/layers/tensor_kinds.h"

namespace attn {

// A part of the model by its name in a GGUF file, and by that of transformers: without ".weight" and ".bias".
struct GgufName {
    std::string_view filed, usual;
};

struct GgufKind {
    std::string_view architecture;  // "general.architecture"
    std::string_view type;          // "model_type" of a config.json
    const SizeKeys* keys;           // what that calls the sizes
    std::string_view epsilon;       // and the norms' epsilon
    std::string_view layers;        // before the number of a layer: "model.layers."
    std::span<const GgufName> of_layers, of_model;
    bool has_paired_rows = false;  // of queries and keys
    bool cuts_roles = false;       // "attn_qkv" is cut into three matrices
    bool is_gemma = false;
    bool has_rope = true;
};

// All that are read.
std::span<const GgufKind> gguf_kinds();
// Null for an architecture that is none of them.
const GgufKind* gguf_kind_of(std::string_view architecture);

struct GgufModel {
    std::string file;  // its name
    const GgufKind* kind = nullptr;
    std::string config;  // as config.json has it
    int head_dim = 0;
    std::vector<FiledTensor> tensors;
    std::vector<std::string> remarks;                       // what people should know of how it was read
    std::vector<std::pair<std::string, std::string>> keys;  // of the config, and the settings that they come from

    // The same sentence about the file: in the place of config.json, with the names of its own tensors and settings.
    std::string in_its_words(std::string_view sentence) const;
};

// Config, keys and head_dim of a model whose kind is known. Returns nothing, or a sentence.
std::string read_gguf_settings(const Gguf& gguf, GgufModel& model);

// Of files that are one GGUF file. Fails with a sentence: an architecture that is not known, settings that are missing,
// of another type, or that change numbers and are not known, a mixture of experts, and tensors that the architecture
// does not have.
Result<GgufModel> model_of_gguf(const TensorFiles& files);

}  // namespace attn
