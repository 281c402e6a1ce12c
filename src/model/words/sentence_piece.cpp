// SentencePiece's tokenizer.model (Kudo and Richardson 2018): a message of protocol buffers with the tokens, their
// scores and what a text becomes before it is cut.
#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <limits>
#include <map>

#include "core/ground/check.h"
#include "core/words/code_points.h"
#include "model/words/tokenizer_reader.h"

namespace attn {
namespace {

// The fields of a message, one after the other.
class MessageReader {
public:
    explicit MessageReader(std::string_view bytes) : rest_(bytes) {}

    struct Field {
        std::uint64_t number = 0;
        std::uint64_t value = 0;      // of a whole number, and the bits of a float
        std::string_view bytes = {};  // of a text or a message
    };
    // Nothing at the end, and where the rest is no field: is_damaged() then.
    std::optional<Field> next() {
        if (rest_.empty() || is_damaged_) return std::nullopt;
        const std::uint64_t key = take_number();
        Field field = {.number = key >> 3U};
        switch (key & 7U) {
            case 0:
                field.value = take_number();
                break;
            case 1:
                static_cast<void>(take_bytes(8));
                break;
            case 2:
                field.bytes = take_bytes(take_number());
                break;
            case 5: {
                const std::string_view bits = take_bytes(4);
                for (std::size_t i = 0; i < bits.size(); ++i)
                    field.value |= std::uint64_t{static_cast<unsigned char>(bits[i])} << (8 * i);
                break;
            }
            default:
                is_damaged_ = true;
        }
        if (is_damaged_) return std::nullopt;
        return field;
    }
    bool is_damaged() const { return is_damaged_; }

private:
    std::uint64_t take_number() {
        std::uint64_t number = 0;
        for (unsigned shift = 0; shift < 64; shift += 7) {
            if (rest_.empty()) break;
            const auto byte = static_cast<unsigned char>(rest_.front());
            rest_.remove_prefix(1);
            number |= std::uint64_t{byte & 0x7fU} << shift;
            if (byte < 0x80) return number;
        }
        is_damaged_ = true;
        return 0;
    }
    std::string_view take_bytes(std::uint64_t wanted) {
        if (wanted > rest_.size()) {
            is_damaged_ = true;
            return {};
        }
        const auto size = static_cast<std::size_t>(wanted);
        const std::string_view bytes = rest_.substr(0, size);
        rest_.remove_prefix(size);
        return bytes;
    }

    std::string_view rest_;
    bool is_damaged_ = false;
};

enum class PieceType { normal = 1, unknown = 2, control = 3, user_defined = 4, unused = 5, byte = 6 };

struct SentencePieces {
    std::vector<std::pair<std::string, int>> tokens;
    std::vector<float> scores;
    std::vector<PieceType> types;
    std::uint64_t kind = 1;  // 1: Unigram, 2: BPE
    bool has_byte_fallback = false, has_suffix_blanks = false;
    std::string table;
    bool adds_blank = true, joins_blanks = true, writes_blanks = true;
    bool is_damaged = false;
};

SentencePieces pieces_in(std::string_view bytes) {
    SentencePieces all;
    MessageReader model(bytes);
    const auto read_message = [&](std::string_view message, const auto& take) {
        MessageReader reader(message);
        while (const auto field = reader.next()) take(*field);
        all.is_damaged = all.is_damaged || reader.is_damaged();
    };
    using Field = MessageReader::Field;
    while (const auto part = model.next()) {
        if (part->number == 1) {
            std::string text;
            float score = 0;
            auto type = PieceType::normal;
            read_message(part->bytes, [&](const Field& field) {
                if (field.number == 1) text = field.bytes;
                if (field.number == 2) score = std::bit_cast<float>(static_cast<std::uint32_t>(field.value));
                if (field.number == 3) type = static_cast<PieceType>(field.value);
            });
            all.tokens.emplace_back(std::move(text), static_cast<int>(all.tokens.size()));
            all.scores.push_back(score);
            all.types.push_back(type);
            if (all.tokens.size() > Vocabulary::kMaxTokens) break;
        } else if (part->number == 2) {
            read_message(part->bytes, [&](const Field& field) {
                if (field.number == 3) all.kind = field.value;
                if (field.number == 24) all.has_suffix_blanks = field.value != 0;
                if (field.number == 35) all.has_byte_fallback = field.value != 0;
            });
        } else if (part->number == 3) {
            read_message(part->bytes, [&](const Field& field) {
                if (field.number == 2) all.table = field.bytes;
                if (field.number == 3) all.adds_blank = field.value != 0;
                if (field.number == 4) all.joins_blanks = field.value != 0;
                if (field.number == 5) all.writes_blanks = field.value != 0;
            });
        }
    }
    all.is_damaged = all.is_damaged || model.is_damaged();
    return all;
}

std::optional<int> first_of(const SentencePieces& all, PieceType type) {
    const auto found = std::ranges::find(all.types, type);
    return found == all.types.end() ? std::nullopt : std::optional<int>(found - all.types.begin());
}

// Tokens of the best score first; those of one score have one rank.
std::vector<std::int32_t> ranks_of(const SentencePieces& all) {
    std::map<float, std::int32_t, std::greater<>> ranks;
    for (const float score : all.scores) ranks[score] = 0;
    std::int32_t next = 0;
    for (auto& [score, rank] : ranks) rank = next++;
    std::vector<std::int32_t> result;
    for (std::size_t i = 0; i < all.scores.size(); ++i) {
        const bool is_made = all.types[i] == PieceType::normal || all.types[i] == PieceType::user_defined;
        result.push_back(is_made ? ranks[all.scores[i]] : -1);
    }
    return result;
}

// A user's own symbol is worth more than what other tokens make of it. The best score begins at the least positive
// float, as in SentencePiece: logarithms do not exceed it, so in effect it is 0.
std::vector<double> scores_of(const SentencePieces& all) {
    float best = std::numeric_limits<float>::min();
    for (std::size_t i = 0; i < all.scores.size(); ++i)
        if (all.types[i] == PieceType::normal) best = std::max(best, all.scores[i]);
    std::vector<double> scores;
    for (std::size_t i = 0; i < all.scores.size(); ++i) {
        constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
        const double own = all.types[i] == PieceType::normal ? static_cast<double>(all.scores[i]) : kNone;
        const auto size = static_cast<float>(all.tokens[i].first.size());
        scores.push_back(all.types[i] == PieceType::user_defined ? static_cast<double>(size * best) - 0.1 : own);
    }
    return scores;
}

// All of the text but the symbols.
Text changed_by_table(const StepSettings& own, Text text) {
    Text changed;
    for (const AddedTokens::Piece& piece : own.symbols.pieces_of(text)) {
        Text part(text.begin() + static_cast<std::ptrdiff_t>(piece.begin),
                  text.begin() + static_cast<std::ptrdiff_t>(piece.end));
        if (piece.id < 0) part = own.table->changed(part, CharacterTable::Way::longest);
        changed.insert(changed.end(), part.begin(), part.end());
    }
    return changed;
}

}  // namespace

// What tokenizer_config.json says of special tokens: those of a text's begin and end, and those that are themselves
// where they are typed.
void TokenizerReader::read_special(JsonValue root, std::optional<int>& begin, std::optional<int>& end,
                                   ModelTokenizer& tokenizer) {
    for (const auto& [member, token] : {std::pair("bos_token", &begin), std::pair("eos_token", &end)})
        if (const std::string_view text = text_member(root, member); !text.empty())
            if (const std::optional<int> id = tokenizer.find(text)) *token = id;
    const std::optional<JsonValue> list = root.find("added_tokens_decoder");
    if (!list || list->count() > ModelTokenizer::kMaxAddedTokens) return;
    std::vector<AddedToken> added;
    for (const JsonValue entry : *list) {
        const std::string_view text = text_member(entry, "content");
        const std::optional<int> id = tokenizer.find(text);
        if (id && !text.empty())
            added.push_back({.text = std::string(text),
                             .id = *id,
                             .takes_space_before = flag_of(entry, "lstrip", false),
                             .takes_space_behind = flag_of(entry, "rstrip", false),
                             .is_single_word = flag_of(entry, "single_word", false)});
    }
    tokenizer.added_ = AddedTokens(std::move(added));
}

Result<ModelTokenizer> TokenizerReader::read_sentence_piece(const TokenizerFiles& files) {
    SentencePieces all = pieces_in(files.tokenizer_model);
    if (all.is_damaged || all.tokens.empty())
        return Read::failure("tokenizer.model is no file of SentencePiece, or it is cut or damaged.");
    if (all.kind != 1 && all.kind != 2)
        return Read::failure(
            "tokenizer.model cuts texts into words or characters; this program knows Unigram and BPE of "
            "SentencePiece.");
    if (all.has_suffix_blanks)
        return Read::failure("tokenizer.model writes blanks behind words, which this program does not do.");
    if (std::ranges::any_of(all.scores, [](float score) { return std::isnan(score); }))
        return Read::failure("tokenizer.model has a token whose score is no number.");
    Result<Vocabulary> vocabulary = Vocabulary::make(all.tokens);
    if (!vocabulary) return Read::failure(vocabulary.error());
    ModelTokenizer tokenizer(std::move(*vocabulary));
    tokenizer.unknown_ = first_of(all, PieceType::unknown).value_or(-1);
    tokenizer.writing_ = ModelTokenizer::Writing::blanks;

    std::vector<AddedToken> own;
    for (std::size_t i = 0; i < all.types.size(); ++i)
        if (all.types[i] == PieceType::user_defined)
            own.push_back({.text = all.tokens[i].first, .id = all.tokens[i].second});
    const AddedTokens symbols(std::move(own));
    if (!all.table.empty()) {
        Result<CharacterTable> table = CharacterTable::read(all.table);
        if (!table) return Read::failure(table.error());
        tokenizer.changes_.push_back(
            {.run = changed_by_table, .settings = {.table = std::move(*table), .symbols = symbols}});
    }
    if (all.joins_blanks)
        tokenizer.changes_.push_back({.run = [](const StepSettings&, Text text) { return with_single_blanks(text); }});
    if (all.adds_blank)
        tokenizer.changes_.push_back(
            {.run = [](const StepSettings&, Text text) { return prepended(std::move(text), " "); }});
    if (all.writes_blanks)
        tokenizer.changes_.push_back({.run = [](const StepSettings&, Text text) {
            static const Pattern blank = Pattern::of_text(" ");
            return replaced(text, blank, "\u2581");
        }});

    if (all.kind == 1) {
        tokenizer.model_ =
            Unigram(tokenizer.vocabulary_, scores_of(all),
                    {.unknown = tokenizer.unknown_, .has_byte_fallback = all.has_byte_fallback, .is_single = true});
    } else {
        tokenizer.model_ = BytePairs::by_rank(
            tokenizer.vocabulary_, ranks_of(all),
            {.has_byte_fallback = all.has_byte_fallback, .unknown = tokenizer.unknown_, .fuses_unknown = true});
        tokenizer.added_changed_ = symbols;
    }

    // The file does not say what stands around a text; tokenizer_config.json may.
    bool adds_begin = true, adds_end = false;
    std::optional<int> begin = tokenizer.find("<s>") ? tokenizer.find("<s>") : tokenizer.find("<bos>");
    std::optional<int> end = tokenizer.find("</s>") ? tokenizer.find("</s>") : tokenizer.find("<eos>");
    if (!begin) adds_end = true;  // as T5 has it
    if (!files.tokenizer_config_json.empty()) {
        const Result<JsonTree> tree = JsonTree::read(files.tokenizer_config_json, "tokenizer_config.json");
        if (!tree) return Read::failure(tree.error());
        adds_begin = flag_of(tree->root(), "add_bos_token", adds_begin);
        adds_end = flag_of(tree->root(), "add_eos_token", adds_end);
        read_special(tree->root(), begin, end, tokenizer);
    }
    if (begin && adds_begin) tokenizer.before_ = {*begin};
    if (end && adds_end) tokenizer.behind_ = {*end};
    return tokenizer;
}

}  // namespace attn
