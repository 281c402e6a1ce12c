// The words that links, controls and exports use for the choices of the state: one table for each choice.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "core/check.h"
#include "playground/state.h"

namespace attn {

template <class Choice>
struct Word {
    std::string_view word;
    Choice choice;
};

inline constexpr std::array kTokenWords = {Word{"words", TokenKind::words}, Word{"chars", TokenKind::chars}};
inline constexpr std::array kEmbeddingWords = {Word{"hash", EmbeddingKind::hash}, Word{"ngrams", EmbeddingKind::ngrams},
                                               Word{"torch", EmbeddingKind::torch},
                                               Word{"typed", EmbeddingKind::typed}};
inline constexpr std::array kPositionWords = {Word{"none", Positions::none}, Word{"sin", Positions::sin}};
inline constexpr std::array kMaskWords = {Word{"causal", Mask::causal}, Word{"none", Mask::none}};
inline constexpr std::array kScaleWords = {Word{"sqrt", Scale::sqrt}, Word{"none", Scale::none},
                                           Word{"dim", Scale::dim}};
inline constexpr std::array kInitWords = {
    Word{"torch.rand", Init::torch_rand}, Word{"torch.linear", Init::torch_linear},
    Word{"torch.randn", Init::torch_randn}, Word{"identity", Init::identity}, Word{"none", Init::none}};
inline constexpr std::array kViewWords = {Word{"matrix", ViewKind::matrix}, Word{"numbers", ViewKind::numbers}};
inline constexpr std::array kThemeWords = {Word{"auto", Theme::automatic}, Word{"light", Theme::light},
                                           Word{"dark", Theme::dark}};

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
