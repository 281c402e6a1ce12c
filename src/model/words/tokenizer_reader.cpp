// What a file says that this program does not do is refused by its name: silence would give other numbers.
#include "model/words/tokenizer_reader.h"

#include <algorithm>

#include "core/ground/check.h"
#include "core/words/code_points.h"

namespace attn {
namespace {

using Read = Result<ModelTokenizer>;

// The next line, without its end.
std::string_view take_line(std::string_view& text) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    return line;
}

}  // namespace

Read ModelTokenizer::read(const TokenizerFiles& files) {
    return TokenizerReader().read(files);
}

Read TokenizerReader::read(const TokenizerFiles& files) {
    if (std::max(files.merges_txt.size(), files.vocab_txt.size()) > JsonTree::kMaxBytes)
        return Read::failure(concat("merges.txt or vocab.txt has more than ", JsonTree::kMaxBytes >> 20U, " MiB."));
    if (!files.tokenizer_json.empty()) return read_json(files);
    if (!files.vocab_json.empty() && !files.merges_txt.empty()) return read_gpt2(files);
    if (!files.vocab_txt.empty()) return read_bert(files);
    if (!files.vocab_json.empty()) return Read::failure("There is a vocab.json, but no merges.txt beside it.");
    if (!files.merges_txt.empty()) return Read::failure("There is a merges.txt, but no vocab.json beside it.");
    return Read::failure(
        "There is no tokenizer: tokenizer.json is missing, and so are vocab.json with merges.txt, and vocab.txt.");
}

bool TokenizerReader::flag_of(JsonValue object, std::string_view name, bool fallback) {
    const std::optional<JsonValue> value = object.find(name);
    return value && value->is(JsonKind::boolean) ? value->boolean() : fallback;
}

std::string_view TokenizerReader::text_member(JsonValue object, std::string_view name) {
    const std::optional<JsonValue> value = object.find(name);
    return value ? value->text() : std::string_view();
}

std::string TokenizerReader::type_of(std::optional<JsonValue> part) {
    if (!part || part->is(JsonKind::null)) return "";
    const std::string_view type = text_member(*part, "type");
    return type.empty() ? "(without a type)" : std::string(type);
}

void TokenizerReader::refuse_type(std::string_view what, const std::string& type, std::string_view known) {
    fail(concat("tokenizer.json has a ", what, " of the type ", attn::quoted(type), "; this program knows ", known,
                "."));
}

void TokenizerReader::want_nothing(JsonValue object, std::string_view what,
                                   std::initializer_list<std::string_view> names) {
    for (const std::string_view name : names) {
        const std::optional<JsonValue> value = object.find(name);
        if (!value || value->is(JsonKind::null)) continue;
        if (value->is(JsonKind::boolean) && !value->boolean()) continue;
        if (value->is(JsonKind::number) && value->number() == 0) continue;
        if (value->is(JsonKind::text) && value->text().empty()) continue;
        fail(concat("tokenizer.json has a ", what, " with \"", name, "\", which this program does not do."));
    }
}

TokenizerReader::Tokens TokenizerReader::read_vocabulary(JsonValue object, std::string_view where) {
    Tokens tokens;
    if (!object.is(JsonKind::object) || object.count() == 0)
        fail(concat(where, " has no vocabulary: an object with a number for each token."));
    for (const JsonValue entry : object) {
        const std::optional<std::uint64_t> id = entry.whole();
        if (!id || *id >= Vocabulary::kMaxTokens) {
            fail(concat(where, " has the token ", attn::quoted(entry.name()), " without a whole number from 0 to ",
                        Vocabulary::kMaxTokens - 1, "."));
            continue;
        }
        tokens.emplace_back(entry.name(), static_cast<int>(*id));
    }
    return tokens;
}

void TokenizerReader::read_added(JsonValue root, Tokens& tokens) {
    const std::optional<JsonValue> list = root.find("added_tokens");
    if (!list) return;
    if (list->count() > ModelTokenizer::kMaxAddedTokens)
        fail(concat("tokenizer.json has ", list->count(), " added tokens; at most ", ModelTokenizer::kMaxAddedTokens,
                    " are read."));
    const std::size_t num_own = tokens.size();
    std::sort(tokens.begin(), tokens.end());
    for (const JsonValue entry : *list) {
        const std::string text(text_member(entry, "content"));
        const std::optional<JsonValue> number = entry.find("id");
        const std::optional<std::uint64_t> id = number ? number->whole() : std::nullopt;
        if (text.empty() || !id || *id >= Vocabulary::kMaxTokens) {
            fail("tokenizer.json has an added token without a \"content\" and a whole \"id\".");
            continue;
        }
        if (flag_of(entry, "single_word", false))
            fail(concat("tokenizer.json has the added token ", attn::quoted(text),
                        " with \"single_word\", which this program does not do."));
        added_.push_back({.text = text,
                          .id = static_cast<int>(*id),
                          .takes_space_before = flag_of(entry, "lstrip", false),
                          .takes_space_behind = flag_of(entry, "rstrip", false)});
        const std::pair<std::string, int> own(text, static_cast<int>(*id));
        if (!std::binary_search(tokens.begin(), tokens.begin() + static_cast<std::ptrdiff_t>(num_own), own))
            tokens.push_back(own);
    }
    std::sort(added_.begin(), added_.end(), [](const auto& a, const auto& b) { return a.text < b.text; });
}

void TokenizerReader::read_merge(std::string_view line, std::size_t number, Merges& merges) {
    const std::size_t blank = line.find(' ');
    if (blank == std::string_view::npos || blank + 1 == line.size()) {
        fail(concat("Merge ", number, " of the tokenizer is ", attn::quoted(line), ", not two tokens with a blank."));
        return;
    }
    if (merges.size() == Vocabulary::kMaxTokens)
        return fail(concat("The tokenizer has more than ", Vocabulary::kMaxTokens, " merges."));
    merges.emplace_back(line.substr(0, blank), line.substr(blank + 1));
}

TokenizerReader::Merges TokenizerReader::read_merges(JsonValue list) {
    Merges merges;
    for (const JsonValue entry : list) {
        if (entry.is(JsonKind::list) && entry.count() == 2) {
            merges.emplace_back((*entry.begin()).text(), (*++entry.begin()).text());
        } else {
            read_merge(entry.text(), merges.size() + 1, merges);
        }
        if (!problem_.empty()) break;
    }
    return merges;
}

void TokenizerReader::finish_pairs(const Merges& merges, bool ignores_merges, ModelTokenizer& tokenizer) {
    if (!problem_.empty()) return;
    Result<BytePairs> pairs = BytePairs::make(tokenizer.vocabulary_, merges, tokenizer.unknown_, ignores_merges);
    if (!pairs) return fail(pairs.error());
    tokenizer.pairs_ = std::move(*pairs);
}

void TokenizerReader::read_byte_pairs(JsonValue model, ModelTokenizer& tokenizer) {
    want_nothing(model, "model",
                 {"dropout", "byte_fallback", "continuing_subword_prefix", "end_of_word_suffix", "fuse_unk"});
    const std::string_view unknown = text_member(model, "unk_token");
    if (!unknown.empty()) tokenizer.unknown_ = tokenizer.vocabulary_.find(unknown).value_or(-1);
    const std::optional<JsonValue> merges = model.find("merges");
    if (!merges || !merges->is(JsonKind::list)) return fail("tokenizer.json has a BPE model without \"merges\".");
    finish_pairs(read_merges(*merges), flag_of(model, "ignore_merges", false), tokenizer);
}

void TokenizerReader::read_word_pieces(JsonValue model, ModelTokenizer& tokenizer) {
    const std::string_view unknown = text_member(model, "unk_token");
    const std::optional<int> id = tokenizer.vocabulary_.find(unknown);
    if (!id) fail(concat("The vocabulary has no ", attn::quoted(unknown), ", the token for unknown words."));
    tokenizer.unknown_ = tokenizer.rules_.unknown = id.value_or(0);
    if (model.find("continuing_subword_prefix"))
        tokenizer.rules_.prefix = text_member(model, "continuing_subword_prefix");
    if (const std::optional<JsonValue> longest = model.find("max_input_chars_per_word")) {
        constexpr std::uint64_t kMost = 1000;
        const std::optional<std::uint64_t> number = longest->whole();
        if (!number || *number > kMost)
            fail(
                concat("tokenizer.json has a \"max_input_chars_per_word\" that is no whole number up to ", kMost, "."));
        tokenizer.rules_.longest = static_cast<std::size_t>(number.value_or(0));
    }
}

// Each word is a token. Its "unk_token" need not be in the vocabulary: then a word that is not has no number, and is
// refused by who wants one.
void TokenizerReader::read_whole_words(JsonValue model, ModelTokenizer& tokenizer) {
    tokenizer.has_whole_words_ = true;
    tokenizer.unknown_ = tokenizer.vocabulary_.find(text_member(model, "unk_token")).value_or(-1);
}

Read TokenizerReader::read_json(const TokenizerFiles& files) {
    const Result<JsonTree> tree = JsonTree::read(files.tokenizer_json, "tokenizer.json");
    if (!tree) return Read::failure(tree.error());
    const JsonValue root = tree->root();
    const std::optional<JsonValue> model = root.find("model");
    if (!model || !model->is(JsonKind::object))
        return Read::failure("tokenizer.json has no \"model\": it is the file of no tokenizer.");
    std::string type(text_member(*model, "type"));
    if (type.empty()) type = model->find("merges") ? "BPE" : "WordPiece";  // as older files are read
    if (type != "BPE" && type != "WordPiece" && type != "WordLevel") {
        refuse_type("model", type, "BPE, WordPiece and WordLevel");
        return Read::failure(problem_);
    }
    const std::optional<JsonValue> vocab = model->find("vocab");
    if (!vocab) return Read::failure("tokenizer.json has a model without a \"vocab\".");
    Tokens tokens = read_vocabulary(*vocab, "tokenizer.json");
    read_added(root, tokens);
    if (!problem_.empty()) return Read::failure(problem_);
    Result<Vocabulary> vocabulary = Vocabulary::make(std::move(tokens));
    if (!vocabulary) return Read::failure(vocabulary.error());
    ModelTokenizer tokenizer(std::move(*vocabulary));
    tokenizer.added_ = std::move(added_);
    if (type == "BPE") {
        read_byte_pairs(*model, tokenizer);
    } else if (type == "WordLevel") {
        read_whole_words(*model, tokenizer);
    } else {
        read_word_pieces(*model, tokenizer);
    }
    if (!problem_.empty()) return Read::failure(problem_);
    read_normalizer(root, tokenizer);
    read_cut(root, tokenizer);
    if (const std::optional<JsonValue> frame = root.find("post_processor")) read_frame(*frame, tokenizer);
    if (!problem_.empty()) return Read::failure(problem_);
    return tokenizer;
}

Read TokenizerReader::read_gpt2(const TokenizerFiles& files) {
    const Result<JsonTree> tree = JsonTree::read(files.vocab_json, "vocab.json");
    if (!tree) return Read::failure(tree.error());
    Tokens tokens = read_vocabulary(tree->root(), "vocab.json");
    if (!problem_.empty()) return Read::failure(problem_);
    Result<Vocabulary> vocabulary = Vocabulary::make(std::move(tokens));
    if (!vocabulary) return Read::failure(vocabulary.error());
    ModelTokenizer tokenizer(std::move(*vocabulary));
    Merges merges;
    std::string_view rest = files.merges_txt;
    for (std::size_t number = 0; !rest.empty() && problem_.empty();) {
        const std::string_view line = take_line(rest);
        const bool is_version = merges.empty() && number == 0 && line.starts_with("#version");
        if (!line.empty() && !is_version) read_merge(line, ++number, merges);
    }
    for (const std::string_view name : {"<|endoftext|>"}) {
        if (const std::optional<int> id = tokenizer.vocabulary_.find(name))
            tokenizer.added_.push_back({.text = std::string(name), .id = *id});
    }
    if (const std::optional<int> unknown = tokenizer.vocabulary_.find("<unk>")) tokenizer.unknown_ = *unknown;
    finish_pairs(merges, false, tokenizer);
    if (!problem_.empty()) return Read::failure(problem_);
    return tokenizer;
}

Read TokenizerReader::read_bert(const TokenizerFiles& files) {
    Tokens tokens;
    std::string_view rest = files.vocab_txt;
    while (!rest.empty()) {
        if (tokens.size() == Vocabulary::kMaxTokens)
            return Read::failure(concat("vocab.txt has more than ", Vocabulary::kMaxTokens, " tokens."));
        const std::string_view line = take_line(rest);
        tokens.emplace_back(line, static_cast<int>(tokens.size()));
    }
    Result<Vocabulary> vocabulary = Vocabulary::make(std::move(tokens));
    if (!vocabulary) return Read::failure(vocabulary.error());
    ModelTokenizer tokenizer(std::move(*vocabulary));
    for (const std::string_view name : {"[CLS]", "[MASK]", "[PAD]", "[SEP]", "[UNK]"}) {
        if (const std::optional<int> id = tokenizer.vocabulary_.find(name))
            tokenizer.added_.push_back({.text = std::string(name), .id = *id});
    }
    const std::optional<int> unknown = tokenizer.vocabulary_.find("[UNK]");
    if (!unknown) return Read::failure("vocab.txt has no [UNK], the token for unknown words.");
    tokenizer.unknown_ = tokenizer.rules_.unknown = *unknown;
    if (const std::optional<int> id = tokenizer.vocabulary_.find("[CLS]")) tokenizer.before_ = {*id};
    if (const std::optional<int> id = tokenizer.vocabulary_.find("[SEP]")) tokenizer.behind_ = {*id};
    if (files.tokenizer_config_json.empty()) return tokenizer;
    const Result<JsonTree> tree = JsonTree::read(files.tokenizer_config_json, "tokenizer_config.json");
    if (!tree) return Read::failure(tree.error());
    WordCleaning& cleaning = tokenizer.cleaning_;
    cleaning.makes_lower_case = flag_of(tree->root(), "do_lower_case", true);
    cleaning.drops_accents = flag_of(tree->root(), "strip_accents", cleaning.makes_lower_case);
    cleaning.parts_chinese = flag_of(tree->root(), "tokenize_chinese_chars", true);
    return tokenizer;
}

}  // namespace attn
