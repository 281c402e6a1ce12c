#include "share/exports/data_files.h"
#include "core/explain/stage_numbers.h"
#include "core/ground/check.h"
#include "samples.h"

#include <algorithm>
#include <array>
#include <catch_amalgamated.hpp>
#include <cmath>
#include <set>

#include "playground/link/legal.h"
#include "playground/link/state_url.h"
#include "playground/print/trace_export.h"
#include "playground/random_states.h"
#include "share/formats/npy.h"
#include "share/formats/npz.h"

namespace attn {
namespace {

using Catch::Matchers::ContainsSubstring;

bool every(std::string_view) {
    return true;
}

Result<std::string> npy_of(const PlaygroundState& state, TensorId stage) {
    return write_stage_npy(state, evaluate(state.inputs, state.view.sentence), stage);
}

Result<std::string> archive_of(const PlaygroundState& state) {
    return write_state_npz(state, evaluate(state.inputs, state.view.sentence));
}

Result<std::string> text_of(ExportKind kind, const PlaygroundState& state, TensorId stage) {
    Result<StageText> text = StageText::begin(kind, state, stage);
    if (!text) return Result<std::string>::failure(text.error());
    const Evaluation shown = evaluate(state.inputs, state.view.sentence);
    while (!text->advance(shown)) continue;
    return text->take();
}

NpzContents npz_of(const PlaygroundState& state) {
    const Result<std::string> bytes = archive_of(state);
    INFO(bytes.error());
    REQUIRE(bytes);
    Result<NpzContents> contents = read_npz(*bytes, every);
    INFO(contents.error());
    REQUIRE(contents);
    return *contents;
}

const NumberArray* find(const NpzContents& contents, std::string_view name) {
    for (const NamedArray& named : contents.arrays) {
        if (named.name == name) return &named.array;
    }
    return nullptr;
}

// The array holds the stage of this sentence, number by number.
void check_stage(const NumberArray& array, const Evaluation& evaluation, TensorId stage) {
    const std::vector<int> shape = stage_shape(evaluation, stage);
    REQUIRE(array.shape == std::vector<std::int64_t>(shape.begin(), shape.end()));
    std::size_t at = 0;
    for (int n = 0; n < num_matrices(evaluation.sizes, stage); ++n) {
        const int head = first_reader(evaluation.sizes, stage, n);
        const Matrix matrix = stage_matrix(*evaluation.problem, evaluation.trace, stage, head);
        for (const float number : matrix) {
            const double read = array.numbers[at++];
            const bool are_both_nan = std::isnan(read) && std::isnan(number);  // huge numbers lead to NaN
            REQUIRE((are_both_nan || read == static_cast<double>(number)));
        }
    }
    REQUIRE(at == array.numbers.size());
}

TEST_CASE("an NPZ file has every stage, matrix and mask of random states", "[data_files][property]") {
    int num_files = 0;
    for (std::uint32_t seed = 0; seed < static_cast<std::uint32_t>(test::samples(40)); ++seed) {
        test::Dice dice(seed);
        PlaygroundState state = test::random_state(dice);
        state.view.check.clear();
        state.view.hide.clear();
        // A matrix and its gradient for each role: the reader takes kMaxArrayNumbers in all.
        state.inputs.d_in = std::min(state.inputs.d_in, 512);
        state.inputs.d_out = std::min(state.inputs.d_out, 512);
        clamp_to_legal(state);
        const Result<std::string> bytes = archive_of(state);
        if (!bytes) {
            CHECK_THAT(bytes.error(), ContainsSubstring("empty"));
            continue;
        }
        ++num_files;
        INFO(write_link(state));
        const NpzContents contents = npz_of(state);
        std::size_t num_arrays = 0;
        for (int s = 0; s < static_cast<int>(state.inputs.texts.size()); ++s) {
            const Evaluation evaluation = evaluate(state.inputs, s);
            if (evaluation.is_empty()) continue;
            const std::string prefix = state.inputs.texts.size() > 1 ? concat(s + 1, "/") : "";
            for (const TensorId stage : present_stages(state.inputs)) {
                if (stage_info(stage).rows != Axis::token) continue;  // of the whole batch, once
                const NumberArray* array = find(contents, prefix + std::string(tensor_name(stage)));
                INFO(prefix << tensor_name(stage));
                REQUIRE(array != nullptr);
                check_stage(*array, evaluation, stage);
                ++num_arrays;
            }
            const NumberArray* mask = find(contents, prefix + "mask");
            REQUIRE(mask != nullptr);
            for (std::size_t i = 0; i < mask->numbers.size(); ++i) {
                REQUIRE(mask->numbers[i] == elements(evaluation.problem->hidden)[i]);
            }
            ++num_arrays;
        }
        const std::size_t num_learned = (state.inputs.init == Init::none ? 0U : 3U) + (state.inputs.bias ? 3U : 0U) +
                                        (state.inputs.out ? 2U : 0U) + (state.inputs.latent != 0 ? 1U : 0U) +
                                        (state.inputs.query_latent != 0 ? 1U : 0U) +
                                        (state.inputs.rope_dim != 0 ? 2U : 0U) + (state.inputs.qk_norm ? 2U : 0U) +
                                        (state.inputs.sink_logits ? 1U : 0U);
        const std::size_t num_of_goal = has_goal(state.inputs) ? num_learned + 1U : 0U;  // gradients and losses
        CHECK(contents.arrays.size() == num_arrays + num_learned + num_of_goal);
    }
    CHECK(num_files > test::samples(40) / 2);
}

TEST_CASE("an NPY file is one stage of the shown sentence", "[data_files]") {
    const PlaygroundState state = read_link("text=a+b&text=c+d+e&sentence=2&heads=2&dropout=0.5").state;
    const Evaluation evaluation = evaluate(state.inputs, 1);
    for (const TensorId stage : present_stages(state.inputs)) {
        const Result<std::string> bytes = npy_of(state, stage);
        REQUIRE(bytes);
        const Result<NumberArray> array = read_npy(*bytes);
        REQUIRE(array);
        check_stage(*array, evaluation, stage);
    }
    const Result<NumberArray> masked = read_npy(*npy_of(state, TensorId::masked_scores));
    CHECK(masked->shape == std::vector<std::int64_t>{2, 3, 3});
    CHECK(masked->numbers[1] == -INFINITY);
    CHECK(read_npy(*npy_of(state, TensorId::weights))->numbers[1] == 0);
}

TEST_CASE("tables are those of the trace, TSV with tabs", "[data_files]") {
    const PlaygroundState state = read_link("text=a+b&text=c&stage=scores").state;
    const std::string csv = export_trace(state, {}, TensorId::scores, ExportFormat::csv);
    CHECK(*text_of(ExportKind::csv, state, TensorId::scores) == csv);
    const std::string tsv = *text_of(ExportKind::tsv, state, TensorId::scores);
    CHECK(tsv.substr(0, tsv.find('\n')) == "sentence\tstage\thead\trow\tcolumn\tvalue");
    CHECK(tsv.size() == csv.size());
    CHECK(tsv.find(',') == std::string::npos);
    CHECK(*text_of(ExportKind::json, state, TensorId::scores) ==
          export_trace(state, {}, TensorId::scores, ExportFormat::json));
}

// The lectures' six tokens in causal attention after torch.manual_seed(123); each token is to look at the one before
// it.
constexpr std::string_view kTokenBefore =
    "text=Your+journey+starts+with+one+step&embed=typed&pos=none&d_in=3&d_out=2&heads=1&out=0&init=torch.linear&"
    "seed=123&x=.43,.15,.89;.55,.87,.66;.57,.85,.64;.22,.58,.33;.77,.25,.1;.05,.8,.55&"
    "goal=pattern&target=1:0>0,1>0,2>1,3>2,4>3,5>4&rate=1";

TEST_CASE("an archive's gradients and losses are those of PyTorch's autograd", "[data_files][golden]") {
    // Six decimals and seven that PyTorch 1.13 printed for the lectures' layer; its matrices are (d_out, d_in).
    constexpr std::array kQuery = {-0.016304, -0.016096, -0.011363, 0.009452, -0.005154, -0.005005};
    constexpr std::array kKey = {0.000080, -0.006453, -0.010581, 0.010277, -0.004290, -0.005217};
    const NpzContents before = npz_of(read_link(kTokenBefore).state);
    const NpzContents after = npz_of(read_link(concat(kTokenBefore, "&steps=1")).state);
    const auto check = [](const NumberArray* array, const auto& printed) {
        REQUIRE(array != nullptr);
        REQUIRE(array->shape == std::vector<std::int64_t>{3, 2});
        for (std::size_t n = 0; n < printed.size(); ++n) {
            CAPTURE(n);
            CHECK(std::abs(static_cast<double>(array->numbers[n % 3 * 2 + n / 3]) - printed[n]) < 0.6e-6);
        }
    };
    check(find(before, "grad_w_query"), kQuery);
    check(find(before, "grad_w_key"), kKey);
    for (const double number : find(before, "grad_w_value")->numbers) CHECK(number == 0);
    const NumberArray* losses = find(after, "losses");
    REQUIRE(losses != nullptr);
    REQUIRE(losses->numbers.size() == 2);
    CHECK(std::abs(static_cast<double>(losses->numbers[0]) - 1.1055158) < 2e-7);
    CHECK(std::abs(static_cast<double>(losses->numbers[1]) - 1.1044441) < 2e-7);
    // The step, by hand: rate 1.
    for (std::size_t n = 0; n < 6; ++n) {
        const double stepped = find(before, "w_query")->numbers[n] - find(before, "grad_w_query")->numbers[n];
        CHECK(find(after, "w_query")->numbers[n] == static_cast<double>(static_cast<float>(stepped)));
    }
    CHECK(find(npz_of(read_link("text=a+b").state), "losses") == nullptr);
}

TEST_CASE("blank numbers are in no file", "[data_files]") {
    const auto* link =
        GENERATE("text=a+b&check=weights", "text=a+b&hide=stage.weights", "text=a+b&hide=weights[1,1,0]");
    const PlaygroundState state = read_link(link).state;
    INFO(link);
    for (const ExportKind kind : {ExportKind::csv, ExportKind::tsv, ExportKind::json}) {
        const Result<std::string> text = text_of(kind, state, TensorId::weights);
        REQUIRE_FALSE(text);
        CHECK_THAT(text.error(), ContainsSubstring("blank"));
    }
    CHECK_FALSE(npy_of(state, TensorId::weights));
    CHECK(npy_of(state, TensorId::scores));
    const NpzContents contents = npz_of(state);
    CHECK(find(contents, "weights") == nullptr);
    CHECK(find(contents, "scores") != nullptr);
}

TEST_CASE("a part of a stage is what the whole has there", "[data_files]") {
    const ExportKind kind = GENERATE(ExportKind::csv, ExportKind::tsv);
    const PlaygroundState state = read_link("text=One&text=a+b+c+d&sentence=2&heads=2&head=2&window=1,2,0,1").state;
    REQUIRE(state.view.window);
    const Evaluation shown = evaluate(state.inputs, 1);
    const std::string whole = *text_of(kind, state, TensorId::weights);
    const char s = kind == ExportKind::tsv ? '\t' : ',';
    const auto part_of = [&](ExportPart part) {
        Result<PartText> text = PartText::begin(kind, state, shown, TensorId::weights, part);
        REQUIRE(text);
        while (!text->advance(shown)) continue;
        return text->take();
    };
    // The lines of the whole file that begin so, in their order.
    const auto lines_of = [&](const std::vector<std::string>& beginnings) {
        std::string lines;
        for (std::size_t begin = 0; begin < whole.size(); begin = whole.find('\n', begin) + 1) {
            const std::string line = whole.substr(begin, whole.find('\n', begin) + 1 - begin);
            for (const std::string& beginning : beginnings) lines += line.starts_with(beginning) ? line : "";
        }
        return lines;
    };
    const auto place = [&](int head, int row, int column) {
        return concat("2", s, "weights", s, head, s, row, s, column, s);
    };
    CHECK(part_of(ExportPart::head) == lines_of({"sentence", concat("2", s, "weights", s, 2, s)}));
    CHECK(part_of(ExportPart::window) ==
          lines_of({"sentence", place(1, 1, 0), place(1, 1, 1), place(1, 2, 0), place(1, 2, 1), place(2, 1, 0),
                    place(2, 1, 1), place(2, 2, 0), place(2, 2, 1)}));

    const Result<NumberArray> head = read_npy(*write_part_npy(state, shown, TensorId::weights, ExportPart::head));
    REQUIRE(head);
    CHECK(head->shape == std::vector<std::int64_t>{4, 4});
    const Result<NumberArray> window = read_npy(*write_part_npy(state, shown, TensorId::weights, ExportPart::window));
    REQUIRE(window);
    CHECK(window->shape == std::vector<std::int64_t>{2, 2, 2});
    PlaygroundState blank = state;
    blank.view.check = {TensorId::weights};
    CHECK_FALSE(PartText::begin(kind, blank, shown, TensorId::weights, ExportPart::head));
    CHECK_FALSE(write_part_npy(blank, shown, TensorId::weights, ExportPart::head));
}

TEST_CASE("a file that would be too large is known before it is made", "[data_files][bad-input]") {
    std::string words;
    for (int i = 0; i < 2048; ++i) words += "a+";
    const PlaygroundState state = read_link("heads=4&d_out=4&text=" + words).state;
    const Result<std::string> text = text_of(ExportKind::csv, state, TensorId::weights);
    REQUIRE_FALSE(text);
    CHECK_THAT(export_obstacle(ExportKind::csv, state, TensorId::weights), ContainsSubstring("16,777,216 numbers"));
    CHECK_FALSE(export_obstacle(ExportKind::npz, state, TensorId::weights).empty());
    CHECK(export_obstacle(ExportKind::csv, state, TensorId::output).empty());
    const Sizes sizes = sizes_of(state.inputs, 2048);
    CHECK(has_export_part(state, sizes, TensorId::weights, ExportPart::head));
    CHECK_FALSE(has_export_part(state, sizes, TensorId::weights, ExportPart::window));
    CHECK(export_obstacle(ExportKind::npz, read_link("").state, TensorId::weights).empty());
}

TEST_CASE("what cannot be written is refused with a sentence", "[data_files][bad-input]") {
    const PlaygroundState empty = read_link("text=").state;
    CHECK_THAT(archive_of(empty).error(), ContainsSubstring("empty"));
    CHECK_THAT(npy_of(empty, TensorId::scores).error(), ContainsSubstring("empty"));
    CHECK_THAT(text_of(ExportKind::csv, empty, TensorId::scores).error(), ContainsSubstring("empty"));
    const PlaygroundState state = read_link("text=a&out=0").state;
    CHECK_THAT(npy_of(state, TensorId::output).error(), ContainsSubstring("no stage output"));

    // 3,000 words are cut to 2,048 tokens; 4 heads of their scores are twice what a file may hold.
    std::string text;
    for (int i = 0; i < 3000; ++i) text += "a ";
    PlaygroundState large;
    large.inputs.texts = {text};
    large.inputs.d_out = large.inputs.num_heads = 4;
    clamp_to_legal(large);
    CHECK_THAT(text_of(ExportKind::csv, large, TensorId::scores).error(),
               ContainsSubstring("16,777,216") && ContainsSubstring("8,388,608"));
    CHECK_THAT(write_state_npz(large, {}).error(), ContainsSubstring("8,388,608"));
}

}  // namespace
}  // namespace attn
