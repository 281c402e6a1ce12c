// Held-out sentences, with the rows and words that each ability is about.
#pragma once

#include <string_view>
#include <vector>

#include "model/grammar/grammar.h"
#include "model/roles/votes.h"

namespace attn {

struct TestSentence {
    std::vector<int> ids;         // <s> and the sentence
    std::vector<Target> targets;  // the words that the ability decides, each after its row
    // Where there is one target: tokens that compete with its own (the other person, the verbs of the other number),
    // and those that are as right as it.
    std::vector<int> right, wrong;
    // Attachment: the places of the owner and of the other. Agreement: of the subject.
    int owner = -1, other = -1;
    bool is_ambiguous = false;  // attachment: another template has the other answer in the same place
};

// `count` sentences of held-out templates of this kind, drawn by their shares, of at most `most_tokens` with <s>.
// Kinds: "attachment" and "names" (a word repeats at the end, one of the two kept under 1 and 2), "agreement" (the verb
// is kept under 5 and has words of two classes, the subject under 1 and comes before it), "copying". Templates without
// that are left out: no sentences where none is left, fewer than `count` where its share is next to nothing.
std::vector<TestSentence> test_sentences(const Grammar& grammar, std::string_view kind, int count, int most_tokens);

}  // namespace attn
