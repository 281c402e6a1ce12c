// What happens to a text before its words are tokens, and what is put around it.
#include <algorithm>
#include <array>
#include <utility>

#include "core/ground/check.h"
#include "core/words/code_points.h"
#include "model/words/tokenizer_reader.h"

namespace attn {
namespace {

struct KnownSplit {
    std::string_view pattern;
    WordSplit split;
};
constexpr std::array kSplits = {
    KnownSplit{R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)", WordSplit::gpt2},
    KnownSplit{
        R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)",
        WordSplit::llama3},
    KnownSplit{
        R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)",
        WordSplit::qwen2}};

}  // namespace

// One, or several one after the other.
void TokenizerReader::read_pair_normalizer(JsonValue normalizer, ModelTokenizer& tokenizer) {
    constexpr std::array<std::pair<std::string_view, Normalizer>, 3> kNormalizers = {
        {{"NFC", Normalizer::nfc}, {"NFD", Normalizer::nfd}, {"Lowercase", Normalizer::lower_case}}};
    const std::string type = type_of(normalizer);
    const auto known = std::ranges::find_if(kNormalizers, [&](const auto& one) { return one.first == type; });
    if (known != kNormalizers.end()) {
        tokenizer.normalizers_.push_back(known->second);
        return;
    }
    constexpr std::size_t kMostNormalizers = 16;
    const std::optional<JsonValue> parts = normalizer.find("normalizers");
    if (type != "Sequence" || !parts || !parts->is(JsonKind::list) || parts->count() > kMostNormalizers)
        return refuse_type("normalizer for BPE", type, "NFC, NFD, Lowercase and a Sequence of them");
    for (const JsonValue part : *parts) {
        if (type_of(part) == "Sequence") return refuse_type("normalizer in a Sequence", "Sequence", "others");
        read_pair_normalizer(part, tokenizer);
    }
}

void TokenizerReader::read_normalizer(JsonValue root, ModelTokenizer& tokenizer) {
    const std::optional<JsonValue> normalizer = root.find("normalizer");
    const std::string type = type_of(normalizer);
    if (tokenizer.pairs_) {
        if (!type.empty()) read_pair_normalizer(*normalizer, tokenizer);
        return;
    }
    WordCleaning& cleaning = tokenizer.cleaning_;
    if (type.empty()) {
        cleaning = {.drops_controls = false, .parts_chinese = false, .drops_accents = false, .makes_lower_case = false};
    } else if (type == "BertNormalizer") {
        cleaning.drops_controls = flag_of(*normalizer, "clean_text", true);
        cleaning.parts_chinese = flag_of(*normalizer, "handle_chinese_chars", true);
        cleaning.makes_lower_case = flag_of(*normalizer, "lowercase", true);
        cleaning.drops_accents = flag_of(*normalizer, "strip_accents", cleaning.makes_lower_case);
    } else if (type == "Lowercase" && tokenizer.has_whole_words_) {
        cleaning = {.drops_controls = false, .parts_chinese = false, .drops_accents = false, .makes_lower_case = true};
    } else if (tokenizer.has_whole_words_) {
        refuse_type("normalizer for WordLevel", type, "Lowercase and BertNormalizer");
    } else {
        refuse_type("normalizer for WordPiece", type, "BertNormalizer");
    }
}

void TokenizerReader::read_byte_level(JsonValue cut, ModelTokenizer& tokenizer) {
    tokenizer.adds_blank_ = flag_of(cut, "add_prefix_space", true);
}

void TokenizerReader::read_cut(JsonValue root, ModelTokenizer& tokenizer) {
    const std::optional<JsonValue> cut = root.find("pre_tokenizer");
    const std::string type = type_of(cut);
    if (tokenizer.has_whole_words_) {
        tokenizer.parts_punctuation_ = type == "BertPreTokenizer";
        if (type != "BertPreTokenizer" && type != "WhitespaceSplit")
            refuse_type("pre_tokenizer for WordLevel", type, "BertPreTokenizer and WhitespaceSplit");
        return;
    }
    if (!tokenizer.pairs_) {
        if (type != "BertPreTokenizer") refuse_type("pre_tokenizer for WordPiece", type, "BertPreTokenizer");
        return;
    }
    if (type == "ByteLevel") {
        tokenizer.split_ = flag_of(*cut, "use_regex", true) ? WordSplit::gpt2 : WordSplit::none;
        return read_byte_level(*cut, tokenizer);
    }
    const std::optional<JsonValue> parts = cut ? cut->find("pretokenizers") : std::nullopt;
    if (type == "Sequence" && parts && parts->count() == 2 && type_of(*parts->begin()) == "Digits")
        return read_digits(*parts->begin(), *++parts->begin(), tokenizer);
    if (type != "Sequence" || !parts || parts->count() != 2)
        return refuse_type("pre_tokenizer for BPE", type, "ByteLevel, and a Sequence of Split or Digits and ByteLevel");
    const JsonValue split = *parts->begin(), bytes = *++parts->begin();
    const std::optional<JsonValue> pattern = split.find("pattern");
    const std::string_view expression = pattern ? text_member(*pattern, "Regex") : std::string_view();
    const auto known =
        std::find_if(kSplits.begin(), kSplits.end(), [&](const KnownSplit& one) { return one.pattern == expression; });
    if (type_of(split) != "Split" || known == kSplits.end() || text_member(split, "behavior") != "Isolated" ||
        flag_of(split, "invert", false)) {
        return fail(
            "tokenizer.json cuts words by a rule that this program does not know: it knows those of GPT-2, "
            "Llama 3 and Qwen2.");
    }
    if (type_of(bytes) != "ByteLevel" || flag_of(bytes, "use_regex", true))
        return refuse_type("pre_tokenizer for BPE", type_of(bytes), "ByteLevel without \"use_regex\" after a Split");
    tokenizer.split_ = known->split;
    read_byte_level(bytes, tokenizer);
}

// Numbers are parted first; then GPT-2's expression cuts each piece.
void TokenizerReader::read_digits(JsonValue digits, JsonValue bytes, ModelTokenizer& tokenizer) {
    if (type_of(bytes) != "ByteLevel" || flag_of(bytes, "add_prefix_space", true))
        return refuse_type("pre_tokenizer for BPE", type_of(bytes),
                           "ByteLevel without \"add_prefix_space\" after Digits");
    tokenizer.digits_ = flag_of(digits, "individual_digits", false) ? DigitCut::each : DigitCut::runs;
    tokenizer.split_ = flag_of(bytes, "use_regex", true) ? WordSplit::gpt2 : WordSplit::none;
}

void TokenizerReader::read_template(JsonValue frame, ModelTokenizer& tokenizer) {
    const std::optional<JsonValue> single = frame.find("single");
    bool is_behind = false;
    if (!single || !single->is(JsonKind::list))
        return fail("tokenizer.json has a TemplateProcessing without \"single\".");
    for (const JsonValue piece : *single) {
        if (piece.find("Sequence")) {
            is_behind = true;
            continue;
        }
        const std::optional<JsonValue> special = piece.find("SpecialToken");
        const std::string_view text = special ? text_member(*special, "id") : std::string_view();
        const std::optional<int> id = tokenizer.vocabulary_.find(text);
        if (!id) return fail(concat("tokenizer.json frames texts with ", attn::quoted(text), ", which is no token."));
        (is_behind ? tokenizer.behind_ : tokenizer.before_).push_back(*id);
    }
}

void TokenizerReader::read_frame(JsonValue frame, ModelTokenizer& tokenizer) {
    const std::string type = type_of(frame);
    if (type.empty() || type == "ByteLevel") return;
    if (type == "TemplateProcessing") return read_template(frame, tokenizer);
    if (type == "BertProcessing" || type == "RobertaProcessing") {
        for (const std::string_view name : {"cls", "sep"}) {
            const std::optional<JsonValue> pair = frame.find(name);
            const std::optional<int> id =
                pair && pair->count() == 2 ? tokenizer.vocabulary_.find((*pair->begin()).text()) : std::nullopt;
            if (!id) return fail(concat("tokenizer.json has a ", type, " without \"", name, "\" that is a token."));
            (name == "cls" ? tokenizer.before_ : tokenizer.behind_).push_back(*id);
        }
        return;
    }
    const std::optional<JsonValue> parts = frame.find("processors");
    if (type != "Sequence" || !parts)
        return refuse_type("post_processor", type,
                           "ByteLevel, TemplateProcessing, BertProcessing, RobertaProcessing and a Sequence of them");
    for (const JsonValue part : *parts) {
        if (type_of(part) == "Sequence") return refuse_type("post_processor in a Sequence", "Sequence", "others");
        read_frame(part, tokenizer);
    }
}

}  // namespace attn
