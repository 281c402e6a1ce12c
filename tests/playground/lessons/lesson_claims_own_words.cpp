// What the lessons about typed texts claim: byte-pairs, own-sentence. Claims about the trained model are bounds rather
// than digits where words allow it, and hold its heads' numbers.
#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <utility>

#include "model/learn/own_model.h"
#include "playground/lessons/seen_model.h"
#include "playground/link/link_text.h"
#include "playground/numbers/stage_labels.h"

namespace attn::test {
namespace {

using Pieces = std::vector<std::string>;
using Pair = std::pair<std::string, std::string>;

Pieces pieces_of(const Seen& step) {
    Pieces pieces;
    for (int i = 0; i < step.evaluation().num_tokens(); ++i) pieces.push_back(token_text(step.evaluation(), i));
    return pieces;
}

double num_pieces(const Seen& step) {
    return static_cast<double>(pieces_of(step).size());
}

// How often each pair stands together; "_" begins a word, and no pair reaches into the next one.
std::map<Pair, int> pair_counts(const Pieces& pieces) {
    std::map<Pair, int> counts;
    for (std::size_t i = 0; i + 1 < pieces.size(); ++i) {
        if (!pieces[i + 1].starts_with('_')) ++counts[{pieces[i], pieces[i + 1]}];
    }
    return counts;
}

// How often it stands together, having checked that no other pair does as often; then the most of another.
Numbers count_alone(const Pieces& pieces, const Pair& pair) {
    std::map<Pair, int> counts = pair_counts(pieces);
    const int count = counts[pair];
    counts.erase(pair);
    int most = 0;
    for (const auto& [other, times] : counts) most = std::max(most, times);
    CHECK(most < count);
    return {static_cast<double>(count), static_cast<double>(most)};
}

Pieces merged(const Pieces& pieces, const Pair& pair) {
    Pieces after;
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        const bool stands = i + 1 < pieces.size() && Pair{pieces[i], pieces[i + 1]} == pair;
        after.push_back(stands ? pieces[i] + pieces[i + 1] : pieces[i]);
        if (stands) ++i;
    }
    return after;
}

// Checks that the step is the one before it with this pair merged, the pair that stood together most often.
Numbers count_of_merge(const Seen& step, const Pair& pair) {
    const Pieces before = pieces_of(step.with(concat("step=", step.state().view.step)));
    CHECK(pieces_of(step) == merged(before, pair));
    return count_alone(before, pair);
}

// As the file has them: "\u0120" is the blank before a word.
std::vector<std::string> merges_of_file() {
    const nlohmann::json file = nlohmann::json::parse(own_model_file("tokenizer.json", "own-words"));
    std::vector<std::string> merges;
    for (const nlohmann::json& merge : file.at("model").at("merges")) merges.push_back(merge.get<std::string>());
    return merges;
}

// A word of ASCII letters, merged as the file says: of the pairs that stand in it, the one learned first. As shown,
// without the blank before it.
Pieces pieces_of_word(const std::string& word) {
    const std::vector<std::string> merges = merges_of_file();
    Pieces pieces = {"\u0120"};
    for (const char letter : word) pieces.emplace_back(1, letter);
    for (;;) {
        auto first = merges.end();
        for (std::size_t i = 0; i + 1 < pieces.size(); ++i)
            first = std::min(first, std::find(merges.begin(), merges.end(), pieces[i] + " " + pieces[i + 1]));
        if (first == merges.end()) break;
        const std::size_t cut = first->find(' ');
        pieces = merged(pieces, {first->substr(0, cut), first->substr(cut + 1)});
    }
    pieces.at(0).erase(0, std::string_view("\u0120").size());
    return pieces;
}

double weight_at_cell(const Seen& step) {
    const Cell cell = step.state().view.cell.value();
    return step.at(kWeights, cell.row, cell.column, cell.head + 1);
}

// A head as the card names it, and its score.
double score_of_head(const SeenModel& model, int layer, int head, HeadRole role) {
    const std::vector<RoleScore>& scores = model.head(layer, head).scores;
    CHECK(scores.at(0).role == role);
    CHECK(scores.at(0).score >= kClearRole);
    return scores.at(0).score;
}

// How much of its attention a head gives to the token before, whatever its card names first.
double look_at_token_before(const SeenModel& model, int layer, int head) {
    for (const RoleScore& score : model.head(layer, head).scores) {
        if (score.role == HeadRole::token_before) return score.score;
    }
    return 0;
}

// How many heads of all layers have this as their first score.
int count_role(const SeenModel& model, HeadRole role) {
    int count = 0;
    for (const LayerPicture& layer : model.picture().layers) {
        for (const HeadPicture& head : layer.heads) {
            if (head.scores.at(0).role == role && head.scores.at(0).score >= kClearRole) ++count;
        }
    }
    return count;
}

double num_heads_of_layer(const SeenModel& model) {
    return static_cast<double>(model.picture().layers.at(0).heads.size());
}

// The head of layer 4 that adds most to the logit of "well".
int largest_vote(const SeenModel& model) {
    int largest = 1;
    for (int head = 2; head <= 8; ++head) {
        if (model.vote("well", 4, head) > model.vote("well", 4, largest)) largest = head;
    }
    return largest;
}

}  // namespace

std::vector<Claim> claims_of_own_words() {
    return {
        {"byte-pairs", 1, "That is 31 tokens, and a table of 31 rows",
         [](const Seen& step) -> Numbers {
             for (const std::string& piece : pieces_of(step)) CHECK(piece.size() == 1);
             return {num_pieces(step), static_cast<double>(step.largest(kWeights).size())};
         }},
        {"byte-pairs", 2, "“h” and “e”, 6 times.\nNo other pair is there more than 4 times",
         [](const Seen& step) -> Numbers { return count_of_merge(step, {"h", "e"}); }},
        {"byte-pairs", 2, "25 tokens are left", [](const Seen& step) -> Numbers { return {num_pieces(step)}; }},
        {"byte-pairs", 3, "“t” and “he”, 4 times",
         [](const Seen& step) -> Numbers { return {count_of_merge(step, {"t", "he"})[0]}; }},
        {"byte-pairs", 3, "21 are left", [](const Seen& step) -> Numbers { return {num_pieces(step)}; }},
        {"byte-pairs", 4, "“_” and “the”, 3 times.\n“_the” is the next token, and 18 are left",
         [](const Seen& step) -> Numbers { return {count_of_merge(step, {"_", "the"})[0], num_pieces(step)}; }},
        {"byte-pairs", 4, "“_ he” and “he n” stand there 2 times each",
         [](const Seen& step) -> Numbers {
             std::map<Pair, int> counts = pair_counts(pieces_of(step));
             for (const auto& [pair, count] : counts) {
                 const bool is_named = pair == Pair{"_", "he"} || pair == Pair{"he", "n"};
                 CHECK((is_named ? count == 2 : count < 2));
             }
             return {static_cast<double>(counts[{"_", "he"}])};
         }},
        {"byte-pairs", 5, "all three “_the” have the same key, and the last row gives them the same weight. Two of",
         [](const Seen& step) -> Numbers {
             const Pieces pieces = pieces_of(step);
             const Numbers weights = step.row(kWeights, step.evaluation().num_tokens() - 1);
             std::set<double> given;
             for (std::size_t i = 0; i < pieces.size(); ++i) {
                 if (pieces[i] == "_the") given.insert(weights[i]);
             }
             CHECK(step.row(kK, 0) == step.row(kK, 2));
             CHECK(step.row(kK, 0) == step.row(kK, 10));
             CHECK(given == std::set<double>{weight_at_cell(step)});
             const auto named = static_cast<double>(std::count(pieces.begin(), pieces.end(), "_the"));
             return {named, named - 1};
         }},
        {"byte-pairs", 6, "256 bytes, then 3,839 merges",
         [](const Seen& step) -> Numbers {
             const auto merges = static_cast<double>(merges_of_file().size());
             const ModelText text = model_text(step.state().inputs, 0).value();
             return {text.tokenizer->size() - merges - 1, merges};  // and the token that begins every text
         }},
        {"byte-pairs", 6, "The first joined “_” and “t”, the second “h” and “e”, the sixth made “_the”",
         [](const Seen& /*step*/) -> Numbers {
             const std::vector<std::string> merges = merges_of_file();
             CHECK(merges.at(0) == "\u0120 t");
             CHECK(merges.at(1) == "h e");
             CHECK(merges.at(5) == "\u0120t he");
             return {};
         }},
        {"byte-pairs", 7, "The 31 letters and blanks are nine tokens here, behind one that begins every text",
         [](const Seen& step) -> Numbers { return {num_pieces(step.with("step=1")), num_pieces(step) - 1}; }},
        {"byte-pairs", 7, "Only “hen” is still two pieces",
         [](const Seen& step) -> Numbers {
             const Pieces pieces = pieces_of(step);
             CHECK(pieces == Pieces{"<|endoftext|>", "then", "the", "he", "n", "saw", "the", "other", "he", "n"});
             return {2};
         }},
        {"byte-pairs", 7, "these merges, in the order in which they were learned",
         [](const Seen& step) -> Numbers {
             for (const int at : {7, 8}) {
                 const Seen seen = step.with(concat("step=", at));
                 Pieces pieces = {"<|endoftext|>"};
                 std::istringstream words(seen.state().inputs.texts.at(0));
                 for (std::string word; words >> word;) {
                     for (const std::string& piece : pieces_of_word(word)) pieces.push_back(piece);
                 }
                 CHECK(pieces_of(seen) == pieces);
             }
             return {};
         }},
        {"byte-pairs", 8, "each is four pieces, and the last two are the same, “ph” and “one”",
         [](const Seen& step) -> Numbers {
             const Pieces pieces = pieces_of(step);
             CHECK(pieces ==
                   Pieces{"<|endoftext|>", "a", "te", "le", "ph", "one", "and", "a", "sm", "art", "ph", "one"});
             return {4, 2};
         }},
        {"byte-pairs", 9, ": yes",
         [](const Seen& step) -> Numbers {
             const Pieces pieces = pieces_of(step.with("step=8&text=microphone&cell="));
             REQUIRE(pieces.size() >= 2);
             CHECK(pieces.end()[-2] == "ph");
             CHECK(pieces.back() == "one");
             return {};
         }},
        {"byte-pairs", 9, "head 1 of layer 1 has the same value for both; positions turn only queries and keys",
         [](const Seen& step) -> Numbers {
             CHECK(step.row(kV, 5) == step.row(kV, 11));  // so the number is printed once more
             CHECK(step.row(kX, 5) == step.row(kX, 11));
             CHECK(step.row(kQ, 5) != step.row(kQ, 11));
             CHECK(step.row(kK, 5) != step.row(kK, 11));
             CHECK(step.state().view.cell == Cell{.head = 0, .row = 11, .column = 0});
             return {step.state().view.cell->head + 1.0, step.state().inputs.layer + 1.0};
         }},
        {"byte-pairs", 10, "In layer 2 the two rows of “one” differ",
         [](const Seen& step) -> Numbers {
             CHECK(step.row(kV, 5) != step.row(kV, 11));
             CHECK(step.row(kX, 5) != step.row(kX, 11));
             return {step.state().inputs.layer + 1.0, 2};
         }},
        {"byte-pairs", 10, "layer 1 has added",
         [](const Seen& step) -> Numbers { return {1.0 * step.state().inputs.layer}; }},
        {"byte-pairs", 11, "The smiley comes as a blank and four bytes",
         [](const Seen& step) -> Numbers {
             const ModelText text = model_text(step.state().inputs, 0).value();
             const std::string smiley = step.state().inputs.texts.at(0).substr(11);
             CHECK(pieces_of(step).size() == 4 + 1 + smiley.size());
             return {static_cast<double>(smiley.size())};
         }},

        {"own-sentence", 1, "Eight heads",
         [](const Seen& step) -> Numbers {
             CHECK(step.state().inputs.model.empty());
             return {static_cast<double>(step.evaluation().sizes.num_heads)};
         }},
        {"own-sentence", 1, "as wide as those of the model to come",
         [](const Seen& step) -> Numbers {
             CHECK(step.evaluation().sizes.head_dim() == step.with("step=2").evaluation().sizes.head_dim());
             return {};
         }},
        {"own-sentence", 1, "with another seed it looks elsewhere",
         [](const Seen& step) -> Numbers {
             const Seen other = step.with("seed=124");
             int moved = 0;
             for (int head = 1; head <= 8; ++head) {
                 const int last = step.evaluation().num_tokens() - 1;
                 if (place_of_largest(step.row(kWeights, last, head)) !=
                     place_of_largest(other.row(kWeights, last, head)))
                     ++moved;
             }
             CHECK(moved >= 4);
             return {};
         }},
        {"own-sentence", 2, "4 layers of 8 heads",
         [](const Seen& step) -> Numbers {
             const SeenModel model(step);
             return {static_cast<double>(model.picture().layers.size()), num_heads_of_layer(model)};
         }},
        {"own-sentence", 2, "It puts “well” first and “much” second, and the two together get more than half",
         [](const Seen& step) -> Numbers {
             const SeenModel model(step);
             CHECK(model.most_probable() == "well");
             CHECK(model.second() == "much");
             CHECK(model.probability("well") + model.probability("much") > 0.5);
             return {2};
         }},
        {"own-sentence", 3, "layer 4's MLP adds more than any of its heads, and so does layer 1",
         [](const Seen& step) -> Numbers {
             const SeenModel model(step);
             const double most = model.vote("well", 4, largest_vote(model));
             CHECK(most > 0);
             CHECK(model.vote_of_mlp("well", 4) > most);
             CHECK(model.vote_of_layer("well", 1, 4) > most);
             return {4, 1};
         }},
        {"own-sentence", 3, "Which head of layer 4",
         [](const Seen& step) -> Numbers { return {step.state().inputs.layer + 1.0}; }},
        {"own-sentence", 4, "head 3.\nHead 3 is off here. “well” stays first",
         [](const Seen& step) -> Numbers {
             CHECK(SeenModel(step).most_probable() == "well");
             const int largest = largest_vote(SeenModel(step.with("step=3")));
             CHECK(step.state().inputs.off == std::vector<HeadOff>{{3, largest - 1}});
             return {1.0 * largest, 1.0 * largest};
         }},
        {"own-sentence", 4, "whichever single head of layer 4",
         [](const Seen& step) -> Numbers {
             for (int head = 1; head <= 8; ++head) {
                 CAPTURE(head);
                 const SeenModel model(step.with(concat("off=4:", head)));
                 CHECK(model.most_probable() == "well");
                 CHECK(model.probability("well") > 0.3);
             }
             return {4};
         }},
        {"own-sentence", 5, "In layer 1 head 3 looks at each word itself and hardly at another",
         [](const Seen& step) -> Numbers {
             CHECK(score_of_head(SeenModel(step.with("off=")), 1, 3, HeadRole::itself) > 0.9);
             return {1, 3};
         }},
        {"own-sentence", 5,
         "Without it “well” loses more than half of its probability; without head 2, beside it, next",
         [](const Seen& step) -> Numbers {
             CHECK(step.state().inputs.off == std::vector<HeadOff>{{0, 2}});
             const double whole = SeenModel(step.with("off=")).probability("well");
             CHECK(SeenModel(step).probability("well") < whole / 2);
             CHECK(std::abs(SeenModel(step.with("off=1:2")).probability("well") - whole) < 0.05);
             return {2};
         }},
        {"own-sentence", 6, "Some look at the token before, some at the token itself, some at the first token",
         [](const Seen& step) -> Numbers {
             const SeenModel model(step);
             CHECK(count_role(model, HeadRole::token_before) >= 2);
             CHECK(count_role(model, HeadRole::itself) >= 2);
             CHECK(count_role(model, HeadRole::first_token) >= 2);
             return {};
         }},
        {"own-sentence", 6, "Scroll down to layer 4",
         [](const Seen& step) -> Numbers { return {step.state().inputs.layer + 1.0}; }},
        {"own-sentence", 7, ": head 1",
         [](const Seen& step) -> Numbers {
             const SeenModel model(step.with("step=6"));
             CHECK(step.state().inputs.layer == 3);
             int most = 1;
             for (int head = 2; head <= 8; ++head) {
                 if (look_at_token_before(model, 4, head) > look_at_token_before(model, 4, most)) most = head;
             }
             CHECK(step.state().view.cell->head == most - 1);
             CHECK(score_of_head(model, 4, most, HeadRole::token_before) > 0.5);
             return {1.0 * most};
         }},
        {"own-sentence", 7, "The row sums to 1",
         [](const Seen& step) -> Numbers {
             CHECK(weight_at_cell(step) > 0.5);
             return {step.sums(kWeights, step.state().view.cell->head + 1).back()};
         }},
        {"own-sentence", 8, "the row sums to 1 again",
         [](const Seen& step) -> Numbers { return {step.sums(kWeights).back()}; }},
        {"own-sentence", 9, ": less",
         [](const Seen& step) -> Numbers {
             const double trained = weight_at_cell(step.with("step=7")), random = weight_at_cell(step.with("step=8"));
             CHECK(random < trained / 2);
             return {};
         }},
        {"own-sentence", 9, "This head gives most of its attention to the token that begins every text",
         [](const Seen& step) -> Numbers {
             CHECK(score_of_head(SeenModel(step), step.state().inputs.layer + 1, step.state().view.head.value() + 1,
                                 HeadRole::first_token) > 0.5);
             return {};
         }},
        {"own-sentence", 9, "Several heads do so",
         [](const Seen& step) -> Numbers {
             CHECK(count_role(SeenModel(step), HeadRole::first_token) >= 3);
             return {};
         }},
        {"own-sentence", 10, "“States” gets more than 0.9",
         [](const Seen& step) -> Numbers {
             CHECK(SeenModel(step).probability("States") > 0.9);
             return {0.9};
         }},
        {"own-sentence", 11, "“b” gets less than 0.05. first-words, trained on such copies, says “b”",
         [](const Seen& step) -> Numbers {
             CHECK(SeenModel(step).probability("b") < 0.05);
             const Seen first_words(
                 concat("model=first-words&view=model&text=", encode_form(step.state().inputs.texts[0])));
             CHECK(SeenModel(first_words).most_probable() == "b");
             return {0.05};
         }},
        {"own-sentence", 11, "own-words is right no more often than a coin",
         [](const Seen& /*step*/) -> Numbers {
             const nlohmann::json card = nlohmann::json::parse(own_model_file("card.json", "own-words"));
             for (const nlohmann::json& score : card.at("scores")) {
                 if (score.at("name") == "agreement") CHECK(score.at("value").get<double>() <= 0.5);
                 if (score.at("name") == "copying") CHECK(score.at("value").get<double>() < 0.05);
             }
             return {};
         }},
        {"own-sentence", 12, "at most 127 tokens",
         [](const Seen& step) -> Numbers {
             return {SeenModel(step).picture().config.max_positions - 1.0};  // behind the token that begins every text
         }},
    };
}

}  // namespace attn::test
