// A CacheRun that gets too little work for two passes stops after each, so its newest rows can be printed.
#include "playground/cache/cache_print.h"

#include <utility>
#include <vector>

#include "core/ground/check.h"
#include "core/words/code_points.h"
#include "playground/cache/cache_run.h"
#include "playground/link/state_url.h"
#include "playground/text/json_writer.h"

namespace attn {
namespace {

CacheSplit to_the_end(const PlaygroundState& state, const Evaluation& evaluation) {
    CacheSplit split = cache_split(state.view, evaluation.num_tokens());
    split.at = evaluation.num_tokens() - split.prompt;
    return split;
}

// Calls after_pass with the run after each pass. Returns the finished run.
template <class AfterPass>
CacheRun run_with(const Evaluation& evaluation, const CacheSplit& split, const AfterPass& after_pass) {
    constexpr std::int64_t kOnePass = 1;
    CacheRun run(evaluation, split);
    for (bool is_done = false; !is_done;) {
        is_done = run.advance(evaluation, kOnePass);
        after_pass(std::as_const(run));
    }
    return run;
}

void write_count(JsonWriter& json, std::string_view name, const CacheCount& count) {
    json.key(name);
    json.begin_object();
    json.member("formula", count.formula());
    json.key("count");
    json.integer(count.count);
    json.end_object();
}

void write_pass(JsonWriter& json, const AttentionProblem& problem, const CachedAttention& cached) {
    const int newest = cached.num_tokens() - 1;
    json.begin_object();
    json.key("tokens");
    json.begin_row();
    for (int token = cached.num_tokens() - cached.num_new(); token <= newest; ++token) json.integer(token);
    json.end_row();
    json.key("kept_rows");
    json.integer(cached.num_tokens() - cached.num_new());
    json.key("weights");
    json.begin_array();
    for (int head = 0; head < problem.settings.num_heads; ++head) {
        json.begin_row();
        for (const float weight : cached.row(problem, TensorId::weights, head, newest)) json.number(weight);
        json.end_row();
    }
    json.end_array();
    json.end_object();
}

}  // namespace

std::string cache_as_json(const PlaygroundState& state, const Evaluation& evaluation, const Notes& notes) {
    const CacheSplit split = to_the_end(state, evaluation);
    std::string text;
    JsonWriter json(text);
    json.begin_object();
    json.member("link", write_link(state));
    json.key("notes");
    json.begin_array();
    for (const std::string& note : notes) json.text(note);
    for (const std::string& note : evaluation.notes) json.text(note);
    json.end_array();
    json.key("tokens");
    json.begin_row();
    for (const Token& token : evaluation.tokens.tokens) json.text(token.text);
    json.end_row();
    json.key("prompt");
    json.integer(split.prompt);
    json.key("passes");
    json.begin_array();
    const CacheRun run = run_with(
        evaluation, split, [&](const CacheRun& passed) { write_pass(json, *evaluation.problem, passed.cached()); });
    json.end_array();
    json.key("counts");
    json.begin_array();
    for (const CacheCounts& counts : cache_counts(state.inputs, evaluation.sizes, split)) {
        json.begin_object();
        json.member("name", counts.name);
        write_count(json, "cached", counts.cached);
        write_count(json, "without", counts.again);
        json.end_object();
    }
    json.end_array();
    json.member("digest_cached", digest_text(run.digest_cached()));
    json.member("digest_without", digest_text(run.digest_whole()));
    json.flag("is_same", run.is_same());
    json.member("verdict", cache_verdict(run, evaluation));
    json.end_object();
    text += '\n';
    return text;
}

std::string cache_as_text(const PlaygroundState& state, const Evaluation& evaluation, const Notes& notes) {
    const CacheSplit split = to_the_end(state, evaluation);
    std::string text;
    const auto line = [&](const auto&... parts) { text += concat(parts..., '\n'); };
    for (const std::string& note : notes) line("note: ", note);
    for (const std::string& note : evaluation.notes) line("note: ", note);
    int pass = 0;
    const CacheRun run = run_with(evaluation, split, [&](const CacheRun& passed) {
        const CachedAttention& cached = passed.cached();
        const int num_kept = cached.num_tokens() - cached.num_new();
        line(pass == 0 ? std::string("prompt") : concat("step ", pass), ": ",
             quoted(evaluation.tokens.tokens[static_cast<std::size_t>(cached.num_tokens() - 1)].text),
             pass == 0 ? " is its last token, " : " is computed, ", counted(cached.num_new(), "new row"), ", ",
             counted(num_kept, "row"), " in the cache");
        ++pass;
    });
    line();
    for (const CacheCounts& counts : cache_counts(state.inputs, evaluation.sizes, split)) {
        line(counts.name);
        line("  with a cache  ", counts.cached.formula());
        line("  without       ", counts.again.formula());
    }
    line();
    line(cache_verdict(run, evaluation));
    return text;
}

}  // namespace attn
