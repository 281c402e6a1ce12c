#include "playground/random_states.h"

#include "playground/link/hiding.h"
#include "playground/state/state_edits.h"
#include "playground/state/words.h"

namespace attn::test {

const std::array<std::string, 16> kWeirdTexts = {"",
                                                 "The cat",
                                                 " spaces  around ",
                                                 "a&b=c#d?e+f%20%zz;100%",
                                                 "quotes \" ' ` < > \\ ^ { | } ~ [ ]",
                                                 "line\nbreak\tand tab\r\n",
                                                 "العربية تكتب من اليمين",
                                                 "注意力机制 カタカナ ひらがな",
                                                 "👩‍👩‍👧‍👦 🇩🇪 👍🏽",
                                                 "e\xCC\x81 combining",
                                                 std::string("nul \0 inside", 12),
                                                 "\xFF\xFE broken \xC3",
                                                 "\xEF\xBB\xBF with a mark",
                                                 "v=1&text=another+link",
                                                 "https://host.example/page?x=1#text=deep",
                                                 "x"};

PlaygroundState random_state(Dice& dice) {
    constexpr std::array kWidths = {1, 2, 3, 4, 6, 8, 12, 16, 1024, 1025, 0, -7, 1000000000};
    constexpr std::array kNumbers = {0.0, -0.0, 1.0, 0.5, 1e-9, 1e9, -3.0, 0.1 + 0.2, 0.999, 1.0};
    PlaygroundState state;
    Inputs& inputs = state.inputs;
    View& view = state.view;
    inputs.texts.resize(static_cast<std::size_t>(dice.below(4)));
    for (std::string& text : inputs.texts) text = dice.coin() ? dice.one_of(kWeirdTexts) : dice.bytes(dice.below(30));
    inputs.tokens = dice.one_of(kTokenWords).choice;
    inputs.embed = dice.one_of(kEmbeddingWords).choice;
    inputs.embed_seed = dice.bits() >> dice.below(64);
    inputs.typed.resize(static_cast<std::size_t>(dice.below(3)));
    for (TypedRows& rows : inputs.typed) {
        rows.resize(static_cast<std::size_t>(dice.below(4)));
        for (std::vector<float>& row : rows) {
            for (int n = dice.below(4); n > 0; --n) row.push_back(dice.any_float());
        }
    }
    inputs.positions = dice.one_of(kPositionWords).choice;
    inputs.rope_pairs = dice.one_of(kRotaryPairWords).choice;
    inputs.rope_base = dice.coin() ? 10000 : dice.one_of(kNumbers);
    inputs.pos_shift = dice.coin() ? 0 : dice.one_of(kWidths) - 5;
    inputs.d_in = dice.one_of(kWidths);
    inputs.d_out = dice.one_of(kWidths);
    inputs.num_heads = dice.one_of(kWidths);
    inputs.num_kv_heads = dice.coin() ? 0 : dice.one_of(kWidths);
    inputs.kv_from = dice.one_of(kKvFromWords).choice;
    inputs.latent = dice.coin() ? 0 : dice.one_of(kWidths);
    inputs.query_latent = dice.coin() ? 0 : dice.one_of(kWidths);
    // From a seed, so that all else stays as it is.
    inputs.rope_dim = inputs.embed_seed % 2 == 0 ? 0 : kWidths[inputs.embed_seed / 2 % kWidths.size()];
    inputs.mask = dice.one_of(kMaskWords).choice;
    inputs.mask_window = dice.coin() ? 0 : dice.one_of(kWidths);
    inputs.mask_sinks = dice.coin() ? 0 : dice.one_of(kWidths);
    inputs.mask_at = dice.one_of(kMaskAtWords).choice;
    inputs.scale = dice.one_of(kScaleWords).choice;
    inputs.temperature = dice.one_of(kNumbers);
    inputs.dropout = dice.one_of(kNumbers);
    inputs.dropout_seed = dice.bits() >> dice.below(64);
    inputs.init = dice.one_of(kInitWords).choice;
    inputs.seed = dice.bits() >> dice.below(64);
    inputs.bias = dice.coin();
    inputs.sink_logits = inputs.seed % 2 != 0;  // without a throw of its own: the other fields stay as they were
    inputs.score_cap = inputs.seed % 3 == 0 ? kNumbers[inputs.seed / 3 % std::size(kNumbers)] : 0;  // nor this
    inputs.logit_cap = inputs.seed % 4 == 0 ? kNumbers[inputs.seed / 4 % std::size(kNumbers)] : 0;
    inputs.qk_norm = inputs.seed % 5 < 2;
    inputs.out = dice.coin();
    for (int n = dice.below(12); n > 0; --n) {
        const auto tensors = editable_tensors();
        const TensorId tensor = tensors[static_cast<std::size_t>(dice.below(static_cast<int>(tensors.size())))];
        inputs.edits.push_back(
            {.tensor = tensor,
             .sentence = is_of_sentence(tensor) ? dice.below(3) : dice.below(8) / 7,
             .row = is_bias(tensor) ? 0 : dice.below(4) - dice.below(8) / 7,
             .column = dice.below(9) == 0 ? 5000 : dice.below(4),
             .value = tensor == TensorId::mask ? static_cast<float>(dice.below(2)) : dice.any_float()});
    }
    if (dice.below(4) == 0) inputs.model = dice.coin() ? "none-such" : dice.one_of(kWeirdTexts);
    inputs.layer = dice.coin() ? 0 : dice.one_of(kWidths);
    while (dice.below(4) == 0) inputs.off.push_back({.layer = dice.below(3), .head = dice.below(4) - 1});
    inputs.off_by = dice.one_of(kOffByWords).choice;
    inputs.goal = dice.one_of(kGoalWords).choice;
    while (dice.coin()) {
        inputs.targets.push_back({.sentence = dice.below(8) / 7,
                                  .head = dice.below(4) - 1,
                                  .query = dice.below(6) - 1,
                                  .key = dice.below(6) - 1,
                                  .share = dice.one_of(kNumbers)});
    }
    inputs.steps = dice.below(5) - 1;
    inputs.optimizer = dice.one_of(kOptimizerWords).choice;
    inputs.rate = dice.one_of(kNumbers);
    while (dice.below(4) == 0) inputs.train.insert(static_cast<TensorId>(dice.below(24)));
    view.view = dice.one_of(kViewWords).choice;
    view.stage = static_cast<TensorId>(dice.below(17));
    view.sentence = dice.below(6) - 1;
    if (dice.coin()) view.head = dice.one_of(kWidths) - 1;
    if (dice.coin())
        view.cell = Cell{.head = dice.below(5) - 1, .row = dice.below(20) - 1, .column = dice.below(20) - 1};
    if (dice.coin()) {
        view.window = CellWindow{.first_row = dice.below(20) - 1,
                                 .last_row = dice.below(20) - 1,
                                 .first_column = dice.below(20) - 1,
                                 .last_column = dice.one_of(kWidths)};
    }
    while (dice.coin()) view.select.insert(dice.below(6) - 1);
    view.combine = dice.one_of(kCombineWords).choice;
    view.row_stat = dice.one_of(kRowStatWords).choice;
    view.plane = {.is_principal = dice.coin(), .x = dice.below(9) - 1, .y = dice.below(9) - 1};
    view.tensor = editable_tensors()[static_cast<std::size_t>(dice.below(static_cast<int>(editable_tensors().size())))];
    view.phase = dice.below(5) - 1;
    view.pairs = dice.one_of(kWidths);
    view.pairs_seed = dice.bits() >> dice.below(64);
    view.pairs_dim = dice.one_of(kWidths);
    if (dice.coin()) view.vector.clear();
    while (dice.coin()) view.vector.push_back(dice.any_float());
    view.gain = dice.one_of(kNumbers);
    view.prompt = dice.one_of(kWidths);
    view.at = dice.below(12) - 1;
    view.length = dice.one_of(kWidths);
    view.element = dice.one_of(kCacheElementWords).choice;
    view.card = dice.one_of(kNumbers);
    while (dice.coin()) view.check.insert(static_cast<TensorId>(dice.below(12)));
    view.asks_counts = dice.coin();
    if (dice.coin()) view.score = Score{.right = dice.below(9) - 1, .asked = dice.below(9) - 1, .hints = dice.below(3)};
    for (const std::string& name : hideable_names()) {
        if (dice.below(20) == 0) view.hide.insert(name);
    }
    while (dice.below(4) == 0) {
        view.hide.insert("weights[" + std::to_string(dice.below(4)) + ", *," + std::to_string(dice.below(9)) + "]");
    }
    if (dice.below(6) == 0) view.hide.insert(dice.bytes(5));
    while (dice.below(4) == 0) view.lock.insert(dice.coin() ? "heads" : "seed");
    if (dice.below(6) == 0) view.lock.insert(dice.coin() ? "all" : dice.bytes(5));
    view.map = dice.one_of(kLayerMapWords).choice;
    if (dice.coin()) view.word = dice.one_of(kWeirdTexts);
    for (std::uint64_t rest = inputs.seed; rest % 5 < 2 && rest > 0; rest /= 5)  // likewise
        inputs.patches.push_back({.of = static_cast<PatchOf>(rest % 4),
                                  .layer = static_cast<int>(rest / 5 % 4) - 1,
                                  .head = static_cast<int>(rest / 7 % 4) - 1,
                                  .row = static_cast<int>(rest / 9 % 6) - 2});
    if (inputs.seed % 11 < 3) view.against = view.word;
    if (inputs.seed % 7 < 3) view.lens = static_cast<int>(inputs.seed / 7 % 600) - 3;  // without a throw of its own
    view.next_temperature = dice.one_of(kNumbers);
    view.top_k = dice.one_of(kWidths);
    view.top_p = dice.one_of(kNumbers);
    view.next_seed = dice.bits() >> dice.below(64);
    view.said = dice.below(5) - 1;
    view.theme = dice.one_of(kThemeWords).choice;
    if (dice.below(6) == 0) view.lang = "tlh";
    return state;
}

}  // namespace attn::test
