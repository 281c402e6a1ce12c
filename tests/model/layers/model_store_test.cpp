// A model whose numbers come in parts computes the bits of the same model in memory: read when they are needed, and
// brought by somebody else while the work waits.
#include "model/layers/model_store.h"

#include <algorithm>
#include <catch_amalgamated.hpp>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <memory>
#include <span>
#include <string>

#include "core/fast/attend.h"
#include "core/words/code_points.h"
#include "model/layers/model_load.h"
#include "model/layers/model_run.h"
#include "model/layers/problem_work.h"
#include "model/layers/random_model.h"
#include "model/roles/votes.h"

using attn::Matrix;
using attn::Model;
using attn::ModelInput;
using attn::ModelLoad;
using attn::ModelRoom;
using attn::ModelRun;
using attn::ModelStore;
using attn::Result;
using attn::test::all_checkpoints;
using attn::test::Checkpoint;

namespace {

const ModelInput kSevenTokens = {.ids = {3, 16, 0, 3, 7, 7, 11}, .types = {}};

// Smaller than any of the models, so that parts go and come again; a part is some panels.
constexpr std::uint64_t kLittle = 1;
constexpr std::size_t kPart = 512;

Result<ModelLoad> load_of(const Checkpoint& checkpoint, ModelRoom room) {
    attn::Result<attn::TensorFiles> files =
        attn::TensorFiles::open(attn::test::sources({{"model.safetensors", checkpoint.file()}}));
    REQUIRE(files);
    return ModelLoad::begin(checkpoint.config, std::move(*files), room);
}

int num_told = 0;
void count() {
    ++num_told;
}

Model model_in_parts(const Checkpoint& checkpoint, bool reads_at_once) {
    Result<ModelLoad> load = load_of(
        checkpoint, {.most_bytes = kLittle, .part_bytes = kPart, .tell_wanted = reads_at_once ? nullptr : count});
    INFO(load.error());
    REQUIRE(load);
    while (!load->is_done()) REQUIRE(load->advance(1000).empty());
    return load->take();
}

bool is_same_matrix(const Matrix& a, const Matrix& b) {
    return a.shape() == b.shape() && std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
}

// Brings what somebody waits for, from the file's bytes; returns how many.
std::uint64_t bring(ModelStore& store, std::size_t most) {
    std::uint64_t brought = 0;
    while (store.wants_bytes()) {
        const attn::TensorSlice slice = store.next(most);
        REQUIRE(store.read(slice).empty());
        brought += slice.into.size();
        store.slice_is_there(slice);
    }
    return brought;
}

}  // namespace

TEST_CASE("a model that is read when it is needed has the bits of one in memory", "[model][store]") {
    for (const auto& [name, checkpoint] : all_checkpoints()) {
        INFO(name);
        const Result<Model> whole = checkpoint.load();
        REQUIRE(whole);
        const Model parts = model_in_parts(checkpoint, true);
        REQUIRE(parts.store != nullptr);
        ModelRun expected(*whole, kSevenTokens), run(parts, kSevenTokens);
        REQUIRE(expected.advance(1'000'000'000));
        REQUIRE(run.advance(1'000'000'000));
        CHECK(is_same_matrix(run.final_stream(), expected.final_stream()));
        if (!whole->weights.unembedding.is_there()) continue;
        CHECK(is_same_matrix(logits_of(parts, kSevenTokens), logits_of(*whole, kSevenTokens)));
        if (find_votes_problem(whole->config, whole->weights).empty()) {
            const attn::Votes votes = votes_for(parts, run, 4, 3), others = votes_for(*whole, expected, 4, 3);
            CHECK(votes.sum == others.sum);
            CHECK(votes.logit == others.logit);
        }
        const ModelInput edited = {.ids = kSevenTokens.ids,
                                   .off = {{.layer = 1, .head = 0}},
                                   .edits = {{.layer = 0, .tensor = attn::TensorId::w_key, .row = 1, .value = 2}}};
        CHECK(is_same_matrix(logits_of(parts, edited), logits_of(*whole, edited)));
        CHECK(parts.store->problem().empty());
        CHECK(parts.store->bytes_held() <= parts.store->most_bytes());
    }
}

TEST_CASE("work waits for bytes that somebody brings, and has the same bits", "[model][store]") {
    for (const auto& [name, checkpoint] : all_checkpoints()) {
        INFO(name);
        const Result<Model> whole = checkpoint.load();
        REQUIRE(whole);
        const Model parts = model_in_parts(checkpoint, false);
        num_told = 0;
        ModelRun expected(*whole, kSevenTokens), run(parts, kSevenTokens);
        REQUIRE(expected.advance(1'000'000'000));
        int num_waits = 0;
        while (!run.advance(100'000)) {
            if (!parts.store->is_waiting()) continue;
            CHECK(bring(*parts.store, 700) > 0);
            REQUIRE(++num_waits < 1000);
        }
        CHECK(num_waits > 0);
        CHECK(num_told >= num_waits);
        CHECK(is_same_matrix(run.final_stream(), expected.final_stream()));
        if (!whole->weights.unembedding.is_there()) continue;
        attn::LogitsWork work(parts, run.final_stream());
        while (!work.advance(100'000)) bring(*parts.store, 700);
        CHECK(is_same_matrix(work.logits(), logits_of(*whole, kSevenTokens)));
    }
}

TEST_CASE("a layer's problem is made although other layers pass meanwhile", "[model][store]") {
    for (const auto& [name, checkpoint] : all_checkpoints()) {
        INFO(name);
        const Result<Model> whole = checkpoint.load();
        REQUIRE(whole);
        const Model parts = model_in_parts(checkpoint, false);
        ModelRun expected(*whole, kSevenTokens), run(parts, kSevenTokens), other(parts, {.ids = {1, 2, 3}});
        REQUIRE(expected.advance(1'000'000'000));
        while (!run.advance_to(0, 1)) bring(*parts.store, 700);
        attn::ProblemWork work(parts, 0, run.stream(0), {});
        int num_waits = 0;
        while (!work.is_done()) {
            std::int64_t one = 1;
            work.advance(one);
            for (int n = 0; n < 3 && !parts.store->is_waiting(); ++n) other.advance(1);
            if (!parts.store->is_waiting()) continue;
            bring(*parts.store, 700);
            REQUIRE(++num_waits < 10'000);
        }
        CHECK(num_waits >= 3);
        const attn::AttentionProblem made = work.take(), wanted = layer_problem(*whole, 0, expected.stream(0));
        CHECK(is_same_matrix(made.projections->w_query, wanted.projections->w_query));
        CHECK(is_same_matrix(made.projections->w_value, wanted.projections->w_value));
        CHECK(is_same_matrix(made.projections->w_out, wanted.projections->w_out));
        CHECK(made.typed_roles.size() == wanted.typed_roles.size());
        CHECK(attend(made).context == attend(wanted).context);
    }
}

TEST_CASE("the first parts stay, the others pass", "[model][store]") {
    Checkpoint checkpoint = attn::test::random_gpt2();
    constexpr int kLayers = 12;
    const std::string two = R"("n_layer":2)";
    checkpoint.config.replace(checkpoint.config.find(two), two.size(), attn::concat(R"("n_layer":)", kLayers));
    std::map<std::string, std::vector<std::int64_t>> shapes = checkpoint.shapes;
    for (const auto& [name, shape] : checkpoint.shapes) {
        if (!name.starts_with("h.0.")) continue;
        for (int layer = 2; layer < kLayers; ++layer) shapes[attn::concat("h.", layer, name.substr(3))] = shape;
    }
    checkpoint.shapes = shapes;
    const Result<Model> whole = checkpoint.load();
    REQUIRE(whole);
    std::uint64_t all = 0;
    for (const auto& tensor : whole->tensors) all += tensor->num_bytes();
    Result<ModelLoad> load = load_of(checkpoint, {.most_bytes = all * 3 / 4, .part_bytes = kPart});
    REQUIRE(load);
    CHECK(load->bytes_of_model() == all);
    CHECK(load->bytes_in_all() < all / 4);
    while (!load->is_done()) REQUIRE(load->advance(1000).empty());
    REQUIRE(load->remarks().size() == 1);
    CHECK(load->remarks()[0].find("are read from the file when they are needed") != std::string::npos);
    const Model model = load->take();
    CHECK(is_same_matrix(logits_of(model, kSevenTokens), logits_of(*whole, kSevenTokens)));
    const std::uint64_t first = model.store->bytes_read();
    CHECK(is_same_matrix(logits_of(model, kSevenTokens), logits_of(*whole, kSevenTokens)));
    CHECK(model.store->bytes_read() - first < first * 3 / 4);
    CHECK(model.store->bytes_held() <= all * 3 / 4);
}

TEST_CASE("numbers that are none are counted as they are read", "[model][store][bad input]") {
    Checkpoint checkpoint = attn::test::random_gpt2();
    std::vector<float> numbers(12 * 48, 0.25F);
    numbers[5] = std::numeric_limits<float>::quiet_NaN();
    checkpoint.numbers["h.1.mlp.c_fc.weight"] = numbers;
    const Model model = model_in_parts(checkpoint, true);
    logits_of(model, kSevenTokens);
    REQUIRE(model.store->not_finite().size() == 1);
    CHECK(model.store->not_finite()[0].find("1 NaN") != std::string::npos);
    logits_of(model, kSevenTokens);
    CHECK(model.store->not_finite()[0].find("1 NaN") != std::string::npos);
}

TEST_CASE("a file that cannot be read any more gives no numbers, and a sentence", "[model][store][bad input]") {
    const Checkpoint checkpoint = attn::test::random_gpt2();
    auto files = attn::test::sources({{"model.safetensors", checkpoint.file()}});
    class Cut : public attn::ByteSource {
    public:
        explicit Cut(std::unique_ptr<attn::ByteSource> file) : file_(std::move(file)) {}
        const std::string& name() const override { return file_->name(); }
        std::uint64_t size() const override { return file_->size(); }
        std::string read(std::uint64_t begin, std::span<std::uint8_t> into) override {
            return is_gone ? "The file is gone." : file_->read(begin, into);
        }
        bool is_gone = false;

    private:
        std::unique_ptr<attn::ByteSource> file_;
    };
    auto cut = std::make_unique<Cut>(std::move(files.front()));
    Cut& file = *cut;
    files.front() = std::move(cut);
    attn::Result<attn::TensorFiles> opened = attn::TensorFiles::open(std::move(files));
    REQUIRE(opened);
    Result<ModelLoad> load =
        ModelLoad::begin(checkpoint.config, std::move(*opened), {.most_bytes = kLittle, .part_bytes = kPart});
    REQUIRE(load);
    while (!load->is_done()) REQUIRE(load->advance(1000).empty());
    const Model model = load->take();
    file.is_gone = true;
    const Matrix logits = logits_of(model, kSevenTokens);
    CHECK(std::ranges::all_of(logits, [](float one) { return std::isnan(one); }));
    CHECK(model.store->problem() == "The file is gone.");
}
