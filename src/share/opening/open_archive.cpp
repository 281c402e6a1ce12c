// First the names alone, then the numbers of those that are used.
#include "share/opening/open_archive.h"

#include <algorithm>
#include <cstddef>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/attention/stages.h"
#include "core/ground/check.h"
#include "core/words/code_points.h"
#include "playground/link/legal.h"
#include "playground/state/origin.h"
#include "playground/state/view_table.h"
#include "playground/text/notes.h"
#include "share/opening/file_memory.h"
#include "share/opening/import_tensor.h"
#include "share/opening/module_arrays.h"

namespace attn {
namespace {

constexpr std::size_t kMostModules = 12;  // to choose from; the blocks of a small model

Result<FileOffer> refuse_archive(std::string sentence) {
    return Result<FileOffer>::failure(std::move(sentence));
}

// "2/grad_scores", "grad_w_query", "losses": what an archive of a state with a goal holds beside its numbers.
bool is_of_training(std::string_view name) {
    const std::string_view last = name.substr(name.rfind('/') + 1);
    return last.starts_with("grad_") || last == "losses";
}

// What follows from other numbers: "2/scores", "weights", and queries beside the matrices that make them.
bool is_of_stage(std::string_view name) {
    return stage_of_name(name.substr(name.rfind('/') + 1)).has_value();
}

// A module's matrices take the place of a trained model's, which has sizes of its own.
PlaygroundState without_model(PlaygroundState state) {
    make_random(state.inputs);
    leave_place(state.view);
    const ViewKind view = state.view.view;
    if (view == ViewKind::door || view_info(view).is_of_model()) state.view.view = ViewKind::matrix;
    clamp_to_legal(state);
    return state;
}

// Heads of their own are as many as the file has, and as wide as their matrices together.
PlaygroundState with_heads(PlaygroundState state, int num_heads) {
    Inputs& inputs = state.inputs;
    inputs.num_heads = num_heads;
    inputs.num_kv_heads = 0;
    inputs.d_out = std::max(inputs.d_out / num_heads, 1) * num_heads;
    clamp_to_legal(state);
    return state;
}

// The arrays of `names`, which are of one module or of none.
Result<FileOffer> open_names(std::string_view file_name, const std::vector<std::string>& names,
                             const std::vector<std::string>& files, const PlaygroundState& state, OfferMemory& memory,
                             const ReadArchive& read) {
    std::vector<bool> usable = usable_arrays(names);
    if (names.size() == 1) usable[0] = true;  // whatever its name: there is no other
    std::set<std::string_view> wanted;
    NameList left_out, of_training, unknown;
    for (std::size_t i = 0; i < names.size(); ++i) {
        const std::string& name = names[i];
        if (usable[i])
            wanted.insert(name);
        else
            (is_of_training(name)                        ? of_training
             : is_of_stage(name) || is_buffer_name(name) ? left_out
                                                         : unknown)
                .add(quoted(name));
    }
    for (const std::string& name : files) left_out.add(quoted(name));
    const auto is_wanted = [&](std::string_view name) { return wanted.contains(name); };
    const auto why_not = [&](std::string_view, const NpyHeader& header) {
        memory.add(header.shape);
        return why_no_room(header.num_numbers * header.size + memory.bytes());
    };
    Result<NpzContents> contents = read(is_wanted, why_not);
    if (!contents) return refuse_archive(contents.error());
    if (!contents->arrays.empty() && !unknown.empty()) {
        return refuse_archive(concat(
            quoted(file_name), " also holds ", unknown.text(),
            ", and no such name says what its numbers are. An archive is taken whole, so that random numbers never "
            "pass for its own: leave out what is not meant, or use names like x, w_query, w_key, w_value, w_out and "
            "mask."));
    }
    if (contents->arrays.empty()) {
        if (unknown.empty()) return refuse_archive("The archive holds only numbers that follow from others.");
        return refuse_archive(concat("No name in the archive says what the numbers are: ", unknown.text(),
                                     ". Names like x, w_query, w_key, w_value, w_out and mask do; or save one array as "
                                     "NPY."));
    }
    Notes notes;
    if (!left_out.empty())
        notes.push_back(concat("left out, because they follow from the rest or are no arrays: ", left_out.text()));
    if (!of_training.empty()) notes.push_back("gradients and losses left out: they are computed anew");
    const Result<int> num_heads = join_heads(contents->arrays);
    if (!num_heads) return refuse_archive(num_heads.error());
    const bool has_other_heads = *num_heads > 0 && *num_heads != state.inputs.num_heads;
    const PlaygroundState fitting = has_other_heads ? with_heads(state, *num_heads) : state;
    const Result<std::vector<NamedArray>> arrays = cut_stacked(std::move(contents->arrays));
    if (!arrays) return refuse_archive(arrays.error());
    if (arrays->size() == 1) return offer_array(arrays->front().name, arrays->front().array, fitting, notes);
    Result<FileOffer> offer = offer_arrays(file_name, *arrays, fitting, notes);
    if (!offer || !has_other_heads) return offer;
    offer->question += concat(" They are those of ", counted(*num_heads, "head"), "; here ",
                              state.inputs.num_heads == 1 ? "is " : "are ", state.inputs.num_heads, ".");
    for (FileChoice& choice : offer->choices) choice.label += concat(", heads become ", *num_heads);
    offer->is_certain = false;
    return offer;
}

// One choice a module.
Result<FileOffer> offer_modules(std::string_view file_name, const std::vector<std::string>& names,
                                const std::vector<std::string_view>& modules, const PlaygroundState& state,
                                const ReadArchive& read) {
    FileOffer all;
    std::string first_problem;
    OfferMemory memory(state);
    for (const std::string_view module : std::span(modules).first(std::min(modules.size(), kMostModules))) {
        std::vector<std::string> own;
        std::ranges::copy_if(names, std::back_inserter(own),
                             [&](const std::string& name) { return belongs_to(name, module); });
        Result<FileOffer> offer = open_names(file_name, own, {}, state, memory, read);
        if (!offer && first_problem.empty())
            first_problem = module.empty() ? offer.error() : concat(module, ": ", offer.error());
        if (!offer) continue;
        for (FileChoice& choice : offer->choices) {
            choice.label = modules.size() == 1 ? choice.label
                                               : concat(module.empty() ? "the outermost" : module, ": ", choice.label);
            all.choices.push_back(std::move(choice));
        }
        if (modules.size() == 1) all.question = std::move(offer->question);
    }
    if (all.choices.empty()) return refuse_archive(std::move(first_problem));
    NameList others;
    for (const std::string& name : names) {
        const auto is_its = [&](std::string_view module) { return belongs_to(name, module); };
        if (std::ranges::none_of(modules, is_its)) others.add(quoted(name));
    }
    if (modules.size() > 1)
        all.question =
            concat(quoted(file_name), " holds ", modules.size(), " attention modules; the playground shows one.");
    if (all.choices.size() < modules.size()) all.question += concat(" ", all.choices.size(), " of them can be shown.");
    if (!others.empty()) all.question += concat(" What else is in the file has no place here: ", others.text(), ".");
    return all;
}

}  // namespace

Result<FileOffer> open_archive(std::string_view file_name, const PlaygroundState& state, const ReadArchive& read) {
    const Result<NpzContents> listed = read([](std::string_view) { return false; }, {});
    if (!listed) return refuse_archive(listed.error());
    const std::vector<std::string>& names = listed->others;
    const std::vector<std::string_view> modules = attention_modules(names);
    const bool leaves = !modules.empty() && !state.inputs.model.empty();
    const PlaygroundState before = leaves ? without_model(state) : state;
    const auto is_of_one = [&](const std::string& name) { return belongs_to(name, modules.front()); };
    const bool is_chosen = modules.size() > 1 || (modules.size() == 1 && !std::ranges::all_of(names, is_of_one));
    OfferMemory memory(before);
    Result<FileOffer> offer = is_chosen ? offer_modules(file_name, names, modules, before, read)
                                        : open_names(file_name, names, listed->files, before, memory, read);
    if (!offer || !leaves) return offer;
    for (FileChoice& choice : offer->choices)
        choice.notes.insert(choice.notes.begin(),
                            concat("the matrices are the file's, no longer those of ", quoted(state.inputs.model)));
    return offer;
}

}  // namespace attn
