// What the lessons about a trained model ask before they go on: where a head looks, which head does it, what becomes of
// a word without one.
#pragma once

#include "playground/steps/lesson_table.h"

namespace attn {

inline constexpr ChoiceText kTokenBeforeChoices[] = {
    {"“n”", "10", "Its own token gets {weights 8,10,10}: the card says that this head looks at the one before."},
    {"“n”", "4", "The first “n” is the same letter, but this head goes by place: it gets {weights 8,10,4}."},
};
inline constexpr PredictionText kTokenBefore = {
    .kind = PredictionKind::cell,
    .question = "At which token does head 8 look most from the last “n”? Press its cell, or its letter.",
    .choices = kTokenBeforeChoices,
    .of = "weights 8,10",
    .why = "$ gets {weights 8,10,#}.",
    .reason = "The “f” before it gets {weights 8,10,9}, nearly all of the row."};

inline constexpr ChoiceText kBeforeBrushChoices[] = {
    {"“a”", "10",
     "“a” is the token before, and gets {weights 8,11,10} here: a card says what a head does on one text."},
    {"“brush”", "11", "Its own token gets {weights 8,11,11}."},
};
inline constexpr PredictionText kBeforeBrush = {
    .kind = PredictionKind::cell,
    .question = "At which token does it look most from “brush”? Press its cell, or its word.",
    .choices = kBeforeBrushChoices,
    .of = "weights 8,11",
    .why = "$ gets {weights 8,11,#}.",
    .reason =
        "“with”, two tokens back, gets {weights 8,11,9}. A role is a summary of what a head does on a text; it is no "
        "rule."};

inline constexpr ChoiceText kSevenLooksChoices[] = {
    {"“woman”", "8",
     "It votes for “woman” and yet gives her {weights 7,18,8}: where a head looks is not what it votes for."},
    {"“artist”", "2", "“artist” gets {weights 7,18,2}."},
    {"“brush”", "16", "This is the “brush” of the question, and gets {weights 7,18,16}."},
};
inline constexpr PredictionText kSevenLooks = {
    .kind = PredictionKind::cell,
    .question = "At which word does head 7 look most from the last “the”? Press its cell, or the word.",
    .choices = kSevenLooksChoices,
    .of = "weights 7,18",
    .why = "$ gets {weights 7,18,#}.",
    .reason =
        "The first “brush” gets {weights 7,18,11}, nearly all: a head can vote for a word without looking at it."};

inline constexpr ChoiceText kOneLooksChoices[] = {
    {"only at “artist”", "weights 1,18,2 > 0.8",
     "It gives “woman” {weights 1,18,8}, too, and still votes a little against her."},
    {"at both, more at “artist”", "weights 1,18,2 > weights 1,18,8 & weights 1,18,8 > 0.1",
     "One of them has nearly all."},
    {"at both, more at “woman”", "weights 1,18,8 > weights 1,18,2",
     "“artist” gets {weights 1,18,2}, “woman” {weights 1,18,8}."},
    {"at neither", "weights 1,18,2 + weights 1,18,8 < 0.2", "The two have {weights 1,18,2 + weights 1,18,8} together."},
};
inline constexpr PredictionText kOneLooks = {
    .question = "Where does head 1 look from the last “the”?",
    .choices = kOneLooksChoices,
    .reason = "“artist” gets {weights 1,18,2} and “woman” {weights 1,18,8}: it reads both, and its vote goes to one."};

inline constexpr ChoiceText kWithoutSevenChoices[] = {
    {"“woman”", "next woman@off=2:7", "Her vote went with its head: {next woman@off=2:7} is left."},
    {"“artist”", "next artist@off=2:7", "He has {next artist@off=2:7}."},
    {"“brush”", "next brush@off=2:7", "Both readings end in a person: “brush” has {next brush@off=2:7}."},
};
inline constexpr PredictionText kWithoutSeven = {
    .question = "Which word is the most probable without head 7?",
    .choices = kWithoutSevenChoices,
    .reason = "Without head 7 “artist” has {next artist@off=2:7}, and “woman” {next woman@off=2:7}."};

inline constexpr ChoiceText kFiveLooksChoices[] = {
    {"“woman”", "8",
     "“woman” gets {weights 5,18,8}. She gains when this head goes, because it works for another word."},
    {"“brush”", "11", "“brush” gets {weights 5,18,11}."},
};
inline constexpr PredictionText kFiveLooks = {
    .kind = PredictionKind::cell,
    .question = "At which word does head 5 look most from the last “the”? Press its cell, or the word.",
    .choices = kFiveLooksChoices,
    .of = "weights 5,18",
    .why = "$ gets {weights 5,18,#}.",
    .reason = "“artist” gets {weights 5,18,2}: what this head brings of him, layer 1's MLP turns into votes."};

inline constexpr ChoiceText kThreeHeadsChoices[] = {
    {"without head 1", "next artist@off=2:1",
     "Head 1 votes for “artist” and against “woman”: without it he has {next artist@off=2:1}."},
    {"without head 2", "next artist@off=2:2",
     "Head 2 votes for both, so little changes: he has {next artist@off=2:2}."},
    {"without head 7", "next artist@off=2:7",
     "Head 7 votes for “woman” far more than for him: without it he has {next artist@off=2:7}."},
};
inline constexpr PredictionText kThreeHeads = {
    .kind = PredictionKind::order,
    .question = "Put them in order: without which of them is “artist” most probable? The most comes first.",
    .choices = kThreeHeadsChoices,
    .reason =
        "“artist” has {next artist@off=2:7} without head 7, {next artist@off=2:2} without head 2 and {next "
        "artist@off=2:1} without head 1."};

inline constexpr ChoiceText kBehindTheCopyChoices[] = {
    {"“n”", "4", "The first “n” gets {weights 8,10,4}: what comes next is not “n”, but what stood behind it."},
    {"“n”", "10", "Itself it gives {weights 8,10,10}."},
    {"“f”", "9", "That is what the head of layer 1 does; this one gives “f” {weights 8,10,9}."},
};
inline constexpr PredictionText kBehindTheCopy = {
    .kind = PredictionKind::cell,
    .question = "At which letter does head 8 look most from the second “n”? Press its cell, or the letter.",
    .choices = kBehindTheCopyChoices,
    .of = "weights 8,10",
    .why = "$ gets {weights 8,10,#}.",
    .reason = "The “b” behind the first “n” gets {weights 8,10,5}."};

inline constexpr PredictionText kWhoWrites = {
    .kind = PredictionKind::head,
    .question = "Which head of layer 1? Without it “b” is lost. Press its card, or its number.",
    .of = "0 - next b@off=1:#",
    .why = "Without head # “b” keeps {next b@off=1:#}.",
    .reason = "Without head 8, which looks at the token before, “b” keeps {next b@off=1:8}."};

inline constexpr ChoiceText kInTheMeanChoices[] = {
    {"about as much: more than 0.9", "mean weights 18,17 > 0.9",
     "Two heads are as sure, but six others count as much as they do."},
    {"about a third", "mean weights 18,17 > 0.2 & mean weights 18,17 < 0.5",
     "Two of eight heads look there, and a third one in part."},
    {"hardly anything: less than 0.1", "mean weights 18,17 < 0.1",
     "Two heads of eight make at least 2/8 of their own weight."},
};
inline constexpr PredictionText kInTheMean = {
    .question = "How much does “?” get in the mean of all eight heads?",
    .choices = kInTheMeanChoices,
    .reason = "It gets {mean weights 18,17}: what single heads do sharply, a mean shows pale."};

inline constexpr ChoiceText kFourLooksChoices[] = {
    {"“?”", "17", "That is where head 8 of layer 1 looks; here “?” gets {weights 4,18,17}."},
    {"“brush”", "16", "This is the “brush” of the question, and gets {weights 4,18,16}."},
};
inline constexpr PredictionText kFourLooks = {
    .kind = PredictionKind::cell,
    .question = "At which word does head 4 of layer 2 look most? Press its cell, or the word.",
    .choices = kFourLooksChoices,
    .of = "weights 4,18",
    .why = "$ gets {weights 4,18,#}.",
    .reason = "The first “brush” gets {weights 4,18,11}."};

inline constexpr ChoiceText kWithoutThreeChoices[] = {
    {"less than with it", "next artist@step=4 < next artist@step=4&off=", "What this head found of him is gone."},
    {"the same", "next artist@step=4 = next artist@step=4&off=", "The line is thick, and what it brings is used."},
    {"more than with it",
     "next artist@step=4 > next artist@step=4&off=", "This head brings “artist”; without it less of him is known."},
};
inline constexpr PredictionText kWithoutThree = {
    .question = "What becomes of “artist” without head 3?",
    .choices = kWithoutThreeChoices,
    .reason = "Without head 3 “artist” has {next artist@step=4}, with it {next artist@step=4&off=}."};

inline constexpr ChoiceText kWithoutFiveChoices[] = {
    {"less than with it", "next woman@step=4&off=1:5 < next woman@step=4&off=",
     "Its line leads to “woman”, but a line does not say for which word a head works."},
    {"the same", "next woman@step=4&off=1:5 = next woman@step=4&off=",
     "Hardly any vote is this head's own, and yet others need what it finds."},
    {"more than with it",
     "next woman@step=4&off=1:5 > next woman@step=4&off=", "The thick line seems to help the word it leads to."},
};
inline constexpr PredictionText kWithoutFive = {.question = "What becomes of “woman” without head 5?",
                                                .choices = kWithoutFiveChoices,
                                                .reason =
                                                    "Without head 5 “woman” has {next woman@step=4&off=1:5}, with it "
                                                    "{next woman@step=4&off=}: at the question it looks at “artist”."};

}  // namespace attn
