// A model as the playground shows it: the same numbers as those of model_run.h, whatever layer is asked for.
#include "playground/models/loaded_model.h"

#include <algorithm>
#include <catch_amalgamated.hpp>
#include <limits>

#include "core/explain/stage_numbers.h"
#include "core/ground/check.h"
#include "model/layers/model_stages.h"
#include "playground/link/legal.h"
#include "playground/link/state_url.h"
#include "playground/models/model_numbers.h"
#include "playground/models/small_model.h"
#include "playground/numbers/changes.h"
#include "playground/numbers/memory_needs.h"
#include "playground/visit/session.h"

using namespace attn;
using namespace attn::test;

namespace {

constexpr std::string_view kModelText = "The artist painted a portrait.";

LayerTrace layer_of(const LoadedModel& model, const ModelInput& input, int layer) {
    ModelRun run(model.model(), input);
    run.advance(std::numeric_limits<std::int64_t>::max());
    LayerWork work = run.layer_work(layer);
    std::int64_t enough = std::numeric_limits<std::int64_t>::max();
    work.advance(enough);
    return std::move(work.trace());
}

PlaygroundState state_of_link(const std::string& link) {
    return read_link(link).state;
}

std::string text_link(std::string_view rest) {
    return concat("v=1&text=The+artist+painted+a+portrait.&model=small", rest);
}

}  // namespace

TEST_CASE("a layer of a model is evaluated with the numbers that the model itself computes", "[model][reference]") {
    const auto checkpoint =
        GENERATE(random_gpt2(), random_gpt_neo(), random_bert(), random_llama("llama"), random_llama("qwen3"));
    const ModelIsOpen model(small_model("small", checkpoint));
    for (const int layer : {1, 2}) {
        const PlaygroundState state = state_of_link(text_link(concat("&layer=", layer, "&off=1:2")));
        INFO(model->shape().kind << ", layer " << layer);
        REQUIRE(state.inputs.num_heads == model->shape().num_heads);
        const Evaluation evaluation = evaluate(state.inputs, 0);
        const ModelInput input = {.ids = model->ids_of(kModelText), .off = {{.layer = 0, .head = 1}}};
        const LayerTrace expected = layer_of(*model, input, layer - 1);
        CHECK(evaluation.problem->embeddings == expected.problem.embeddings);
        CHECK(evaluation.trace.context == expected.attention.context);
        CHECK(stage_matrix(*evaluation.problem, evaluation.trace, TensorId::weights, 2) ==
              stage_matrix(expected.problem, expected.attention, TensorId::weights, 2));
        if (state.inputs.out) CHECK(evaluation.trace.output == expected.attention.output);
    }
}

TEST_CASE("what stands around a layer's attention is there for who looks at it, and explained", "[model][reference]") {
    const auto [name, checkpoint] = GENERATE(from_range(all_checkpoints()));
    const ModelIsOpen model(small_model("small", checkpoint));
    INFO(name);
    const bool norms_outputs = model->model().config.norms_outputs();
    // Where a head is off, what the attention adds is no longer `output`.
    const PlaygroundState whole = state_of_link(text_link("&layer=2&off=1:2"));
    const PlaygroundState off = state_of_link(text_link("&layer=2&off=1:2,2:1"));
    CHECK(is_present(off.inputs, TensorId::attention_added));
    CHECK(is_present(whole.inputs, TensorId::attention_added) == (!whole.inputs.out || norms_outputs));
    for (const PlaygroundState& state : {whole, off}) {
        const ModelInput input = model->input_of(state.inputs, 0);
        LayerTrace expected = layer_of(*model, input, 1);  // the last one
        ModelRun run(model->model(), input);
        run.advance(std::numeric_limits<std::int64_t>::max());
        expected.final_stream = run.final_stream();
        if (model->model().weights.head_dense.is_there())
            expected.logit_input = logit_input(model->model(), expected.final_stream);
        CachedEvaluation cached;
        cached.begin(state.inputs, 0, 0);
        while (!cached.advance(1000)) continue;
        const Evaluation& evaluation = cached.evaluation();
        CHECK(!is_ready(evaluation.trace, TensorId::middle, 0));
        const int version = cached.version();
        cached.begin(state.inputs, 0, 0, true);
        CHECK(!evaluation.is_complete());
        while (!cached.advance(1000)) continue;
        CHECK(cached.version() == version);  // what was there stays as it is
        int num_stages = 0;
        double farthest = 0;
        for (const TensorId stage : present_stages(state.inputs)) {
            if (!is_block_stage(stage)) continue;
            CAPTURE(tensor_name(stage));
            ++num_stages;
            const Matrix numbers = stage_matrix(*evaluation.problem, evaluation.trace, stage, 0);
            CHECK(numbers == *layer_matrix(expected, stage));
            CHECK(extent_of(evaluation.sizes, stage) ==
                  Extent{.rows = length(numbers, 0), .columns = length(numbers, 1)});
            for (int column = 0; column < length(numbers, 1); ++column) {
                const Explanation explanation = explain(evaluation, stage, 0, 3, column);
                const auto shown = static_cast<double>(explanation.shown);
                REQUIRE(explanation.shown == numbers(3, column));
                farthest = std::max(farthest, std::abs(explanation.steps.back().value - shown));
            }
        }
        CHECK(num_stages >= (model->model().config.mlp_width == 0 ? 4 : 8));
        Inputs below = state.inputs;
        below.layer = 0;
        CHECK(is_present(state.inputs, TensorId::final_stream));
        CHECK(!is_present(below, TensorId::final_stream));
        // Sums of 48 products near 1 in float, as in explain_model_test.
        CHECK(farthest < 2e-5);
        CHECK(explain(evaluation, TensorId::embeddings, 0, 1, 2).steps.size() >= 1);
        CHECK(explain(evaluation, TensorId::scores, 0, 1, 1).steps.empty());  // the core's own
    }
}

TEST_CASE("what an edit changed is counted in the stages that are computed", "[model][edits]") {
    const ModelIsOpen model(small_model("small", random_gpt2()));
    for (const char* stage : {"weights", "middle"}) {
        const PlaygroundState state = state_of_link(text_link(concat("&layer=2&edit=1.w_value[0,3]=9&stage=", stage)));
        Evaluator evaluator;
        evaluator.update(state);
        ChangeCounts counts;
        for (const TensorId present : present_stages(state.inputs)) {
            const bool is_there = !is_block_stage(present) || is_block_stage(state.view.stage);
            CHECK((counts.of(evaluator, present).num_cells > 0) == is_there);
        }
        CHECK(counts.of(evaluator, TensorId::embeddings).num_changed > 0);
    }
}

TEST_CASE("a link to a stage that no model has made says why it is not there", "[model][badinput]") {
    const ModelIsOpen model(small_model("small", random_gpt2()));
    const auto note_of = [](const std::string& link) { return read_link(link).notes.at(0); };
    CHECK(note_of("stage=middle") ==
          "the stage shown is weights instead of middle: it belongs to the layers of a model");
    CHECK(note_of(text_link("&stage=mlp_gate")) ==
          "the stage shown is weights instead of mlp_gate: there is no MLP with a gate");
    CHECK(note_of(text_link("&stage=attention_added")) ==
          "the stage shown is weights instead of attention_added: it is output where no head is off");
    CHECK(read_link(text_link("&stage=mlp_hidden")).notes.empty());
    CHECK(write_link(state_of_link(text_link("&stage=mlp_hidden"))).find("stage=mlp_hidden") != std::string::npos);
}

TEST_CASE("an edit of one layer moves the layers above it, and is in the laboratory of its own", "[model][edits]") {
    const auto checkpoint = GENERATE(random_gpt2(), random_bert(), random_llama("qwen3"));
    const ModelIsOpen model(small_model("small", checkpoint));
    INFO(model->shape().kind);
    const auto evaluated = [&](std::string_view more) { return evaluate(state_of_link(text_link(more)).inputs, 0); };
    // Rows of w_query are used by every token; a typed query stands for itself, also where queries are turned.
    for (const char* edits : {"&edit=1.w_query[2,1]=3", "&edit=1.queries[2,1]=3"}) {
        INFO(edits);
        const Evaluation first = evaluated(concat("&layer=1", edits)), plain = evaluated("&layer=1");
        CHECK(first.problem->embeddings == plain.problem->embeddings);
        CHECK(first.trace.context != plain.trace.context);
        CHECK(evaluated(concat("&layer=2", edits)).problem->embeddings != evaluated("&layer=2").problem->embeddings);
        const ModelInput input = {
            .ids = model->ids_of(kModelText),
            .edits = layer_edits(state_of_link(text_link(concat("&layer=1", edits))).inputs.edits, 0)};
        CHECK(first.trace.context == layer_of(*model, input, 0).attention.context);
    }
    CHECK(evaluated("&layer=1&edit=2.w_query[2,1]=3").trace.context == evaluated("&layer=1").trace.context);
    CHECK(evaluated("&layer=1&edit=1.queries[2,1]=3").trace.query(0, 2, 1) == 3);
}

TEST_CASE("the texts of a visit share a layer's matrices, until an edit changes one", "[model][edits]") {
    const ModelIsOpen model(small_model("small", random_gpt2()));
    const auto projections_of = [](const std::string& link) {
        return evaluate(state_of_link(link).inputs, 0).problem->projections;
    };
    const Shared<Projections> first = projections_of(text_link("&layer=2"));
    const Shared<Projections> longer =
        projections_of("v=1&text=The+artist+painted+a+portrait.+Twice&model=small&layer=2");
    CHECK(first->w_query.data() == longer->w_query.data());
    const Shared<Projections> other_layer_edited = projections_of(text_link("&layer=2&edit=1.w_query%5B0,0%5D=7"));
    CHECK(first->w_query.data() == other_layer_edited->w_query.data());

    const Shared<Projections> edited = projections_of(text_link("&layer=2&edit=w_query%5B0,0%5D=7"));
    CHECK(edited->w_query(0, 0) == 7);
    CHECK(edited->w_key == first->w_key);
    CHECK(first->w_query(0, 0) != 7);
    const Shared<Projections> again = projections_of(text_link("&layer=2"));
    CHECK(again->w_query == first->w_query);
    const Shared<Projections> other_layer = projections_of(text_link("&layer=1"));
    CHECK(other_layer->w_query != first->w_query);
}

TEST_CASE("the memory of a model's other layers is asked for, too", "[model][memory]") {
    const auto checkpoint = GENERATE(random_gpt2(), random_bert(), random_llama("llama"));
    const ModelIsOpen model(small_model("small", checkpoint));
    const ModelConfig& config = model->model().config;
    const auto bytes_of = [](auto... sizes) { return static_cast<std::int64_t>(4 * (sizes + ...)); };
    for (const std::string rest : {"&layer=2", "&layer=2&edit=1.w_query%5B0,0%5D=7"}) {
        const PlaygroundState state = state_of_link(text_link(rest));
        const ModelInput input = model->input_of(state.inputs, 0);
        ModelRun run(model->model(), input);
        run.advance(std::numeric_limits<std::int64_t>::max());
        std::int64_t used = 0;
        for (int layer = 0; layer <= config.num_layers; ++layer) used += bytes_of(run.stream(layer).size());
        if (input.edits.empty())
            used += config.num_layers * bytes_of(2 * static_cast<std::size_t>(input.num_tokens()) *
                                                 static_cast<std::size_t>(config.kv_width()));
        const LayerTrace trace = layer_of(*model, input, 0);
        used += bytes_of(trace.before.size(), trace.merged.size(), trace.attention_added.size(), trace.middle.size(),
                         trace.mlp_input.size(), trace.mlp_gate.size(), trace.mlp_sums.size(), trace.mlp_hidden.size(),
                         trace.mlp_added.size(), trace.after.size());
        Evaluator evaluator;  // what stands around the shown layer's attention
        evaluator.update(state_of_link(text_link(rest + "&stage=before")));
        for (const StageInfo& info : stage_table())
            if (const Matrix* matrix = block_matrix(*evaluator.shown().trace.block, info.id))
                used += bytes_of(matrix->size());
        // The heads' rows, and the keys and values that become the layer's.
        used += input.num_tokens() * bytes_of(2 * config.attention_width(), 2 * config.kv_width());
        INFO(model->shape().kind << rest);
        const std::int64_t asked = model->bytes_of_layers(state.inputs, input.num_tokens());
        CHECK(asked >= used);
        CHECK(asked < 3 * used);  // what is over: tables of an edited layer, the logits of a row
        Inputs drawn = state.inputs;
        drawn.model.clear();
        CHECK(bytes_needed(state.inputs, input.num_tokens()) - bytes_needed(drawn, input.num_tokens()) == asked);
    }
}

TEST_CASE("a bias that a model has not is not in use, and moves nothing", "[model][edits]") {
    const ModelIsOpen model(small_model("small", random_llama("llama")));
    REQUIRE_FALSE(model->shape().has_bias);
    const PlaygroundState state = state_of_link(text_link("&layer=2&edit=1.b_query[0]=3"));
    const Evaluation evaluation = evaluate(state.inputs, 0);
    CHECK(evaluation.notes == Notes{"1 edit not in use: b_query[0] lies outside the present shapes"});
    CHECK(evaluation.problem->embeddings ==
          evaluate(state_of_link(text_link("&layer=2")).inputs, 0).problem->embeddings);
}

TEST_CASE("edits of a model are written with their layer, and belong to the shown one without", "[model][edits]") {
    const ModelIsOpen model(small_model());
    const ReadLink read = read_link("v=1&model=small&layer=2&text=the+hat&edit=w_query[0,1]=2&edit=1.b_out[3]=-1");
    CHECK(read.notes.empty());
    CHECK(write_link(read.state).find("edit=1.b_out[3]=-1&edit=2.w_query[0,1]=2") != std::string::npos);
    CHECK(read_link(write_link(read.state)).state == read.state);
    const ReadLink beyond = read_link("v=1&model=small&text=the+hat&edit=3.w_query[0,1]=2");
    CHECK(beyond.state.inputs.edits.empty());
    CHECK(beyond.notes == Notes{"1 edit left out: the model \"small\" has 2 layers"});
    CHECK(read_link("v=1&edit=2.w_query[0,1]=2").notes ==
          Notes{"edits of other layers left out: without a model there is one layer"});
    // Outside the shapes of this text: told in a note, wherever the layer is.
    const Evaluation outside =
        evaluate(read_link("v=1&model=small&layer=2&text=the+hat&edit=1.x[40,0]=1&edit=2.mask[0,0]=1").state.inputs, 0);
    REQUIRE(outside.notes.size() == 2);
    CHECK(outside.notes[0] == "1 edit not in use: x[40,0] lies outside the present shapes");
    CHECK(outside.notes[1].starts_with("the mask hid every key from token 0"));
}

TEST_CASE("slices and the way to a layer change no bit of it", "[model][property]") {
    const ModelIsOpen model(small_model());
    const Inputs second = state_of_link(text_link("&layer=2")).inputs;
    const Evaluation at_once = evaluate(second, 0);
    CachedEvaluation slices;
    slices.begin(state_of_link(text_link("")).inputs, 0, 0);
    while (!slices.advance(50)) continue;
    slices.begin(second, 0, 1);
    while (!slices.advance(50)) continue;
    CHECK(slices.evaluation().trace.output == at_once.trace.output);
    CHECK(slices.evaluation().problem->embeddings == at_once.problem->embeddings);
}

TEST_CASE("an open model decides what it fixes and leaves the rest", "[model][keys]") {
    const ModelIsOpen model(small_model());
    const ReadLink read = read_link("v=1&model=small&layer=2&d_out=6&temperature=2&text=the+hat&head=3&stage=scores");
    const Inputs& inputs = read.state.inputs;
    CHECK(inputs.d_in == 12);
    CHECK(inputs.d_out == 12);
    CHECK(inputs.num_heads == 3);
    CHECK(inputs.temperature == 1);
    CHECK(inputs.bias);
    CHECK(read.state.view.head == 2);
    CHECK(read.notes == Notes{"d_out, temperature: the model \"small\" decides"});
    CHECK(read_link(write_link(read.state)).state == read.state);
    PlaygroundState random = read.state;
    random.inputs.model.clear();
    CHECK(clamp_to_legal(random) == Notes{"layer set to 1: without a model there is one layer"});
    CHECK(random.inputs.num_heads == 3);
}

TEST_CASE("layers and heads that a model does not have are moved or left out, with a note", "[model][bad-input]") {
    const ModelIsOpen model(small_model());
    const ReadLink read = read_link("v=1&model=small&layer=7&off=2:3,1:*,1:2,3:1,x,2:9");
    CHECK(read.state.inputs.layer == 1);
    CHECK(read.state.inputs.off == std::vector<HeadOff>{{0, kEveryHead}, {1, 2}});
    CHECK(read.notes == Notes{"off: \"x\" left out; 2:3 is the third head of the second layer, 2:* are all heads of it",
                              "layer set to 2: the model \"small\" has 2 layers",
                              "off: 2:9, 3:1 left out, the model \"small\" has 2 layers of 3 heads"});
    CHECK(write_link(read.state).find("off=1:*,2:3") != std::string::npos);
}

TEST_CASE("a link whose model is not open says so and loses nothing", "[model][keys]") {
    const std::string link = "v=1&text=the+hat&model=gone&layer=4&off=2:1&off_by=mean";
    const ReadLink read = read_link(link);
    CHECK(write_link(read.state) == link);
    CHECK(read.notes.empty());
    const Evaluation evaluation = evaluate(read.state.inputs, 0);
    CHECK(evaluation.num_tokens() == 2);
    REQUIRE(evaluation.notes.size() == 1);
    CHECK(evaluation.notes[0].starts_with("the model \"gone\" is not open here"));
}

TEST_CASE("without a model its keys are moved back, with a note", "[model][bad-input]") {
    const ReadLink read = read_link("v=1&layer=2&off=1:1");
    CHECK(read.state == PlaygroundState());
    CHECK(read.notes.size() == 2);
    CHECK(read_link(concat("v=1&model=", std::string(65, 'm'))).state == PlaygroundState());
}

TEST_CASE("words that a model does not know are named, and its tokens are the sentence's", "[model][words]") {
    const ModelIsOpen model(small_model());
    const PlaygroundState state = state_of_link("v=1&model=small&text=The+dog+has+paints");
    const Evaluation evaluation = evaluate(state.inputs, 0);
    CHECK(texts_of(evaluation.tokens) == std::vector<std::string>{"The", "dog", "has", "paint", "s"});
    CHECK(evaluation.notes == Notes{"the model \"small\" does not know \"dog\" and reads \"?\" instead"});
    CHECK(evaluation.tokens.tokens[3].begin == 12);
    const auto text = model_text(state.inputs, 0);
    REQUIRE(text);
    CHECK(text->input.ids == std::vector<int>{1, 0, 14, 15, 16});
    CHECK(text->words.size() == 5);
}

TEST_CASE("characters that no token has are named, each once", "[model][words]") {
    const std::shared_ptr<const OpenModel> model = find_open_model(kOwnWords.name);
    REQUIRE(model);
    CHECK(model->notes_on("A zebra in a phone box.").empty());
    CHECK(model->notes_on("🙂") ==
          Notes{"\"🙂\" reaches the model \"own-words\" as single bytes: no token of it has this character"});
    CHECK(model->notes_on("日本 日 🙂") ==
          Notes{"\"日\", \"本\", \"🙂\" reach the model \"own-words\" as single bytes: "
                "no token of it has these characters"});
    CHECK(model->notes_on("caf\xC3").empty());  // a byte by itself is no character
    CHECK(model->tokenize("").tokens.size() == 1);
}

TEST_CASE("a sentence of more tokens than a model has positions is cut, with a note", "[model][bad-input]") {
    const ModelIsOpen model(small_model());
    const Evaluation evaluation = evaluate(state_of_link("v=1&model=small&text=a+a+a+a+a+a+a+a+a+a+a").inputs, 0);
    CHECK(evaluation.num_tokens() == 9);
    CHECK(evaluation.notes == Notes{"the first 9 of 11 tokens are used"});
}

TEST_CASE("explanations of a model's numbers add up", "[model][explain]") {
    const ModelIsOpen model(small_model());
    const Evaluation evaluation = evaluate(state_of_link(text_link("&layer=2")).inputs, 0);
    for (const TensorId stage : {TensorId::embeddings, TensorId::queries, TensorId::scores, TensorId::weights,
                                 TensorId::context, TensorId::output}) {
        const Explanation why = explain(*evaluation.problem, evaluation.trace, evaluation.parts, stage, 0, 3, 1);
        // Sums of at most 36 floats of order 1: their rounding.
        CHECK(std::abs(why.result() - static_cast<double>(why.shown)) < 1e-5);
    }
}

TEST_CASE("a visit whose model is opened later has what the model decides, and nothing to undo", "[model][session]") {
    Session session;
    session.open_link(text_link("&layer=2&head=3"));
    session.settle(1);
    session.look_at_models();
    const int drawn_heads = session.state().inputs.num_heads;
    const ModelIsOpen model(small_model("small"));
    REQUIRE(drawn_heads != model->shape().num_heads);

    session.look_at_models();
    CHECK(session.state().inputs == state_of_link(text_link("&layer=2")).inputs);
    session.open_link(text_link("&layer=2&head=3"));  // the page does so, as drawn matrices had no such head
    CHECK(session.state() == state_of_link(text_link("&layer=2&head=3")));
    session.settle(2);
    session.settle(3);
    CHECK_FALSE(session.can_undo());
    CHECK_FALSE(session.take_step(4));

    session.state().inputs.layer = 0;
    session.settle(5);
    session.settle(6);
    REQUIRE(session.undo());
    CHECK(session.state().inputs == state_of_link(text_link("&layer=2")).inputs);
    CHECK_FALSE(session.can_undo());
}

TEST_CASE("a visitor's own choice of a model that is opened later is one step", "[model][session]") {
    Session session;
    session.open_link("v=1&text=The+artist+painted+a+portrait.");
    session.settle(1);
    session.state().inputs.model = "small";
    session.settle(2);
    REQUIRE(session.take_step(3));
    session.settle(3);
    const ModelIsOpen model(small_model("small"));
    session.look_at_models();
    session.settle(4);
    session.settle(5);
    CHECK(session.state().inputs.num_heads == model->shape().num_heads);
    REQUIRE(session.undo());
    CHECK(session.state().inputs == state_of_link("v=1&text=The+artist+painted+a+portrait.").inputs);
}

TEST_CASE("a model of the widest vectors is shown as wide as it is, a wider one is refused", "[model][wide]") {
    const auto wide = [](int heads, int head_dim) {
        Checkpoint made = random_llama("llama");
        const auto set = [&](std::string_view key, int value) {
            const std::size_t at = made.config.find(key) + key.size();
            made.config.replace(at, made.config.find_first_of(",}", at) - at, concat(value));
        };
        set("\"num_attention_heads\":", heads);
        set("\"head_dim\":", head_dim);
        for (auto& [name, shape] : made.shapes) {
            if (name.ends_with("q_proj.weight")) shape.front() = heads * head_dim;
            if (name.ends_with("k_proj.weight") || name.ends_with("v_proj.weight")) shape.front() = 2 * head_dim;
            if (name.ends_with("o_proj.weight")) shape.back() = heads * head_dim;
        }
        return made;
    };
    const ModelIsOpen model(small_model("small", wide(1024, 8)));
    const PlaygroundState state = state_of_link(text_link(""));
    CHECK(state.inputs.d_out == 8192);
    const Evaluation evaluation = evaluate(state.inputs, 0);
    CHECK(length(evaluation.trace.merged, 1) == 8192);

    Result<ModelOpening> opening = ModelOpening::begin(small_model_files(wide(1024, 10)));
    INFO(opening.error());
    REQUIRE(opening);
    while (!opening->is_done()) REQUIRE(opening->advance(1 << 20).empty());
    const auto refused = opening->take("wide");
    REQUIRE_FALSE(refused);
    CHECK(refused.error().find("vectors have 10,240 numbers; the playground shows at most 8,192") != std::string::npos);
}

TEST_CASE("what waits for a model's bytes ends, and goes on once they are there", "[model][store]") {
    constexpr ModelRoom kLittleRoom = {.most_bytes = 1, .part_bytes = 512, .tell_wanted = [] {}};
    Result<ModelOpening> opening = ModelOpening::begin(small_model_files(random_gpt2()), kLittleRoom);
    REQUIRE(opening);
    while (!opening->is_done()) REQUIRE(opening->advance(1000).empty());
    const auto made = opening->take("small");
    REQUIRE(made);
    const std::shared_ptr<const LoadedModel> parts = *made;
    const auto bring = [&] {
        while (parts->store()->wants_bytes()) {
            const TensorSlice slice = parts->store()->next(1000);
            REQUIRE(parts->store()->read(slice).empty());
            parts->store()->slice_is_there(slice);
        }
    };
    Evaluation expected;
    const std::string link = text_link("&layer=2");
    {
        const ModelIsOpen whole(small_model("small"));
        expected = evaluate(state_of_link(link).inputs, 0);
    }
    const ModelIsOpen model(parts);
    const PlaygroundState state = state_of_link(link);
    CHECK_FALSE(waits_for_models());
    const Evaluation first = evaluate(state.inputs, 0);
    CHECK(first.is_empty());
    CHECK(first.notes.back() == "a part of the model is still being read from its file: ask again in a moment");
    CHECK(waits_for_models());

    Evaluator evaluator;
    evaluator.begin(state);
    int num_waits = 0;
    while (!evaluator.advance(100'000)) {
        if (waits_for_models()) bring();
        REQUIRE(++num_waits < 10'000);
    }
    CHECK_FALSE(waits_for_models());
    CHECK(evaluator.shown().trace.context == expected.trace.context);
    const Notes notes = model->notes_on("artist");
    CHECK(std::ranges::any_of(notes, [](const std::string& note) {
        return note.find("are read from the file when they are needed") != std::string::npos;
    }));
}
