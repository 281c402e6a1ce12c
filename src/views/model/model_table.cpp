// Votes are written as the column on the screen has them, in thousandths, so that they add up here too.
#include "views/model/model_table.h"

#include <algorithm>

#include "core/ground/check.h"
#include "playground/print/trace_export.h"
#include "playground/text/format.h"
#include "views/model/vote_column.h"

namespace attn {
namespace {

// Of a file, so with the minus sign that programs read.
std::string written_thousandths(std::int64_t thousandths) {
    return thousandths < 0 ? "-" + shown_thousandths(-thousandths) : shown_thousandths(thousandths);
}

void write_next(std::string& out, const ModelDrawing& drawing) {
    const ModelPicture& picture = drawing.picture;
    const auto write = [&](int id, std::string_view what, const std::vector<float>& probabilities) {
        if (probabilities.empty()) return;
        out += concat("next,,,", csv_field(word_of_token(drawing.tokenizer, id)), ",", what, ",",
                      exact_number(probabilities[static_cast<std::size_t>(id)]), "\n");
    };
    std::vector<int> ids = picture.most_probable(static_cast<int>(kMostTableWords));
    if (drawing.word && std::ranges::find(ids, *drawing.word) == ids.end()) ids.push_back(*drawing.word);
    for (const int id : ids) {
        write(id, "probability", picture.probabilities);
        write(id, "untouched", picture.untouched);
        write(id, "switched", picture.switched);
    }
}

std::string_view part_name(Vote::From from) {
    switch (from) {
        case Vote::From::embeddings:
            return "embedding";
        case Vote::From::head:
            return "head";
        case Vote::From::attention_bias:
            return "attention bias";
        case Vote::From::mlp:
            return "MLP";
        case Vote::From::final_bias:
            return "last bias";
        case Vote::From::cap:
            return "soft cap";
    }
    return "";
}

void write_votes_for(std::string& out, const Votes& votes, const ModelDrawing& drawing) {
    const std::optional<VoteColumn> column = vote_column(votes, drawing.picture.input.off, drawing.layer,
                                                         votes.votes.size());  // no line is of a whole layer
    if (!column) return;
    const std::string word = csv_field(word_of_token(drawing.tokenizer, *drawing.word));
    const auto write = [&](std::string_view place, std::string_view what, std::int64_t thousandths) {
        out += concat(place, ",", word, ",", what, ",", written_thousandths(thousandths), "\n");
    };
    for (std::size_t k = 0; k < votes.votes.size(); ++k) {
        const Vote& vote = votes.votes[k];
        const VoteLine& line = column->lines[k];
        const bool is_of_all =
            vote.from == Vote::From::embeddings || vote.from == Vote::From::final_bias || vote.from == Vote::From::cap;
        const std::string layer = is_of_all ? std::string() : concat(vote.layer + 1);
        const std::string head = vote.from == Vote::From::head ? concat(vote.head + 1) : std::string();
        write(concat("vote,", layer, ",", head), concat(part_name(vote.from), line.is_off ? " off" : ""),
              line.thousandths);
    }
    if (column->rounding != 0) write("vote,,", "rounding", column->rounding);
    write("logit,,", "logit", column->logit);
}

void write_scores(std::string& out, const ModelPicture& picture) {
    for (std::size_t l = 0; l < picture.layers.size(); ++l) {
        const std::vector<HeadPicture>& heads = picture.layers[l].heads;
        for (std::size_t h = 0; h < heads.size(); ++h) {
            for (const RoleScore& one : heads[h].scores) {
                const std::string place = concat(",", l + 1, ",", h + 1, ",,", role_name(one.role), ",");
                out += concat("score", place, exact_number(one.score), "\neven", place, exact_number(one.even), "\n");
            }
        }
    }
}

}  // namespace

std::string model_csv(const ModelPictureWork& work, const ModelDrawing& drawing) {
    std::string out = "table,layer,head,word,what,number\n";
    if (drawing.picture.has_next()) write_next(out, drawing);
    if (drawing.word && work.votes_problem().empty()) write_votes_for(out, work.votes(*drawing.word), drawing);
    write_scores(out, drawing.picture);
    return out;
}

}  // namespace attn
