// Documents, tokens, beginnings of sentences.
#include "model/learn/training_texts.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "core/ground/check.h"
#include "model/files/sha256.h"
#include "model/words/model_tokenizer.h"

namespace attn {
namespace {

constexpr std::string_view kDocumentEnd = "\n\f\n";

// Whether a sentence begins with the blank at `at`: behind it no small letter, before it a full stop, a question or
// exclamation mark, and perhaps quotes.
bool begins_sentence(std::string_view document, std::size_t at) {
    if (document[at] != ' ' || at + 1 >= document.size()) return false;
    if (document[at + 1] >= 'a' && document[at + 1] <= 'z') return false;
    const std::size_t last = document.substr(0, at).find_last_not_of("\"'");
    return last != std::string_view::npos && std::string_view(".?!").find(document[last]) != std::string_view::npos;
}

TokenRow row_of_documents(const ModelTokenizer& tokenizer, int beginning, std::string_view text) {
    TokenRow row;
    while (!text.empty()) {
        const std::size_t end = text.find(kDocumentEnd);
        const std::string_view document = text.substr(0, end);
        text = end == std::string_view::npos ? std::string_view() : text.substr(end + kDocumentEnd.size());
        row.num_bytes += static_cast<std::int64_t>(document.size());
        const std::vector<ModelToken> tokens = tokenizer.encode(document, false).tokens;
        for (std::size_t i = 0; i < tokens.size(); ++i) {
            if (i == 0 || begins_sentence(document, tokens[i].begin)) row.sentences.push_back(row.ids.size());
            row.ids.push_back(tokens[i].id);
        }
        row.ids.push_back(beginning);
    }
    return row;
}

}  // namespace

Result<TrainingTexts> TrainingTexts::read(const KnownTexts& known, const TextFiles& files, int vocabulary,
                                          int num_tokens) {
    const auto refuse = [](std::string sentence) { return Result<TrainingTexts>::failure(std::move(sentence)); };
    for (const auto& [name, own, wanted] : {std::tuple{"texts to read", &files.read, &known.read},
                                            {"texts held out", &files.held_out, &known.held_out},
                                            {"tokenizer", &files.tokenizer, &known.tokenizer}}) {
        const std::string digest = sha256_of(*own);
        if (digest != *wanted)
            return refuse(concat("The recipe is for other ", name, ": their SHA-256 is ", digest, ", the recipe's ",
                                 *wanted, "."));
    }
    Result<ModelTokenizer> tokenizer = ModelTokenizer::read({.tokenizer_json = files.tokenizer});
    if (!tokenizer) return refuse(tokenizer.error());
    if (tokenizer->size() != vocabulary)
        return refuse(concat("The tokenizer has ", tokenizer->size(), " tokens, the recipe's model ", vocabulary, "."));
    const ModelTokens frame = tokenizer->encode("");
    if (frame.tokens.size() != 1 || frame.tokens.front().id != vocabulary - 1)
        return refuse(
            "The tokenizer does not put its last token, and no other, before each text; attn tokenizer --begin yes "
            "makes one that does.");
    TrainingTexts texts(std::move(*tokenizer));
    texts.beginning_ = frame.tokens.front().id;
    texts.row_ = row_of_documents(texts.tokenizer_, texts.beginning_, files.read);
    texts.held_out_ = row_of_documents(texts.tokenizer_, texts.beginning_, files.held_out);
    for (const auto& [name, row] : {std::pair{"to read", &texts.row_}, {"held out", &texts.held_out_}}) {
        const auto room = static_cast<std::size_t>(num_tokens);
        if (row->ids.size() < room || row->sentences.empty() || row->sentences.front() + room > row->ids.size())
            return refuse(concat("The texts ", name, " have ", row->ids.size(), " tokens, fewer than a text of ",
                                 num_tokens, " takes."));
    }
    return texts;
}

TextBatch TrainingTexts::draw(TorchGenerator& generator, int num_texts, int num_tokens) const {
    const auto room = static_cast<std::size_t>(num_tokens);
    // Sentences that have as many tokens behind their beginning: all but some at the end.
    const auto last = std::upper_bound(row_.sentences.begin(), row_.sentences.end(), row_.ids.size() - room);
    const auto count = static_cast<std::uint32_t>(last - row_.sentences.begin());
    TextBatch batch{.num_texts = num_texts, .num_tokens = num_tokens, .ids = {}};
    for (int text = 0; text < num_texts; ++text) {
        const std::size_t at = row_.sentences[generator.draw32() % count];
        batch.ids.push_back(beginning_);
        const auto first = row_.ids.begin() + static_cast<std::ptrdiff_t>(at);
        batch.ids.insert(batch.ids.end(), first, first + num_tokens);
    }
    return batch;
}

std::vector<std::vector<int>> TrainingTexts::held_out_texts(int num_texts, int num_tokens) const {
    const auto room = static_cast<std::size_t>(num_tokens) - 1;
    const std::size_t last = held_out_.ids.size() - room;
    const auto end = std::upper_bound(held_out_.sentences.begin(), held_out_.sentences.end(), last);
    const auto count = static_cast<std::size_t>(end - held_out_.sentences.begin());
    std::vector<std::vector<int>> texts;
    for (std::size_t k = 0; k < static_cast<std::size_t>(num_texts); ++k) {
        const std::size_t sentence = held_out_.sentences[k * count / static_cast<std::size_t>(num_texts)];
        const auto from = held_out_.ids.begin() + static_cast<std::ptrdiff_t>(sentence);
        std::vector<int> text = {beginning_};
        text.insert(text.end(), from, from + static_cast<std::ptrdiff_t>(room));
        texts.push_back(std::move(text));
    }
    return texts;
}

std::optional<int> TrainingTexts::token_of_word(std::string_view word) const {
    const bool is_mark = std::string_view(".,;:?!").find(word) != std::string_view::npos;
    return tokenizer_.find(is_mark ? std::string(word) : concat("\u0120", word));
}

HeldOutLoss TrainingTexts::held_out_loss(BatchParts& parts, std::span<const float> numbers, int num_tokens,
                                         int most_texts) const {
    struct Piece {
        std::size_t begin = 0, counted_from = 0, end = 0;  // of the row: what goes in, and what of it is counted
    };
    const TokenRow& row = held_out_;
    const auto room = static_cast<std::size_t>(num_tokens);
    std::vector<Piece> pieces;
    for (std::size_t done = 0; done < row.ids.size();) {
        // Up to half of a text was counted before: what stands before the rest.
        const std::size_t earliest = done - std::min(done, room / 2);
        const auto sentence = std::lower_bound(row.sentences.begin(), row.sentences.end(), earliest);
        const bool has_one = sentence != row.sentences.end() && *sentence <= done;
        const std::size_t begin = std::min(has_one ? *sentence : earliest, row.ids.size() - room);
        pieces.push_back({.begin = begin, .counted_from = done, .end = begin + room});
        done = begin + room;
    }
    if (most_texts > 0 && pieces.size() > static_cast<std::size_t>(most_texts)) {
        std::vector<Piece> some;
        for (std::size_t k = 0; k < static_cast<std::size_t>(most_texts); ++k)
            some.push_back(pieces[k * pieces.size() / static_cast<std::size_t>(most_texts)]);
        pieces = std::move(some);
    }
    constexpr std::size_t kAtATime = 64;
    HeldOutLoss result;
    for (std::size_t first = 0; first < pieces.size(); first += kAtATime) {
        const std::size_t count = std::min(kAtATime, pieces.size() - first);
        TextBatch batch{.num_texts = static_cast<int>(count), .num_tokens = num_tokens, .ids = {}};
        for (std::size_t k = 0; k < count; ++k) {
            batch.ids.push_back(beginning_);
            const auto from = row.ids.begin() + static_cast<std::ptrdiff_t>(pieces[first + k].begin);
            batch.ids.insert(batch.ids.end(), from, from + num_tokens);
        }
        const std::vector<float> losses = parts.token_losses(numbers, batch);
        for (std::size_t k = 0; k < count; ++k) {
            const Piece& piece = pieces[first + k];
            for (std::size_t at = piece.counted_from; at < piece.end; ++at)
                result.nats += static_cast<double>(losses[k * room + at - piece.begin]);
            result.num_tokens += static_cast<std::int64_t>(piece.end - piece.counted_from);
        }
    }
    const double share = static_cast<double>(result.num_tokens) / static_cast<double>(row.ids.size());
    constexpr double kNatsABit = 0.69314718055994530942;
    result.bits = result.nats / kNatsABit / (static_cast<double>(row.num_bytes) * share);
    result.nats /= static_cast<double>(result.num_tokens);
    return result;
}

}  // namespace attn
