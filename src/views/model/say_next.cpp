// A generator that is moved on to its draw, and a tokenizer that has to agree.
#include "views/model/say_next.h"

#include <algorithm>

#include "core/ground/check.h"

namespace attn {

int drawn_token(std::span<const float> logits, const NextDraw& draw) {
    TorchGenerator generator(draw.seed);
    if (draw.sampling.temperature > 0)
        generator.skip64(static_cast<std::uint64_t>(draw.num_drawn) * static_cast<std::uint64_t>(logits.size()));
    return next_token(logits, draw.sampling, generator);
}

std::string sentence_with_token(const ModelTokenizer& tokenizer, std::string_view sentence, const std::vector<int>& ids,
                                int token) {
    const std::string written = tokenizer.written_text_of(token);
    std::string_view trimmed = written;
    while (trimmed.starts_with(' ')) trimmed.remove_prefix(1);
    for (const std::string& longer : {concat(sentence, written), concat(sentence, " ", trimmed)}) {
        std::vector<ModelToken> cut = tokenizer.encode(longer).tokens;
        std::erase_if(cut, [](const ModelToken& one) { return one.id < 0; });  // words it does not know are left out
        const auto is_same = [](int id, const ModelToken& one) { return one.id == id; };
        if (cut.size() == ids.size() + 1 && cut.back().id == token &&
            std::equal(ids.begin(), ids.end(), cut.begin(), is_same))
            return longer;
    }
    return {};
}

}  // namespace attn
