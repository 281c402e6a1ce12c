// A grammar that makes sentences for training, and says how likely each word is: templates with slots that are filled
// from classes of words. It is data (a recipe's "classes" and "templates"); knows no model.
//
// A template is a line of words and slots, with blanks between:
//
//   the                 that word
//   $person             one word of the class, each as likely as the others
//   $person#1           the same, kept under the number 1
//   $person#2!1         not the one that is kept under 1 (nor, with "!1,2", those under 1 and 2)
//   #1                  the word that is kept under 1
//   ~letter:5:3         five different words of the class, and all of that three times
//
// Sentences follow each other without end: each is made from a template that is drawn by the templates' shares.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/ground/random.h"
#include "core/ground/result.h"
#include "model/files/json_tree.h"

namespace attn {

struct GrammarSlot {
    enum class Kind { word, draw, repeat };
    Kind kind = Kind::word;
    int word = 0;             // Kind::word: its token
    int word_class = 0;       // Kind::draw
    int number = -1;          // under which a drawn word is kept, or that is repeated; -1: not kept
    std::vector<int> unlike;  // Kind::draw: numbers of words that it must not be
};

struct SentenceTemplate {
    std::string kind;          // which ability it teaches: "attachment"
    double share = 0;          // of all sentences; of a held-out one: of all held-out sentences
    bool is_held_out = false;  // never trained: for tests alone
    std::vector<GrammarSlot> slots;
    std::string text;  // as the recipe has it
};

class Grammar {
public:
    static constexpr int kBegin = 0;                                    // the token before each text, "<s>"
    static constexpr int kMaxKept = 40;                                 // numbers of kept words, from 0 on
    static constexpr std::size_t kMaxWords = 10'000, kMaxSlots = 1024;  // of a grammar; of a template

    // Reads a recipe's "classes", an object with the words of each, blanks between, and "kinds", a list of objects with
    // a "kind", its "share" of all sentences and its "templates", each an object with a "text", its "share" within the
    // kind (1 if there is none) and, where it is for tests alone, "held_out": true. Shares count relative to each
    // other. Tokens are numbered in the order of the classes, then of the templates. Fails with a sentence: what is
    // missing, a class or a number that is not there, a word twice in a class, more words or slots than there may be,
    // a share that is not from kLeastShare to 1 / kLeastShare, no template that is trained (with `is_for_tests`: one
    // that is not held out).
    static constexpr double kLeastShare = 1e-6;
    static Result<Grammar> read(JsonValue recipe, bool is_for_tests = false);

    const std::vector<std::string>& words() const { return words_; }  // by token; words()[0] is "<s>"
    std::optional<int> find(std::string_view word) const;
    std::span<const SentenceTemplate> templates() const { return templates_; }
    std::span<const int> words_of_class(int word_class) const;  // tokens

    // One sentence of this template.
    std::vector<int> make(const SentenceTemplate& from, TorchGenerator& generator) const;
    // One of those that are trained, or of those that are held out, drawn by their shares.
    const SentenceTemplate& draw(TorchGenerator& generator, bool held_out = false) const;
    // <s> and sentences, cut after `size` tokens.
    std::vector<int> make_text(TorchGenerator& generator, int size, bool held_out = false) const;

    // -ln of the probability of each token of a text as make_text makes it, the first (<s>) left out: what somebody who
    // knows the grammar, and all templates that are trained, cannot foresee. The mean over many texts is the loss that
    // no model goes below. Infinite for a text that the grammar does not make.
    std::vector<double> surprise(std::span<const int> text) const;

private:
    struct WordClass {
        std::string name;
        std::vector<int> words;
    };
    friend class GrammarReader;
    std::vector<std::string> words_;
    std::vector<WordClass> classes_;
    std::vector<SentenceTemplate> templates_;
};

// A whole number from 0 to below `count`, from one 32-bit draw.
int draw_below(TorchGenerator& generator, int count);

}  // namespace attn
