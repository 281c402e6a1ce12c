// Tokens, channels and words of the vocabulary by name.
#include "views/stage/place_words.h"

#include "core/ground/check.h"
#include "playground/numbers/stage_labels.h"
#include "scene/kit/figure_text.h"

namespace attn {

std::string_view kind_of_column(const StageInfo& info) {
    if (info.columns == Axis::sink) return "";  // its text says all
    return info.columns == Axis::word ? "word " : "channel ";
}

std::string place_text(const Evaluation& evaluation, TensorId stage, int row, int column, std::string_view between) {
    const StageInfo& info = stage_info(stage);
    if (info.rows == Axis::channel) return concat("row ", row, between, "column ", column);
    const auto token = [&](int index) {
        return isolated(concat(token_text(evaluation, index), place_if_repeated(evaluation, index)));
    };
    if (info.columns == Axis::key_token) return from_to(token(row), token(column));
    return concat(token(row), between, kind_of_column(info), column_text(evaluation, stage, column));
}

std::string question_in_words(const Evaluation& evaluation, const Question& question) {
    const StageInfo& info = stage_info(question.stage);
    const std::string head = info.has_heads ? concat("Head ", question.head + 1, " · ") : "";
    return concat(head, place_text(evaluation, question.stage, question.row, question.column));
}

}  // namespace attn
