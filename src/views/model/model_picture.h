// The numbers of view=model: what a model makes of one text, layer by layer and head by head, and of the word that
// comes next. Knows no screen.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/layers/model_run.h"
#include "model/roles/ablation.h"
#include "model/roles/rollout.h"
#include "model/roles/votes.h"
#include "model/words/model_tokenizer.h"

namespace attn {

// What a head may do on a text (model/roles/role_scores.h).
enum class HeadRole { token_before, itself, first_token, same_word, copies };
std::string_view role_name(HeadRole role);     // "token before"
std::string_view role_meaning(HeadRole role);  // "the mean weight on the token before"

struct RoleScore {
    HeadRole role = HeadRole::token_before;
    double score = 0;  // 0 to 1
    double even = 0;   // of a head that gives all keys it sees the same weight
};
inline constexpr double kClearRole = 0.4;  // from here on a score names the head

inline constexpr int kMostPictureCells = 64;  // rows and columns of a picture's maps

// Numbers of a head's map: weights, with -inf in hidden cells. Of more tokens than kMostPictureCells neighbours are
// joined: the largest of them.
struct HeadPicture {
    Matrix weights;
    std::vector<RoleScore> scores = {};  // that the text can tell, the most above `even` first
};

struct LayerPicture {
    std::vector<HeadPicture> heads;
    Matrix mean;     // of the heads, likewise
    Matrix rollout;  // from the first layer up to this one; size 0 for texts of more than kMostRollout tokens
};
inline constexpr int kMostRollout = 256;
inline constexpr double kMostAblationCost = 2e9;     // multiply-adds: of a small model, part of a second
inline constexpr double kMostAblationNumbers = 4e6;  // probabilities: 16 MB

struct ModelPicture {
    ModelConfig config;
    std::int64_t num_parameters = 0;
    ModelInput input;
    std::vector<std::string> words;            // of each token
    int row = 0;                               // after which the next word is looked at
    std::vector<LayerPicture> layers;          // those that are done
    std::vector<std::vector<double>> lengths;  // of the stream before each layer and after the last: [layer][token]
    std::vector<float> logits, probabilities;  // after `row`, of each token of the vocabulary; empty: it has none
    SoftmaxOfRow softmax;                      // by which the logits become probabilities
    std::vector<float> untouched;              // probabilities with no head off and no number changed; else empty
    std::optional<Ablations> ablations;        // of this row; nothing: they cost more than the above
    HeadOff chosen;                            // the head that would be switched now
    std::vector<float> switched;  // probabilities with it off, or on again if it is off; empty: not there yet

    int num_tokens() const { return static_cast<int>(words.size()); }
    bool has_next() const { return !probabilities.empty(); }
    bool is_off(int layer, int head) const { return input.is_off(layer, head); }
    // The most probable tokens, the first of equals first.
    std::vector<int> most_probable(int count) const;
};

// At most `most` rows and columns: neighbours are joined by their largest number; -inf where all are.
Matrix joined_cells(const Matrix& matrix, int most);

// A model and a text, in slices.
class ModelPictureWork {
public:
    // `run`'s model stays where it is. `words` are its tokens, `row` one of them; `head` is there.
    ModelPictureWork(std::shared_ptr<ModelRun> run, std::vector<std::string> words, int row, HeadOff head);
    // Goes on for about `multiply_adds`. Returns is_done().
    bool advance(std::int64_t multiply_adds);
    bool is_done() const { return step_ == Step::done; }
    // All but what switching the chosen head does: it may change while that is computed.
    bool has_picture() const { return step_ >= Step::switched; }
    const ModelPicture& picture() const { return picture_; }
    // Of what is under way: the text as it is, or the same without what was changed.
    ModelProgress progress() const;

    // Another head may be switched: only that is computed again.
    void choose_head(HeadOff head);

    // Empty where votes() may be asked for once has_picture(); else why not.
    const std::string& votes_problem() const { return votes_problem_; }
    Votes votes(int token) const;
    // Whether the numbers that votes() needs are in memory; they are asked for.
    bool asks_for_votes(int token) const;

private:
    enum class Step { layers, logits, untouched, ablations, switched, done };
    // The same row with other heads off, or other edits.
    void begin_other(std::vector<HeadOff> off, std::vector<LayerEdit> edits);
    void add_layer(LayerTrace& trace);
    void finish_layers();
    void finish_next();  // the next word is there, or there is none
    void begin_ablations();
    void begin_switched();

    const Model* model_;
    Step step_ = Step::layers;
    ModelPicture picture_;
    std::shared_ptr<ModelRun> run_;
    std::unique_ptr<LogitsWork> logits_;
    std::optional<LayerWork> layer_;
    std::optional<RowLogits> other_;  // of the steps untouched and switched
    std::optional<AblationWork> ablation_;
    Rollout rollout_;
    std::optional<StreamParts> parts_;
    std::string votes_problem_;
    Matrix final_row_;  // (1, width): of the row that is looked at
};

// All of it at once.
ModelPicture model_picture(const Model& model, ModelInput input, std::vector<std::string> words, int row, HeadOff head);

// A token of the vocabulary for people: without the sign of a blank before it. Without a tokenizer "token 17".
std::string word_of_token(const ModelTokenizer* tokenizer, int id);
// The token that a person means by a word: as word_of_token names it, the one with a blank before it first.
std::optional<int> token_of_word(const ModelTokenizer* tokenizer, std::string_view word);

}  // namespace attn
