// A model's files on their way into the page, as C functions that take names and bytes and answer in JSON. The page
// reads the files, dropped or from its own host, and hands them over slice by slice (web/models.js). One model at a
// time. Each text that is returned lives until the next call.
#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/ground/check.h"
#include "core/words/code_points.h"
#include "platform/web.h"
#include "playground/link/state_url.h"
#include "playground/models/model_opening.h"
#include "playground/text/json_writer.h"
#include "share/opening/open_file.h"

namespace attn {
namespace {

// A file of tensors that the page has: what was asked of it so far.
struct ComingFile {
    std::string name;
    std::uint64_t size = 0;
    std::map<std::uint64_t, std::string> parts = {};  // by where they begin
};

// Bytes of a model's numbers that are in memory at a time: with what the page and the rest of the engine take it stays
// below 1.2 GB (docs/performance.md).
constexpr std::uint64_t kMostBytes = std::uint64_t{768} << 20U;

struct NeededPart {
    const ComingFile* file = nullptr;
    std::uint64_t begin = 0, size = 0;
};

// Reads the parts that are there, and notes the one that is not.
class PartsOfFile : public ByteSource {
public:
    PartsOfFile(std::shared_ptr<const ComingFile> file, std::shared_ptr<NeededPart> needed)
        : file_(std::move(file)), needed_(std::move(needed)) {}
    const std::string& name() const override { return file_->name; }
    std::uint64_t size() const override { return file_->size; }
    std::string read(std::uint64_t begin, std::span<std::uint8_t> into) override {
        auto part = file_->parts.upper_bound(begin);
        while (part != file_->parts.begin()) {
            --part;
            const std::uint64_t from = begin - part->first;
            if (from > part->second.size() || into.size() > part->second.size() - from) continue;
            std::copy_n(part->second.begin() + static_cast<std::ptrdiff_t>(from), into.size(), into.begin());
            return "";
        }
        constexpr std::uint64_t kLeast = 1 << 14;  // bytes; a part for each few of them would take long
        const std::uint64_t size = std::min(std::max<std::uint64_t>(into.size(), kLeast), file_->size - begin);
        *needed_ = {.file = file_.get(), .begin = begin, .size = size};
        return "A part of the file is not there yet.";
    }

private:
    std::shared_ptr<const ComingFile> file_;
    std::shared_ptr<NeededPart> needed_;
};

struct ComingModel {
    ModelFiles files;                                  // the texts
    std::vector<std::shared_ptr<ComingFile>> tensors;  // in the order in which they came
    std::shared_ptr<NeededPart> needed = std::make_shared<NeededPart>();
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

void put_slice(JsonWriter& json, const std::string& file, const TensorSlice& slice) {
    json.member("file", file);
    put_whole_number(json, "begin", slice.tensor->tensor.begin + slice.first_byte);
    put_whole_number(json, "at", reinterpret_cast<std::uintptr_t>(slice.into.data()));
    put_whole_number(json, "size", slice.into.size());
}

void put_done(JsonWriter& json) {
    json.flag("done", true);
}

// Those that are open and whose numbers come in parts.
std::vector<std::shared_ptr<const LoadedModel>>& models_in_parts() {
    static std::vector<std::shared_ptr<const LoadedModel>> models;
    std::erase_if(models, [](const auto& model) { return find_open_model(model->name()) != model; });
    return models;
}

// What models_wanted told last.
struct Wanted {
    std::shared_ptr<const LoadedModel> model;  // stays in memory while its bytes come
    TensorSlice slice;
};
Wanted& wanted() {
    static Wanted one;
    return one;
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

// A file of tensors, by its size.
void models_add_tensors(const char* name, double size) {
    coming_model()->tensors.push_back(
        std::make_shared<ComingFile>(ComingFile{.name = name, .size = static_cast<std::uint64_t>(size)}));
}

// A part of it that models_open needs.
void models_add_part(const char* name, double begin, const char* bytes, int size) {
    for (const auto& file : coming_model()->tensors)
        if (file->name == name)
            file->parts[static_cast<std::uint64_t>(begin)] = std::string(bytes, static_cast<std::size_t>(size));
}

// All files are named: {"bytes": to come}; or {"needs": name, "begin": byte, "size": bytes} of a part, after which it
// is to be called again; or {"modules": true}: open_file (engine.cpp) reads the file; or {"error": sentence}.
const char* models_open() {
    ComingModel& coming = *coming_model();
    *coming.needed = {};
    const auto sources = [&] {
        std::vector<std::unique_ptr<ByteSource>> made;
        for (const auto& file : coming.tensors) made.push_back(std::make_unique<PartsOfFile>(file, coming.needed));
        return made;
    };
    std::optional<Result<ModelOpening>> opening;
    if (coming.tensors.empty()) {
        opening = ModelOpening::begin(ModelFiles());
    } else {
        Result<TensorFiles> tensors = TensorFiles::open(sources(), coming.files.index);
        if (coming.needed->file != nullptr)
            return answer_in_json([&](JsonWriter& json) {
                json.member("needs", coming.needed->file->name);
                put_whole_number(json, "begin", coming.needed->begin);
                put_whole_number(json, "size", coming.needed->size);
            });
        if (!tensors) return refuse_model(tensors.error());
        if (coming.tensors.size() == 1 && coming.tensors.front()->size <= kMaxFileBytes &&
            are_modules(coming.files, *tensors))
            return answer_in_json([](JsonWriter& json) { json.flag("modules", true); });
        opening = ModelOpening::begin(coming.files, std::move(*tensors),
                                      {.most_bytes = kMostBytes, .tell_wanted = tell_model_wants_bytes});
        for (const auto& file : coming.tensors) file->parts.clear();
    }
    if (!*opening) return refuse_model(opening->error());
    coming.opening = std::move(**opening);
    return answer_in_json(
        [](JsonWriter& json) { put_whole_number(json, "bytes", coming_model()->opening->bytes_in_all()); });
}

// Where the next bytes go, at most `most`: {"file": its name, "begin": byte of it, "at": memory, "size": bytes}, or
// {"done": true}.
const char* models_next(int most) {
    ComingModel& coming = *coming_model();
    if (coming.opening->is_done()) return answer_in_json(put_done);
    coming.slice = coming.opening->next(static_cast<std::size_t>(most));
    return answer_in_json(
        [&](JsonWriter& json) { put_slice(json, coming.opening->file_name(*coming.slice->tensor), *coming.slice); });
}

// The bytes of models_next are where they belong.
void models_slice_is_there() {
    coming_model()->opening->slice_is_there(*coming_model()->slice);
}

// All bytes are there: the model is open by this name, or by its kind and digest without one: {"name", "in_parts"} or
// {"error"}. Of one that comes in parts, the files stay with the page.
const char* models_take(const char* name) {
    Result<std::shared_ptr<const LoadedModel>> model = coming_model()->opening->take(name);
    if (!model) return refuse_model(model.error());
    coming_model().reset();
    keep_model_open(*model);
    if ((*model)->store() != nullptr) models_in_parts().push_back(*model);
    return answer_in_json([&](JsonWriter& json) {
        json.member("name", (*model)->name());
        json.flag("in_parts", (*model)->store() != nullptr);
    });
}

// An open model's numbers that come in parts: where the next bytes that it wants go, at most about `most`: {"model":
// its name, "file", "begin", "at", "size"}, or {"done": true}.
const char* models_wanted(int most) {
    for (const auto& model : models_in_parts()) {
        ModelStore& store = *model->store();
        if (!store.wants_bytes()) continue;
        wanted() = {.model = model, .slice = store.next(static_cast<std::size_t>(most))};
        return answer_in_json([&](JsonWriter& json) {
            json.member("model", model->name());
            put_slice(json, store.file_name(*wanted().slice.tensor), wanted().slice);
        });
    }
    wanted() = {};
    return answer_in_json(put_done);
}

// The bytes of models_wanted are where they belong. Returns whether work may go on that stood still.
int models_brought() {
    ModelStore& store = *wanted().model->store();
    const bool has_waited = store.is_waiting();
    store.slice_is_there(wanted().slice);
    return has_waited && !store.is_waiting() ? 1 : 0;
}

// A model's files cannot be read any more.
void models_close(const char* name) {
    close_model(name);
}

// The model that a link wants, named in it or by its lesson's step: {"name"}, empty without one.
const char* models_of_link(const char* link) {
    return answer_in_json([&](JsonWriter& json) { json.member("name", read_link(link).state.inputs.model); });
}

int models_is_open(const char* name) {
    return find_open_model(name) ? 1 : 0;
}

}  // extern "C"
