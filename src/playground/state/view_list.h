// The views: ways to look at one state. A new view is one row of this list and a room of its own: src/views/NAME holds
// figure_of_NAME (its figure) and tables_of_NAME (its numbers as text), src/ui draw_NAME (its panel).
#pragma once

// VIEW(name in links and in C++, title on the bar, help, what it shows, what it does with numbers that are blank).
// In the order of the bar: what most visitors come for first. A view after the last tab (view_bar.cpp) is found under
// "More" alone.
#define ATTN_VIEWS(VIEW)                                                                                             \
    VIEW(matrix, "Attention", "heat maps of all heads", kStage | kStageScan, as_stage)                               \
    VIEW(lines, "Lines", "each weight a line from query to key", kStage | kStageScan, gives_away)                    \
    VIEW(model, "Model", "all heads of a trained model, the next words, and who votes for them", kModel, gives_away) \
    VIEW(cache, "KV cache", "token by token: what is computed, what is kept, what it costs", kOwn, gives_away)       \
    VIEW(learn, "Learning", "the loss at each step, and how the maps change", kOwn, gives_away)                      \
    VIEW(compare, "Compare", "two states side by side, and their difference", kStage | kStageScan, gives_away)       \
    VIEW(vectors, "Vectors", "queries and keys as arrows, the context as a chain of values", kStage, gives_away)     \
    VIEW(numbers, "Numbers", "the matrices as tables", kStage | kStageScan, as_stage)                                \
    VIEW(edit, "Edit", "type over any number of the embeddings, matrices, biases, mask", kOwn, as_tensor)            \
    VIEW(split, "Split", "one matrix of weights becomes many heads, and back", kOwn, prints_marks)                   \
    VIEW(stacked, "Stacked", "heads one by one, and heads cut from one matrix", kOwn, prints_marks)                  \
    VIEW(cost, "Cost", "learned numbers, memory, multiply-adds", kOwn, tells_nothing)                                \
    VIEW(dots, "Dot products", "why scores are divided by √d", kOwn, gives_away)                                     \
    VIEW(softmax, "Softmax", "what a gain makes of a few numbers", kOwn, tells_nothing)                              \
    VIEW(lens, "Logit lens", "the word that each layer’s stream would give", kModel, gives_away)                     \
    VIEW(journey, "Journey", "one token’s row at each stop of its way through a model, and who adds what", kModel,   \
         gives_away)                                                                                                 \
    VIEW(patch, "Patching", "what one part of a second text’s run carries into this one", kModel, gives_away)        \
    VIEW(door, "Start", "the opening scene: where one head looks, and the next word with and without it", kOwn,      \
         gives_away)
