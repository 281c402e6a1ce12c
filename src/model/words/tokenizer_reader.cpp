#include "model/words/tokenizer_reader.h"

#include <algorithm>

#include "core/ground/check.h"
#include "core/words/code_points.h"

namespace attn {
namespace {

// The next line, without its end.
std::string_view take_line(std::string_view& text) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    return line;
}

}  // namespace

Result<ModelTokenizer> ModelTokenizer::read(const TokenizerFiles& files) {
    return TokenizerReader().read(files);
}

Result<ModelTokenizer> TokenizerReader::read(const TokenizerFiles& files) {
    if (std::max(files.merges_txt.size(), files.vocab_txt.size()) > JsonTree::kMaxBytes)
        return Read::failure(concat("merges.txt or vocab.txt has more than ", JsonTree::kMaxBytes >> 20U, " MiB."));
    if (!files.tokenizer_json.empty()) return read_json(files);
    if (!files.vocab_json.empty() && !files.merges_txt.empty()) return read_gpt2(files);
    if (!files.vocab_txt.empty()) return read_bert(files);
    if (!files.tokenizer_model.empty()) {
        const bool is_list = std::ranges::all_of(std::string_view(files.tokenizer_model).substr(0, 4),
                                                 [](char c) { return c >= '+' && c <= 'z'; });
        return is_list ? read_ranks(files) : read_sentence_piece(files);
    }
    if (!files.vocab_json.empty()) return Read::failure("There is a vocab.json, but no merges.txt beside it.");
    if (!files.merges_txt.empty()) return Read::failure("There is a merges.txt, but no vocab.json beside it.");
    return Read::failure(
        "There is no tokenizer: tokenizer.json is missing, and so are vocab.json with merges.txt, vocab.txt and "
        "tokenizer.model.");
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

void TokenizerReader::want_members(JsonValue object, std::string_view what,
                                   std::initializer_list<std::string_view> names) {
    for (const JsonValue value : object) {
        if (value.name() == "type" || std::ranges::find(names, value.name()) != names.end()) continue;
        if (value.is(JsonKind::null) || (value.is(JsonKind::boolean) && !value.boolean())) continue;
        if (value.is(JsonKind::number) && value.number() == 0) continue;
        if (value.is(JsonKind::text) && value.text().empty()) continue;
        if ((value.is(JsonKind::list) || value.is(JsonKind::object)) && value.count() == 0) continue;
        fail(concat("tokenizer.json has a ", what, " with \"", value.name(), "\", which this program does not do."));
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
        const bool is_changed = flag_of(entry, "normalized", false);
        (is_changed ? added_changed_ : added_)
            .push_back({.text = text,
                        .id = static_cast<int>(*id),
                        .takes_space_before = flag_of(entry, "lstrip", false),
                        .takes_space_behind = flag_of(entry, "rstrip", false),
                        .is_single_word = flag_of(entry, "single_word", false)});
        const std::pair<std::string, int> own(text, static_cast<int>(*id));
        if (!std::binary_search(tokens.begin(), tokens.begin() + static_cast<std::ptrdiff_t>(num_own), own))
            tokens.push_back(own);
    }
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

void TokenizerReader::finish_pairs(const Merges& merges, const PairRules& rules, ModelTokenizer& tokenizer) {
    if (!problem_.empty()) return;
    Result<BytePairs> pairs = BytePairs::make(tokenizer.vocabulary_, merges, rules);
    if (!pairs) return fail(pairs.error());
    tokenizer.model_ = std::move(*pairs);
}

void TokenizerReader::read_byte_pairs(JsonValue model, ModelTokenizer& tokenizer) {
    using Writing = ModelTokenizer::Writing;
    want_members(model, "model",
                 {"vocab", "merges", "unk_token", "byte_fallback", "fuse_unk", "ignore_merges",
                  "continuing_subword_prefix", "end_of_word_suffix"});
    const std::string_view unknown = text_member(model, "unk_token");
    if (!unknown.empty()) tokenizer.unknown_ = tokenizer.vocabulary_.find(unknown).value_or(-1);
    const std::optional<JsonValue> merges = model.find("merges");
    if (!merges || !merges->is(JsonKind::list)) return fail("tokenizer.json has a BPE model without \"merges\".");
    const PairRules rules = {.has_byte_fallback = flag_of(model, "byte_fallback", false),
                             .unknown = tokenizer.unknown_,
                             .fuses_unknown = flag_of(model, "fuse_unk", false),
                             .ignores_merges = flag_of(model, "ignore_merges", false),
                             .inner_prefix = std::string(text_member(model, "continuing_subword_prefix")),
                             .end_suffix = std::string(text_member(model, "end_of_word_suffix"))};
    tokenizer.suffix_ = rules.end_suffix;
    tokenizer.writing_ = is_of_bytes_               ? Writing::bytes
                         : writes_blanks_           ? Writing::blanks
                         : rules.end_suffix.empty() ? Writing::plain
                                                    : Writing::suffixed;
    finish_pairs(read_merges(*merges), rules, tokenizer);
}

// A list of pairs: a token and the logarithm of its probability.
TokenizerReader::Tokens TokenizerReader::read_scores(JsonValue list, std::vector<double>& scores) {
    Tokens tokens;
    if (!list.is(JsonKind::list) || list.count() == 0)
        fail("tokenizer.json has no vocabulary: a list of tokens, each with a number.");
    for (const JsonValue entry : list) {
        const bool is_pair = entry.is(JsonKind::list) && entry.count() == 2 && (*entry.begin()).is(JsonKind::text) &&
                             (*++entry.begin()).is(JsonKind::number);
        if (!is_pair || tokens.size() == Vocabulary::kMaxTokens) {
            fail(concat("Token ", tokens.size(), " of tokenizer.json is no pair of a text and a number."));
            break;
        }
        tokens.emplace_back((*entry.begin()).text(), static_cast<int>(tokens.size()));
        scores.push_back((*++entry.begin()).number());
    }
    return tokens;
}

void TokenizerReader::read_unigram(JsonValue model, std::vector<double> scores, ModelTokenizer& tokenizer) {
    want_members(model, "model", {"vocab", "unk_id", "byte_fallback"});
    const std::optional<JsonValue> unknown = model.find("unk_id");
    const std::optional<std::uint64_t> id = unknown ? unknown->whole() : std::nullopt;
    if (id && *id >= scores.size()) fail("tokenizer.json has an \"unk_id\" that is no token.");
    tokenizer.unknown_ = id ? static_cast<int>(*id) : -1;
    if (!problem_.empty()) return;
    tokenizer.writing_ = writes_blanks_ ? ModelTokenizer::Writing::blanks : ModelTokenizer::Writing::plain;
    tokenizer.model_ = Unigram(tokenizer.vocabulary_, std::move(scores),
                               {.unknown = tokenizer.unknown_,
                                .has_byte_fallback = flag_of(model, "byte_fallback", false),
                                .is_single = false});
}

void TokenizerReader::read_word_pieces(JsonValue model, ModelTokenizer& tokenizer) {
    want_members(model, "model", {"vocab", "unk_token", "continuing_subword_prefix", "max_input_chars_per_word"});
    const std::string_view unknown = text_member(model, "unk_token");
    const std::optional<int> id = tokenizer.vocabulary_.find(unknown);
    if (!id) fail(concat("The vocabulary has no ", attn::quoted(unknown), ", the token for unknown words."));
    WordPieceRules rules = {.unknown = id.value_or(0)};
    if (model.find("continuing_subword_prefix")) rules.prefix = text_member(model, "continuing_subword_prefix");
    if (const std::optional<JsonValue> longest = model.find("max_input_chars_per_word")) {
        constexpr std::uint64_t kMost = 1000;
        const std::optional<std::uint64_t> number = longest->whole();
        if (!number || *number > kMost)
            fail(
                concat("tokenizer.json has a \"max_input_chars_per_word\" that is no whole number up to ", kMost, "."));
        rules.longest = static_cast<std::size_t>(number.value_or(0));
    }
    tokenizer.unknown_ = rules.unknown;
    tokenizer.prefix_ = rules.prefix;
    tokenizer.writing_ = ModelTokenizer::Writing::word_pieces;
    tokenizer.model_ = std::move(rules);
}

// Each word is a token. Its "unk_token" need not be in the vocabulary: then a word that is not has no number, and is
// refused by who wants one.
void TokenizerReader::read_whole_words(JsonValue model, ModelTokenizer& tokenizer) {
    want_members(model, "model", {"vocab", "unk_token"});
    tokenizer.writing_ = ModelTokenizer::Writing::words;
    tokenizer.unknown_ = tokenizer.vocabulary_.find(text_member(model, "unk_token")).value_or(-1);
}

void TokenizerReader::add_special(std::initializer_list<std::string_view> names, ModelTokenizer& tokenizer) {
    std::vector<AddedToken> added;
    for (const std::string_view name : names)
        if (const std::optional<int> id = tokenizer.vocabulary_.find(name))
            added.push_back({.text = std::string(name), .id = *id});
    tokenizer.added_ = AddedTokens(std::move(added));
}

Result<ModelTokenizer> TokenizerReader::read_json(const TokenizerFiles& files) {
    const Result<JsonTree> tree = JsonTree::read(files.tokenizer_json, "tokenizer.json");
    if (!tree) return Read::failure(tree.error());
    const JsonValue root = tree->root();
    const std::optional<JsonValue> model = root.find("model");
    if (!model || !model->is(JsonKind::object))
        return Read::failure("tokenizer.json has no \"model\": it is the file of no tokenizer.");
    const std::optional<JsonValue> vocab = model->find("vocab");
    if (!vocab) return Read::failure("tokenizer.json has a model without a \"vocab\".");
    std::string type(text_member(*model, "type"));
    if (type.empty())  // as older files are read
        type = model->find("merges") ? "BPE" : vocab->is(JsonKind::list) ? "Unigram" : "WordPiece";
    std::vector<double> scores;
    Tokens tokens = type == "Unigram" ? read_scores(*vocab, scores) : read_vocabulary(*vocab, "tokenizer.json");
    read_added(root, tokens);
    if (!problem_.empty()) return Read::failure(problem_);
    Result<Vocabulary> vocabulary = Vocabulary::make(std::move(tokens));
    if (!vocabulary) return Read::failure(vocabulary.error());
    ModelTokenizer tokenizer(std::move(*vocabulary));
    if (const std::optional<JsonValue> change = root.find("normalizer")) read_changes(*change, tokenizer);
    if (const std::optional<JsonValue> cut = root.find("pre_tokenizer")) read_cuts(*cut, tokenizer);
    if (type == "BPE") {
        read_byte_pairs(*model, tokenizer);
    } else if (type == "Unigram") {
        read_unigram(*model, std::move(scores), tokenizer);
    } else if (type == "WordPiece") {
        read_word_pieces(*model, tokenizer);
    } else if (type == "WordLevel") {
        read_whole_words(*model, tokenizer);
    } else {
        refuse_type("model", type, "BPE, Unigram, WordPiece and WordLevel");
    }
    if (const std::optional<JsonValue> frame = root.find("post_processor")) read_frame(*frame, tokenizer);
    if (!problem_.empty()) return Read::failure(problem_);
    // Such a token is looked for as what the text becomes has it.
    for (AddedToken& one : added_changed_) {
        Text text = unicode::characters_of(one.text);
        for (const TextChange& change : tokenizer.changes_) text = change(std::move(text));
        one.text.clear();
        for (const unicode::Character& letter : text) unicode::append_utf8(one.text, letter.code);
    }
    std::erase_if(added_changed_, [](const AddedToken& one) { return one.text.empty(); });
    tokenizer.added_ = AddedTokens(std::move(added_));
    tokenizer.added_changed_ = AddedTokens(std::move(added_changed_));
    return tokenizer;
}

Result<ModelTokenizer> TokenizerReader::read_gpt2(const TokenizerFiles& files) {
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
    add_special({"<|endoftext|>"}, tokenizer);
    if (const std::optional<int> unknown = tokenizer.vocabulary_.find("<unk>")) tokenizer.unknown_ = *unknown;
    tokenizer.writing_ = ModelTokenizer::Writing::bytes;
    tokenizer.cuts_.push_back(cut_of_gpt2(false));
    finish_pairs(merges, {.unknown = tokenizer.unknown_}, tokenizer);
    if (!problem_.empty()) return Read::failure(problem_);
    return tokenizer;
}

Result<ModelTokenizer> TokenizerReader::read_bert(const TokenizerFiles& files) {
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
    add_special({"[CLS]", "[MASK]", "[PAD]", "[SEP]", "[UNK]"}, tokenizer);
    const std::optional<int> unknown = tokenizer.vocabulary_.find("[UNK]");
    if (!unknown) return Read::failure("vocab.txt has no [UNK], the token for unknown words.");
    tokenizer.unknown_ = *unknown;
    tokenizer.model_ = WordPieceRules{.unknown = *unknown};
    tokenizer.prefix_ = WordPieceRules().prefix;
    tokenizer.writing_ = ModelTokenizer::Writing::word_pieces;
    if (const std::optional<int> id = tokenizer.vocabulary_.find("[CLS]")) tokenizer.before_ = {*id};
    if (const std::optional<int> id = tokenizer.vocabulary_.find("[SEP]")) tokenizer.behind_ = {*id};
    WordCleaning cleaning;
    if (!files.tokenizer_config_json.empty()) {
        const Result<JsonTree> tree = JsonTree::read(files.tokenizer_config_json, "tokenizer_config.json");
        if (!tree) return Read::failure(tree.error());
        cleaning.makes_lower_case = flag_of(tree->root(), "do_lower_case", true);
        cleaning.drops_accents = flag_of(tree->root(), "strip_accents", cleaning.makes_lower_case);
        cleaning.parts_chinese = flag_of(tree->root(), "tokenize_chinese_chars", true);
    }
    tokenizer.changes_.push_back(change_of(cleaning));
    tokenizer.cuts_.push_back(cut_of_bert());
    return tokenizer;
}

}  // namespace attn
