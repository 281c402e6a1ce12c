// A model's files on their way into the page, as C functions that take names and bytes and answer in JSON. The page
// reads the files, dropped or from its own host, and hands them over slice by slice (web/models.js). One model at a
// time. Each text that is returned lives until the next call.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/ground/check.h"
#include "core/words/code_points.h"
#include "playground/link/state_url.h"
#include "playground/models/model_opening.h"
#include "playground/text/json_writer.h"

namespace attn {
namespace {

// The beginning of a file whose other bytes come in slices.
class BeginningOfFile : public ByteSource {
public:
    BeginningOfFile(std::string name, std::uint64_t size, std::string bytes)
        : name_(std::move(name)), size_(size), bytes_(std::move(bytes)) {}
    const std::string& name() const override { return name_; }
    std::uint64_t size() const override { return size_; }
    std::string read(std::uint64_t begin, std::span<std::uint8_t> into) override {
        if (begin > bytes_.size() || into.size() > bytes_.size() - begin)
            return concat("Cannot read ", quoted(name_), ": its header is cut short.");
        std::copy_n(bytes_.begin() + static_cast<std::ptrdiff_t>(begin), into.size(), into.begin());
        return "";
    }

private:
    std::string name_;
    std::uint64_t size_;
    std::string bytes_;
};

struct ComingModel {
    ModelFiles files;
    std::optional<ModelOpening> opening;
    std::optional<ModelLoad::Slice> slice;
};

std::optional<ComingModel>& coming_model() {
    static std::optional<ComingModel> one;
    return one;
}

template <class Write>
const char* answer_in_json(const Write& write) {
    static std::string kept;
    kept.clear();
    JsonWriter json(kept);
    json.begin_object();
    write(json);
    json.end_object();
    return kept.c_str();
}

// What came so far is gone.
const char* refuse_model(const std::string& sentence) {
    coming_model().reset();
    return answer_in_json([&](JsonWriter& json) { json.member("error", sentence); });
}

void put_whole_number(JsonWriter& json, std::string_view name, std::uint64_t number) {
    json.key(name);
    json.integer(static_cast<std::int64_t>(number));
}

}  // namespace
}  // namespace attn

using namespace attn;

extern "C" {

// A model's files come; what came of another one is gone.
void models_begin() {
    coming_model().emplace();
}

// A small file: config.json, tokenizer.json, ... Others are left alone.
void models_add_text(const char* name, const char* bytes, int size) {
    coming_model()->files.take_text(name, std::string(bytes, static_cast<std::size_t>(size)));
}

// A safetensors file of `size` bytes by its first ones: 8 and the header that they announce, or all that it has.
void models_add_tensors(const char* name, double size, const char* beginning, int beginning_size) {
    coming_model()->files.tensors.push_back(std::make_unique<BeginningOfFile>(
        name, static_cast<std::uint64_t>(size), std::string(beginning, static_cast<std::size_t>(beginning_size))));
}

// All files are named: {"bytes": to come} or {"error": sentence}.
const char* models_open() {
    Result<ModelOpening> opening = ModelOpening::begin(std::move(coming_model()->files));
    if (!opening) return refuse_model(opening.error());
    coming_model()->opening = std::move(*opening);
    return answer_in_json(
        [](JsonWriter& json) { put_whole_number(json, "bytes", coming_model()->opening->bytes_in_all()); });
}

// Where the next bytes go, at most `most`: {"file": in the order of models_add_tensors, "begin": byte of it, "at":
// memory, "size": bytes}, or {"done": true}.
const char* models_next(int most) {
    ComingModel& coming = *coming_model();
    if (coming.opening->is_done()) {
        return answer_in_json([](JsonWriter& json) {
            json.key("done");
            json.boolean(true);
        });
    }
    coming.slice = coming.opening->next(static_cast<std::size_t>(most));
    return answer_in_json([&](JsonWriter& json) {
        put_whole_number(json, "file", coming.slice->tensor->file);
        put_whole_number(json, "begin", coming.slice->tensor->tensor.begin + coming.slice->first_byte);
        put_whole_number(json, "at", reinterpret_cast<std::uintptr_t>(coming.slice->into.data()));
        put_whole_number(json, "size", coming.slice->into.size());
    });
}

// The bytes of models_next are where they belong.
void models_slice_is_there() {
    coming_model()->opening->slice_is_there(*coming_model()->slice);
}

// All bytes are there: the model is open by this name, or by its kind and digest without one: {"name"} or {"error"}.
const char* models_take(const char* name) {
    Result<std::shared_ptr<const LoadedModel>> model = coming_model()->opening->take(name);
    if (!model) return refuse_model(model.error());
    coming_model().reset();
    keep_model_open(*model);
    return answer_in_json([&](JsonWriter& json) { json.member("name", (*model)->name()); });
}

// The model that a link wants, named in it or by its lesson's step: {"name"}, empty without one.
const char* models_of_link(const char* link) {
    return answer_in_json([&](JsonWriter& json) { json.member("name", read_link(link).state.inputs.model); });
}

int models_is_open(const char* name) {
    return find_open_model(name) ? 1 : 0;
}

}  // extern "C"
