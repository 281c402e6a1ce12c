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

// `count` sentences of held-out templates of this kind, drawn by their shares. Kinds: "attachment", "agreement" (the
// verb is kept under 5, the subject under 1; those without an attractor are left out), "copying", "names".
std::vector<TestSentence> test_sentences(const Grammar& grammar, std::string_view kind, int count);

}  // namespace attn
