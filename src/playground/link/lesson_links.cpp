// The links of the lessons' steps. Steps share most of their links, so the shared parts are kept once.
#include "playground/link/lesson_links.h"

#include <algorithm>
#include <array>

#include "core/ground/check.h"
#include "playground/link/link_text.h"

namespace attn {
namespace {

// A step's link: what it shares with other steps, then its own part. Where the step compares, `other` is the own part
// of the state beside it.
struct StepLink {
    std::span<const std::string_view> shared;
    std::string_view own;
    std::string_view other = {};
};

using SharedParts = std::span<const std::string_view>;

// The links of a lesson as they stand in the page: `words` has the own part and the other part of each step, a line
// each: pointers to so many small texts would take as much room as the texts.
struct LessonParts {
    std::string_view name;
    std::span<const SharedParts> shared;
    std::string_view words;
};

// Joins an array of StepLink.
template <const auto& kSteps>
class LinkPacker {
    static constexpr std::size_t count_words() {
        std::size_t count = 0;
        for (const StepLink& step : kSteps) count += step.own.size() + step.other.size() + 2;
        return count;
    }
    static constexpr auto join_words() {
        std::array<char, count_words()> words = {};
        auto place = words.begin();
        for (const StepLink& step : kSteps) {
            for (const std::string_view line : {step.own, step.other}) {
                place = std::copy(line.begin(), line.end(), place);
                *place++ = '\n';
            }
        }
        return words;
    }
    static constexpr auto list_shared() {
        std::array<SharedParts, std::size(kSteps)> list = {};
        std::transform(std::begin(kSteps), std::end(kSteps), list.begin(),
                       [](const StepLink& step) { return step.shared; });
        return list;
    }
    static constexpr auto kWords = join_words();
    static constexpr auto kShared = list_shared();

public:
    static constexpr LessonParts packed(std::string_view name) {
        return {name, kShared, {kWords.data(), kWords.size()}};
    }
};

// "Your journey starts with one step" with the three numbers a token that the lecture uses, shown without positions.
constexpr std::string_view kJourney =
    "text=Your+journey+starts+with+one+step&embed=typed&pos=none"
    "&x=.43,.15,.89;.55,.87,.66;.57,.85,.64;.22,.58,.33;.77,.25,.1;.05,.8,.55";

constexpr std::string_view kPlain[] = {kJourney, "&d_out=3&heads=1&mask=none&scale=none&init=none&out=0"};
constexpr StepLink kNoWeights[] = {
    {kPlain, "&stage=embeddings"},
    {kPlain, "&view=vectors&plane=principal&cell=1,1,0"},
    {kPlain, "&stage=scores&cell=1,1,0"},
    {kPlain, "&stage=weights&cell=1,1,0&row_stat=sum"},
    {kPlain, "&stage=context&cell=1,1,0&check=context"},
    {kPlain, "&stage=context&cell=1,1,0"},
    {kPlain, "&stage=scores&cell=1,4,0&check=scores"},
};

constexpr std::string_view kRand[] = {kJourney, "&d_out=2&heads=1&mask=none&out=0&init=torch.rand&seed=123"};
constexpr std::string_view kLinear[] = {kJourney, "&d_out=2&heads=1&mask=none&out=0&init=torch.linear&seed=789"};
constexpr std::string_view kRowsLargest[] = {"pos=none&heads=1&mask=none&out=0", "&stage=weights&row_stat=largest"};
constexpr StepLink kTrainable[] = {
    {kRand, "&stage=queries&cell=1,1,0"},
    {kRand, "&stage=keys&cell=1,1,0"},
    {kRand, "&stage=scores&cell=1,1,1"},
    {kRand, "&stage=scores&cell=1,1,5"},
    {kRand, "&stage=weights&cell=1,1,5&row_stat=sum"},
    {kRand, "&view=vectors&cell=1,1,5"},
    {kRand, "&stage=context&cell=1,1,0&check=context"},
    {kRand, "&view=vectors&stage=context&cell=1,1,0"},
    {kRand, "&stage=context&cell=1,1,0"},
    {kLinear, "&stage=context&cell=1,1,0"},
    {kLinear, "&stage=weights&cell=1,1,1&row_stat=largest"},
    {kRowsLargest, "&d_in=768&d_out=64&init=torch.rand"},
    {kRowsLargest, "&d_in=768&d_out=64"},
    {kRand, "&stage=queries&cell=1,5,0&check=queries"},
};

constexpr std::string_view kWide[] = {"d_in=64&d_out=512&", kRowsLargest[0], kRowsLargest[1]};
constexpr StepLink kScaling[] = {
    {{}, "view=dots&pairs_dim=5"},
    {{}, "view=dots&pairs_dim=100"},
    {{}, "view=softmax&gain=1"},
    {{}, "view=softmax&gain=8"},
    {{}, "view=softmax&gain=8&vector=.1,-.2,.3,-.2,.6"},
    {kWide, "&scale=none"},
    {kWide, "&scale=sqrt"},
    {kWide, "&scale=dim"},
    {{kWide, 2}, "&stage=scaled_scores&cell=1,10,1&check=scaled_scores"},
    {{kWide, 2}, "&text=large+scores&scale=none&stage=weights&cell=1,0,0&check=weights"},
};

// As the notebook makes it: SelfAttention_v2 with seed 789.
constexpr std::string_view kOneHead[] = {kJourney, "&d_out=2&heads=1&out=0&init=torch.linear&seed=789"};
constexpr StepLink kCausal[] = {
    {kOneHead, "&stage=weights&row_stat=sum&mask=none&cell=1,1,4"},
    {kOneHead, "&mask=causal&scale=none&stage=masked_scores"},
    {kOneHead, "&stage=weights&row_stat=sum&mask=causal&cell=1,1,0"},
    {kOneHead, "&stage=weights&row_stat=sum&mask=causal&mask_at=raw&cell=1,1,0"},
    {kOneHead, "&stage=weights&row_stat=sum&mask=causal&mask_at=after&cell=1,1,0"},
    {kOneHead, "&mask=causal&stage=weights", "&mask=causal&mask_at=after"},
    {kOneHead, "&mask=causal&stage=weights", "&mask=causal&mask_at=raw"},
    {{kOneHead, 1}, "&d_out=2&heads=1&out=0&stage=weights&cell=1,1,0&check=weights"},
    {kOneHead, "&stage=weights&mask=causal&mask_at=after&cell=1,2,0&check=weights"},
};
constexpr StepLink kDropout[] = {
    {kOneHead, "&mask=causal&row_stat=sum&dropout=0.5&dropout_seed=123&stage=weights"},
    {kOneHead, "&mask=causal&row_stat=sum&dropout=0.5&dropout_seed=123&stage=dropped_weights&cell=1,2,0"},
    {kOneHead, "&mask=causal&row_stat=sum&dropout=0.1&dropout_seed=123&stage=dropped_weights"},
    {kOneHead, "&mask=causal&row_stat=sum&dropout=0.5&dropout_seed=124&stage=dropped_weights"},
    {kOneHead, "&mask=causal&row_stat=sum&stage=weights"},
    {kOneHead, "&mask=causal&dropout=0.2&dropout_seed=123&stage=dropped_weights&cell=1,2,1&check=dropped_weights"},
    {kOneHead, "&mask=causal&dropout=0.75&dropout_seed=123&stage=dropped_weights&cell=1,2,1&check=dropped_weights"},
};

constexpr std::string_view kArtist = "text=The+artist+painted+the+portrait+of+a+woman+with+a+brush";
constexpr std::string_view kSmall = "&d_in=8&d_out=4&mask=none&out=0";
constexpr std::string_view kBrush[] = {kArtist, kSmall};
// Wishes: woman → portrait, artist → brush, brush → artist.
constexpr std::string_view kArtistHasBrush[] = {kArtist, kSmall, "&wish=7>4,1>10,10>1"};
// Wishes: woman → portrait, woman → brush, brush → woman, brush → portrait.
constexpr std::string_view kWomanHasBrush[] = {kArtist, kSmall, "&wish=7>4,7>10,10>7,10>4"};
constexpr StepLink kHeads[] = {
    {kArtistHasBrush, "&heads=1&view=lines&select=1,7,10"},
    {kWomanHasBrush, "&heads=1&view=lines&select=1,7,10"},
    {{}, "heads=1&out=0&view=lines&select=1,7,10&wish=7>4,7>10,10>7,10>4"},
    {kBrush, "&heads=1&stage=embeddings&cell=1,9,0"},
    {kBrush, "&heads=1&stage=weights&cell=1,10,1"},
    {kWomanHasBrush, "&heads=2&view=matrix&stage=weights&cell=1,10,1"},
    {kWomanHasBrush, "&heads=2&view=lines&cell=1,7,10"},
    {kBrush, "&heads=2&view=edit&tensor=w_query&stage=queries"},
    {kBrush, "&heads=2&stage=scores&cell=1,10,1"},
    {kBrush, "&heads=2&stage=merged&cell=1,7,1"},
    {kBrush, "&heads=2&view=cost"},
    {kBrush, "&heads=1&stage=scores&cell=1,10,4&check=scores"},
    {kBrush, "&heads=1&stage=embeddings&cell=1,10,0&check=embeddings"},
};

// Three tokens of six numbers, two heads of three; the matrices as the notes give them.
constexpr std::string_view kInputs = "&x=1,2,3,4,5,6;6,5,4,3,2,1;1,1,1,1,1,1";
constexpr std::string_view kSettings = "&embed=typed&pos=none&d_out=6&heads=2&mask=causal&out=0&init=identity";
constexpr std::string_view kWQuery =
    "&edit=w_query[0,0]=0.6323,-0.2366,1.2455,0.3465,1.2458,0.3229;"
    "0.6571,-0.2378,-0.5311,-0.261,-1.4819,-1.6418;"
    "-0.299,0.4216,0.2114,-0.0271,-0.5682,0.6937;"
    "-1.1291,-1.0102,0.6946,0.1094,0.513,-0.8669;"
    "0.348,0.2593,0.4412,1.0017,-0.3913,-0.2878;"
    "0.2484,0.2846,-0.3386,-0.6164,1.2722,0.5754";
constexpr std::string_view kWKey =
    "&edit=w_key[0,0]=-0.3703,0.5431,-0.0372,-0.4406,0.4103,-0.1773;"
    "1.5993,-0.2777,-1.1989,-0.4301,0.6927,-1.3384;"
    "1.2478,-0.1872,-8.1678,1.4382,1.2927,0.4822;"
    "-0.8984,-0.8983,8.3334,-0.6312,0.1022,-1.0715;"
    "-0.7647,0.1734,0.6305,1.0155,0.8474,0.1454;"
    "-1.5085,-0.4529,0.0997,-0.1084,0.8046,0.3459";
constexpr std::string_view kWValue =
    "&edit=w_value[0,0]=1.6395,1.1234,-0.1001,0.5021,-1.059,0.1412;"
    "-8.4271,0.5681,0.4164,-1.2534,1.3061,0.361;"
    "-0.2824,-0.4314,1.2358,0.1181,-1.2467,0.1893;"
    "1.344,0.1487,-0.6174,0.889,-0.3282,1.4662;"
    "0.1814,-0.4761,-0.0402,0.7326,0.7654,-0.1;"
    "-8.8974,0.6786,8.5682,-0.2443,-8.4883,1.3996";

// What the notes print as queries, keys and values after step 6, heads side by side, to be entered instead of X · W.
constexpr std::string_view kPrintedStep6 =
    "&edit=queries[0,0]=-0.4888,0.2361,2.8463,-0.2184,5.4503,-1.8915;-2.3531,-0.7912,2.0534,-4.3369,3.2125,1.2578;-2."
    "5745,0.2893,1.1454,0.9021,1.5632,0.693"
    "&edit=keys[0,0]=0.4143,-1.4023,-2.7131,3.4907,-2.1993,0.2381;1.1957,1.3712,0.6885,-1.5484,4.2152,2.1248;-0.1226,0."
    "1155,0.4755,-0.0176,0.8339,0.7582"
    "&edit=values[0,0]=-3.6194,2.0935,1.3879,2.1231,-1.2262,-0.2556;1.1106,-0.4063,-0.5588,1.8222,1.8721,0.4929;-1."
    "6594,0.1052,-0.0468,0.8916,-1.4384,-0.5651";

constexpr std::string_view kFromInputs[] = {"text=one+two+three", kSettings, kInputs, kWQuery, kWKey, kWValue};
constexpr std::string_view kFromPrinted[] = {"text=one+two+three", kSettings, kInputs, kPrintedStep6};
constexpr StepLink kSplit[] = {
    {kFromInputs, "&stage=embeddings"},
    {kFromInputs, "&stage=embeddings"},
    {kFromInputs, "&view=edit&tensor=w_query&stage=queries"},
    {kFromInputs, "&stage=queries&cell=1,0,0&check=queries"},
    {kFromInputs, "&view=split&stage=queries&phase=1"},
    {kFromInputs, "&view=split&stage=queries&phase=2"},
    {kFromInputs, "&view=split&stage=queries&phase=3"},
    {kFromInputs, "&stage=scores&cell=1,0,0"},
    {kFromInputs, "&stage=weights&row_stat=sum&cell=1,1,0"},
    {kFromInputs, "&stage=context&cell=1,1,0"},
    {kFromInputs, "&view=split&stage=context&phase=2"},
    {kFromInputs, "&view=split&stage=context&phase=3"},
    {kFromPrinted, "&stage=scores&cell=1,0,0"},
    {kFromPrinted, "&stage=weights&cell=1,1,0"},
    {kFromPrinted, "&stage=context&cell=1,1,0"},
    {kFromInputs, "&stage=scores&cell=2,1,2&check=scores"},
};

constexpr std::string_view kTwice[] = {
    "text=one+two+three&text=one+two+three", kSettings, kInputs, kWQuery, kWKey, kWValue};
constexpr std::string_view kClass[] = {kTwice[0], "&embed=typed&pos=none&d_out=6", kInputs};
constexpr StepLink kBatch[] = {
    {kTwice, "&stage=embeddings&sentence=1"},
    {kTwice, "&stage=weights&sentence=2&cell=1,1,0"},
    {kTwice, "&edit=x[1,0,0]=9&stage=context&sentence=2&cell=1,0,0"},
    {kClass, "&stage=output&cell=1,0,0"},
    {kTwice, "&edit=x[1,0,0]=9&stage=queries&sentence=2&cell=1,0,0&check=queries"},
    {kClass, "&stage=output&sentence=2&cell=1,0,0&check=output"},
};

constexpr std::string_view kTwoHeads[] = {kJourney, "&heads=2&init=torch.linear&seed=123"};
constexpr StepLink kStacked[] = {
    {kTwoHeads, "&d_out=4&out=0&stage=context"},
    {kTwoHeads, "&d_out=4&out=0&view=stacked&stage=merged"},
    {kTwoHeads, "&d_out=2&out=1&stage=output&cell=1,1,0&check=output"},
    {kTwoHeads, "&d_out=2&out=1&stage=output&cell=1,1,0"},
    {kTwoHeads, "&d_out=4&out=0&stage=queries&cell=2,1,0&check=queries"},
};

constexpr std::string_view kLarge[] = {kArtist};
constexpr StepLink kCost[] = {
    {kBrush, "&heads=1&view=cost"},
    {kBrush, "&heads=2&view=cost"},
    {kBrush, "&heads=2&tokens=chars&view=cost"},
    {kLarge, "&d_in=768&d_out=768&heads=12&view=cost"},
    {kBrush, "&heads=1&stage=scores&cell=1,1,10&check=scores"},
    {kBrush, "&heads=2&stage=scores&cell=1,1,10&check=scores"},
};

constexpr StepLink kSums[] = {
    {kFromInputs, "&stage=embeddings"},
    {kFromInputs, "&stage=queries&cell=1,2,0&check=queries"},
    {kFromInputs, "&stage=scores&cell=1,2,0&check=scores"},
    {kFromInputs, "&stage=weights&row_stat=sum"},
    {kFromInputs, "&stage=queries&cell=1,2,0"},
};

constexpr StepLink kShares[] = {
    {kBrush, "&heads=2&stage=scores&cell=1,10,7"}, {kBrush, "&heads=1&stage=scores&cell=1,10,7&check=scores"},
    {kBrush, "&heads=2&stage=scores&cell=1,8,9"},  {kBrush, "&heads=1&stage=scores&cell=1,8,9&check=scores"},
    {kBrush, "&heads=2&stage=weights&cell=1,8,9"},
};

constexpr std::string_view kReordered[] = {
    "text=With+a+brush+the+artist+painted+the+portrait+of+a+woman&heads=1&out=0"};
constexpr StepLink kOneRow[] = {
    {{}, "heads=1&out=0&view=lines&select=1,7,10&wish=7>4,1>10,10>1,7>10,10>7,10>4"},
    {{}, "heads=1&out=0&view=lines&select=1,7,10&wish=7>4,10>1,10>7,10>4"},
    {kReordered, "&view=lines&select=2,4,10&wish=10>7,4>2,2>4,10>2,2>10,2>7"},
    {kReordered, "&view=lines&select=2,4,10&wish=10>7,4>2,10>2"},
    {kReordered, "&stage=weights&cell=1,0,0&check=weights"},
    {kReordered, "&stage=weights&cell=1,1,0&check=weights"},
};

constexpr std::string_view kSpeech[] = {"text=The+government+should+regulate+free+speech"};
constexpr std::string_view kTwoSentences[] = {kSpeech[0], "&", kArtist};
constexpr StepLink kSentences[] = {
    {kSpeech, "&mask=none&out=0&view=lines&cell=1,3,4&wish=3>4,3>5"},
    {kTwoSentences, "&mask=none&out=0&stage=weights&sentence=2"},
    {kSpeech, "&mask=none&out=0&stage=scores&cell=2,3,4&check=scores"},
    {kSpeech, "&out=0&stage=weights&cell=1,1,0&check=weights"},
    {{}, "text=Type+your+own+sentence+above&stage=weights"},
};

constexpr LessonParts kLessons[] = {
    LinkPacker<kNoWeights>::packed("no-weights"), LinkPacker<kTrainable>::packed("trainable"),
    LinkPacker<kScaling>::packed("scaling"),      LinkPacker<kCausal>::packed("causal"),
    LinkPacker<kDropout>::packed("dropout"),      LinkPacker<kHeads>::packed("heads"),
    LinkPacker<kSplit>::packed("split"),          LinkPacker<kBatch>::packed("batch"),
    LinkPacker<kStacked>::packed("stacked"),      LinkPacker<kCost>::packed("cost"),
    LinkPacker<kSums>::packed("linear"),          LinkPacker<kShares>::packed("shares"),
    LinkPacker<kOneRow>::packed("one-row"),       LinkPacker<kSentences>::packed("sentences"),
};

std::string link_of(const StepLink& step) {
    std::string shared;
    for (const std::string_view part : step.shared) shared += part;
    std::string link = shared;
    link += step.own;
    if (!step.other.empty()) {
        shared += step.other;
        link += concat("&view=compare&compare=", encode_form(shared));
    }
    return link;
}

std::vector<LessonLinks> make_links() {
    std::vector<LessonLinks> all;
    for (const LessonParts& parts : kLessons) {
        LessonLinks& lesson = all.emplace_back();
        lesson.name = parts.name;
        std::string_view rest = parts.words;
        for (const SharedParts& shared : parts.shared) {
            const std::string_view own = take_until(rest, '\n');
            lesson.links.push_back(link_of({.shared = shared, .own = own, .other = take_until(rest, '\n')}));
        }
    }
    return all;
}

const LessonLinks* find_links(std::string_view name) {
    const std::span<const LessonLinks> all = lesson_links();
    const auto place =
        std::find_if(all.begin(), all.end(), [&](const LessonLinks& lesson) { return lesson.name == name; });
    return place == all.end() ? nullptr : &*place;
}

}  // namespace

std::span<const LessonLinks> lesson_links() {
    static const std::vector<LessonLinks> table = make_links();
    return table;
}

void leave_lesson(View& view) {
    view.lesson.clear();
    view.step = 0;
}

Notes clamp_lesson(View& view) {
    Notes notes;
    const LessonLinks* lesson = view.lesson.empty() ? nullptr : find_links(view.lesson);
    if (lesson == nullptr) {
        if (!view.lesson.empty()) notes.push_back(concat("no lesson is called ", quoted(view.lesson)));
        leave_lesson(view);
        return notes;
    }
    const int num_steps = static_cast<int>(lesson->links.size());
    if (view.step >= 0 && view.step < num_steps) return notes;
    view.step = std::clamp(view.step, 0, num_steps - 1);
    notes.push_back(concat("step set to ", view.step + 1, ": the lesson has ", counted(num_steps, "step")));
    return notes;
}

}  // namespace attn
