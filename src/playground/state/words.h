// The words that links, controls and exports use for the choices of the state: one table for each choice.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "core/ground/check.h"
#include "playground/state/state.h"

namespace attn {

template <class Choice>
struct Word {
    std::string_view word;
    Choice choice;
};

inline constexpr std::array<Word<TokenKind>, 2> kTokenWords = {
    {{"words", TokenKind::words}, {"chars", TokenKind::chars}}};
inline constexpr std::array<Word<EmbeddingKind>, 4> kEmbeddingWords = {{{"hash", EmbeddingKind::hash},
                                                                        {"ngrams", EmbeddingKind::ngrams},
                                                                        {"torch", EmbeddingKind::torch},
                                                                        {"typed", EmbeddingKind::typed}}};
inline constexpr auto kPositionWords = std::to_array<Word<Positions>>({
    {"none", Positions::none},
    {"sin", Positions::sin},
#ifndef ATTN_FORWARD_ONLY
    {"rope", Positions::rope},
    {"alibi", Positions::alibi},
    {"learned", Positions::learned},
#endif
});
inline constexpr std::array<Word<RotaryPairs>, 2> kRotaryPairWords = {
    {{"halves", RotaryPairs::halves}, {"neighbours", RotaryPairs::neighbours}}};
inline constexpr std::array<Word<Mask>, 2> kMaskWords = {{{"causal", Mask::causal}, {"none", Mask::none}}};
inline constexpr std::array<Word<Scale>, 3> kScaleWords = {
    {{"sqrt", Scale::sqrt}, {"none", Scale::none}, {"dim", Scale::dim}}};
inline constexpr std::array<Word<Init>, 5> kInitWords = {{{"torch.rand", Init::torch_rand},
                                                          {"torch.linear", Init::torch_linear},
                                                          {"torch.randn", Init::torch_randn},
                                                          {"identity", Init::identity},
                                                          {"none", Init::none}}};
inline constexpr std::array<Word<KvFrom>, 2> kKvFromWords = {{{"drawn", KvFrom::drawn}, {"mean", KvFrom::mean}}};
inline constexpr std::array<Word<MaskAt>, 3> kMaskAtWords = {
    {{"before", MaskAt::before}, {"after", MaskAt::after}, {"raw", MaskAt::after_raw}}};
inline constexpr std::array<Word<GoalKind>, 3> kGoalWords = {
    {{"none", GoalKind::none}, {"pattern", GoalKind::pattern}, {"next", GoalKind::next}}};
inline constexpr std::array<Word<OptimizerKind>, 4> kOptimizerWords = {{{"sgd", OptimizerKind::sgd},
                                                                        {"momentum", OptimizerKind::momentum},
                                                                        {"adam", OptimizerKind::adam},
                                                                        {"adamw", OptimizerKind::adamw}}};
inline constexpr auto kViewWords = std::to_array<Word<ViewKind>>({
#define ATTN_VIEW_WORD(name, ...) {#name, ViewKind::name},
    ATTN_VIEWS(ATTN_VIEW_WORD)
#undef ATTN_VIEW_WORD
});
inline constexpr std::array<Word<Combine>, 3> kCombineWords = {
    {{"none", Combine::none}, {"mean", Combine::mean}, {"max", Combine::max}}};
inline constexpr std::array<Word<RowStat>, 4> kRowStatWords = {
    {{"none", RowStat::none}, {"sum", RowStat::sum}, {"entropy", RowStat::entropy}, {"largest", RowStat::largest}}};
inline constexpr std::array<Word<CacheElement>, 4> kCacheElementWords = {{{"f32", CacheElement::f32},
                                                                          {"bf16", CacheElement::bf16},
                                                                          {"int8", CacheElement::int8},
                                                                          {"int4", CacheElement::int4}}};
inline constexpr std::array<Word<LayerMap>, 3> kLayerMapWords = {
    {{"head", LayerMap::head}, {"mean", LayerMap::mean}, {"rollout", LayerMap::rollout}}};
inline constexpr std::array<Word<OffBy>, 2> kOffByWords = {{{"zero", OffBy::zero}, {"mean", OffBy::mean}}};
inline constexpr std::array<Word<Theme>, 3> kThemeWords = {
    {{"auto", Theme::automatic}, {"light", Theme::light}, {"dark", Theme::dark}}};

template <class Choice, std::size_t N>
std::string_view word_of(const std::array<Word<Choice>, N>& words, Choice choice) {
    for (const Word<Choice>& entry : words) {
        if (entry.choice == choice) return entry.word;
    }
    ATTN_CHECK(false, "choice ", static_cast<int>(choice), " has no word");
}

template <class Choice, std::size_t N>
std::optional<Choice> choice_of(const std::array<Word<Choice>, N>& words, std::string_view word) {
    for (const Word<Choice>& entry : words) {
        if (entry.word == word) return entry.choice;
    }
    return std::nullopt;
}

template <class Choice, std::size_t N>
std::vector<std::string_view> words_in(const std::array<Word<Choice>, N>& words) {
    std::vector<std::string_view> list;
    for (const Word<Choice>& entry : words) list.push_back(entry.word);
    return list;
}

}  // namespace attn
