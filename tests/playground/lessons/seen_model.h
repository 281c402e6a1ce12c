// The view of a whole model, for the claims of lessons that show one.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "core/ground/check.h"
#include "playground/lessons/lesson_claims.h"
#include "playground/models/model_numbers.h"
#include "views/model/shown_model.h"
#include "views/model/vote_column.h"

namespace attn::test {

// What view=model shows of a step, or of it with other keys.
class SeenModel {
public:
    explicit SeenModel(const Seen& step) : text_(model_text(step.state().inputs, 0).value()) {
        const HeadOff head = {.layer = step.state().inputs.layer, .head = step.state().view.head.value_or(0)};
        const int last = text_.input.num_tokens() - 1;
        work_.emplace(text_.run, text_.words, last, head);
        while (!work_->advance(1'000'000)) continue;
    }
    const ModelPicture& picture() const { return work_->picture(); }
    // After the last token.
    double probability(std::string_view word) const {
        return static_cast<double>(picture().probabilities[id_of(word)]);
    }
    std::string most_probable() const { return nth_probable(0); }
    std::string second() const { return nth_probable(1); }
    // Of a large model only `layer`, from 1, has a line for each head.
    VoteColumn column(std::string_view word, int layer = 1) const {
        return vote_column(work_->votes(static_cast<int>(id_of(word))), picture().input.off, layer - 1).value();
    }
    // As printed: to thousandths. Layer and head from 1.
    double vote(std::string_view word, int layer, int head) const {
        for (const VoteLine& line : column(word, layer).lines) {
            if (line.layer == layer - 1 && line.head == head - 1) return static_cast<double>(line.thousandths) / 1000;
        }
        FAIL("no such head votes");
        return 0;
    }
    double vote_of_mlp(std::string_view word, int layer) const {
        for (const VoteLine& line : column(word, layer).lines) {
            if (line.label == concat(layer, " · MLP")) return static_cast<double>(line.thousandths) / 1000;
        }
        FAIL("no such MLP votes");
        return 0;
    }
    // Of a layer that has one line.
    double vote_of_layer(std::string_view word, int layer, int shown_layer) const {
        for (const VoteLine& line : column(word, shown_layer).lines) {
            if (line.label == concat("layer ", layer)) return static_cast<double>(line.thousandths) / 1000;
        }
        FAIL("no such layer votes");
        return 0;
    }
    const HeadPicture& head(int layer, int head) const {
        return picture().layers.at(static_cast<std::size_t>(layer - 1)).heads.at(static_cast<std::size_t>(head - 1));
    }

private:
    std::string nth_probable(int place) const {
        return word_of_token(text_.tokenizer.get(),
                             picture().most_probable(place + 1).at(static_cast<std::size_t>(place)));
    }
    std::size_t id_of(std::string_view word) const {
        return static_cast<std::size_t>(token_of_word(text_.tokenizer.get(), word).value());
    }
    ModelText text_;
    std::optional<ModelPictureWork> work_;
};

}  // namespace attn::test
