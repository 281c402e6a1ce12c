// The next word, said: which token is drawn, and the sentence that has it at its end.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/layers/sampling.h"
#include "model/words/model_tokenizer.h"

namespace attn {

// What decides a draw. A notebook that seeds once and draws token after token has drawn `num_drawn` before.
struct NextDraw {
    Sampling sampling;
    std::uint64_t seed = 0;
    int num_drawn = 0;

    bool operator==(const NextDraw& other) const {
        return sampling.temperature == other.sampling.temperature && sampling.top_k == other.sampling.top_k &&
               sampling.top_p == other.sampling.top_p && seed == other.seed && num_drawn == other.num_drawn;
    }
};

// The token: torch.multinomial draws as many random numbers as there are tokens, each time.
int drawn_token(std::span<const float> logits, const NextDraw& draw);

// The sentence with that token after its own, `ids`. Empty where written so it would be cut into other tokens.
std::string sentence_with_token(const ModelTokenizer& tokenizer, std::string_view sentence, const std::vector<int>& ids,
                                int token);

}  // namespace attn
