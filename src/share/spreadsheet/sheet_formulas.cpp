// The functions stand in the order of Operation; the table below them lists all that a forward pass has.
#include "share/spreadsheet/sheet_formulas.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

#include "core/attention/rms_norm.h"
#include "core/attention/rotary.h"
#include "core/ground/check.h"
#include "core/ground/portable_math.h"
#include "playground/text/format.h"

namespace attn {
namespace {

// Where a formula stands: on this sheet, in row i and column c of matrix n.
struct FormulaPlace {
    const LayerSheet& sheet;
    int n, i, c;

    const FoundRow& made() const { return *sheet.row; }
    TensorId operand(std::size_t number) const { return *sheet.row->operands[number]; }
    bool has(std::size_t number) const { return sheet.row->operands[number].has_value(); }
    // The same place of another tensor is at(operand(0), ...); this one is a number beside this row.
    std::string helper(int number) const {
        return cell_name(sheet.row_of(n, i), sheet.first_helper() + number, Fixed::column);
    }
};

using FormulaOf = std::string(const LayerSheets& in, const FormulaPlace& at);
using HelpersOf = std::vector<Helper>(const LayerSheets& in, const LayerSheet& sheet, int n, int i);

// The first operand's number at the same place.
std::string same_cell(const LayerSheets& in, const FormulaPlace& at) {
    return in.cell(at.operand(0), at.n, at.i, at.c);
}

std::string add_positions_formula(const LayerSheets& in, const FormulaPlace& at) {
    return concat("=", same_cell(in, at), "+", in.cell(at.operand(1), 0, at.i, at.c));
}

std::string project_formula(const LayerSheets& in, const FormulaPlace& at) {
    const int column = at.n * at.sheet.columns + at.c;  // before the cut into heads
    if (!at.has(1)) return concat("=", in.cell(at.operand(0), 0, at.i, column));
    return concat("=SUM(MMULT(", in.row(at.operand(0), 0, at.i), ",", in.column(at.operand(1), 0, column), "))",
                  at.has(2) ? concat("+", in.cell(at.operand(2), 0, 0, column, Fixed::row)) : "");
}

std::string rms_norm_formula(const LayerSheets& in, const FormulaPlace& at) {
    return concat("=", same_cell(in, at), "/SQRT(SUMSQ(", in.row(at.operand(0), at.n, at.i), ")/head_dim+norm_eps)*",
                  in.cell(at.operand(1), 0, 0, at.c, Fixed::row));
}

std::string rotate_formula(const LayerSheets& in, const FormulaPlace& at) {
    const bool has_own = at.has(1);
    const int before = has_own ? in.of(at.operand(0)).columns : 0;  // columns that are not turned
    if (at.c < before) return concat("=", same_cell(in, at));
    const TensorId turned = at.operand(has_own ? 1 : 0);
    const int n = in.shared_matrix(at.sheet.tensor, at.n, turned), size = in.of(turned).columns;
    const RotaryPairs pairs = in.settings().rotary.pairs;
    const int column = at.c - before, partner = partner_of(pairs, size, column);
    const bool is_first = column == first_of_pair(pairs, size, pair_of(pairs, size, column));
    const std::string angle = angle_cell(at.i, column);
    return concat("=", in.cell(turned, n, at.i, column), "*COS(", angle, ")", is_first ? "-" : "+",
                  in.cell(turned, n, at.i, partner), "*SIN(", angle, ")");
}

std::string absorb_formula(const LayerSheets& in, const FormulaPlace& at) {
    const int size = in.problem().head_dim(), first = in.problem().kv_head(at.n) * size;
    return concat("=SUMPRODUCT(", in.row(at.operand(0), at.n, at.i), ",",
                  in.part_of_row(at.operand(1), 0, at.c, first, first + size), ")");
}

std::string dot_formula(const LayerSheets& in, const FormulaPlace& at) {
    const int n = in.shared_matrix(at.sheet.tensor, at.n, at.operand(1));
    return concat("=SUMPRODUCT(", in.row(at.operand(0), at.n, at.i), ",", in.row(at.operand(1), n, at.c, Fixed::both),
                  ")");
}

std::string scale_formula(const LayerSheets& in, const FormulaPlace& at) {
    return concat("=", same_cell(in, at), "/score_divisor");
}

std::string cap_formula(const LayerSheets& in, const FormulaPlace& at) {
    const char* cap = is_over_words(at.sheet.tensor) ? "logit_cap" : "score_cap";
    return concat("=", cap, "*TANH(", same_cell(in, at), "/", cap, ")");
}

// Whether the layer caps scores, or logits.
bool caps(const LayerSheets& in, bool logits) {
    return std::ranges::any_of(in.all(), [&](const LayerSheet& sheet) {
        return sheet.row && sheet.row->operation == Operation::cap && is_over_words(sheet.tensor) == logits;
    });
}

std::string add_alibi_formula(const LayerSheets& in, const FormulaPlace& at) {
    return concat("=", same_cell(in, at), "-slope_", at.n + 1, "*", std::abs(at.i - at.c));
}

std::string mask_formula(const LayerSheets& in, const FormulaPlace& at) {
    return concat("=IF(", in.cell(at.operand(1), 0, at.i, at.c), "=1,\"", kHiddenScore, "\",", same_cell(in, at), ")");
}

// Beside a row of a softmax: its largest score, the exponentials, that of a sink, their sum.
int place_of_sink(const LayerSheet& sheet) {
    return 1 + sheet.columns;
}
int place_of_sum(const LayerSheet& sheet) {
    return place_of_sink(sheet) + (sheet.row->operands[1] ? 1 : 0);
}

std::string softmax_formula(const LayerSheets& /*in*/, const FormulaPlace& at) {
    return concat("=", cell_name(at.sheet.row_of(at.n, at.i), at.sheet.first_helper() + 1 + at.c), "/",
                  at.helper(place_of_sum(at.sheet)));
}

std::vector<Helper> softmax_helpers(const LayerSheets& in, const LayerSheet& sheet, int n, int i) {
    const FormulaPlace at{sheet, n, i, 0};
    const TensorId source = at.operand(0);
    const std::optional<FoundRow>& made = in.of(source).row;
    const bool is_masked = made && made->operation == Operation::mask;
    const Matrix& scores = in.matrix(source, n);
    const std::string sink = at.has(1) ? in.cell(at.operand(1), 0, 0, n, Fixed::both) : "";
    double row_max = at.has(1) ? as_typed(in.matrix(at.operand(1), 0)(0, n)) : -HUGE_VAL, sum = 0;
    for (int j = 0; j < sheet.columns; ++j) row_max = std::max(row_max, static_cast<double>(scores(i, j)));
    std::vector<Helper> all;
    all.push_back({"row max", concat("=MAX(", in.row(source, n, i), sink.empty() ? "" : ",", sink, ")"), row_max});
    const auto add = [&](const char* heading, const std::string& score, double value, bool may_be_hidden) {
        const double exponential = portable::exp(value - row_max);
        const std::string formula = concat("EXP(", score, "-", at.helper(0), ")");
        sum += exponential;
        all.push_back({heading, may_be_hidden ? concat("=IF(ISNUMBER(", score, "),", formula, ",0)") : "=" + formula,
                       exponential});
    };
    for (int j = 0; j < sheet.columns; ++j)
        add("exp", in.cell(source, n, i, j), static_cast<double>(scores(i, j)), is_masked);
    if (at.has(1)) add("exp of sink", sink, as_typed(in.matrix(at.operand(1), 0)(0, n)), false);
    const int row = sheet.row_of(n, i), first = sheet.first_helper() + 1;
    all.push_back(
        {"row sum",
         concat("=SUM(", cell_name(row, first), ":", cell_name(row, first + static_cast<int>(all.size()) - 2), ")"),
         sum});
    return all;
}

std::string sink_share_formula(const LayerSheets& in, const FormulaPlace& at) {
    const LayerSheet& weights = *in.find(Operation::softmax, at.made().operands);
    const int row = weights.row_of(at.n, at.i), first = weights.first_helper();
    return concat("=", weights.name, "!", cell_name(row, first + place_of_sink(weights)), "/", weights.name, "!",
                  cell_name(row, first + place_of_sum(weights)));
}

bool is_divided(const LayerSheets& in) {
    return in.settings().mask_at == MaskAt::after;
}

std::string mask_weights_formula(const LayerSheets& in, const FormulaPlace& at) {
    return concat("=IF(", in.cell(at.operand(1), 0, at.i, at.c), "=1,0,", same_cell(in, at),
                  is_divided(in) ? concat("/", at.helper(0)) : "", ")");
}

std::vector<Helper> mask_weights_helpers(const LayerSheets& in, const LayerSheet& sheet, int n, int i) {
    if (!is_divided(in)) return {};
    const FormulaPlace at{sheet, n, i, 0};
    const Matrix &unmasked = in.matrix(at.operand(0), n), &mask = in.matrix(at.operand(1), 0);
    double sum = 0;
    for (int j = 0; j < sheet.columns; ++j) sum += static_cast<double>(unmasked(i, j) * (1 - mask(i, j)));
    return {{"visible sum",
             concat("=SUMPRODUCT(", in.row(at.operand(0), n, i), ",1-", in.row(at.operand(1), 0, i), ")"), sum}};
}

std::string drop_formula(const LayerSheets& in, const FormulaPlace& at) {
    return concat("=", same_cell(in, at), "*", in.cell(at.operand(1), at.n, at.i, at.c), "/(1-dropout_p)");
}

std::string mix_formula(const LayerSheets& in, const FormulaPlace& at) {
    const int n = in.shared_matrix(at.operand(0), at.n, at.operand(1));
    return concat("=SUM(MMULT(", in.row(at.operand(0), at.n, at.i), ",", in.column(at.operand(1), n, at.c), "))");
}

std::string merge_formula(const LayerSheets& in, const FormulaPlace& at) {
    const int size = in.of(at.operand(0)).columns;
    return concat("=", in.cell(at.operand(0), at.c / size, at.i, at.c % size));
}

std::vector<Helper> no_helpers(const LayerSheets& /*in*/, const LayerSheet& /*sheet*/, int /*n*/, int /*i*/) {
    return {};
}

struct FormulaRow {
    Operation operation;
    FormulaOf* formula;
    HelpersOf* helpers = no_helpers;
};
// As many as there are operations before those of the backward pass: a new one without a formula does not compile.
constexpr std::array<FormulaRow, static_cast<std::size_t>(Operation::project_grad_x)> kFormulas = {{
    {Operation::add_positions, add_positions_formula},
    {Operation::project, project_formula},
    {Operation::rms_norm, rms_norm_formula},
    {Operation::rotate, rotate_formula},
    {Operation::absorb, absorb_formula},
    {Operation::dot, dot_formula},
    {Operation::scale, scale_formula},
    {Operation::cap, cap_formula},
    {Operation::add_alibi, add_alibi_formula},
    {Operation::mask, mask_formula},
    {Operation::softmax, softmax_formula, softmax_helpers},
    {Operation::sink_share, sink_share_formula},
    {Operation::mask_weights, mask_weights_formula, mask_weights_helpers},
    {Operation::drop, drop_formula},
    {Operation::mix, mix_formula},
    {Operation::merge, merge_formula},
}};
constexpr bool is_whole_and_in_order() {
    for (std::size_t n = 0; n < kFormulas.size(); ++n) {
        if (kFormulas[n].operation != static_cast<Operation>(n) || kFormulas[n].formula == nullptr) return false;
    }
    return true;
}
static_assert(is_whole_and_in_order());

const FormulaRow& formulas_of(const LayerSheet& sheet) {
    return kFormulas.at(static_cast<std::size_t>(sheet.row->operation));
}

void add_score_settings(const LayerSheets& in, std::vector<SheetSetting>& all) {
    const AttentionSettings& settings = in.settings();
    const int score_dim = in.problem().score_dim();
    if (settings.scale != Scale::none)
        all.push_back(
            {"score_dim", "", static_cast<double>(score_dim), true, "numbers of a query and a key that make a score"});
    all.push_back({"temperature", "", as_typed(settings.temperature), false, "scores are divided by it, too"});
    const char* divisor = settings.scale == Scale::sqrt  ? "=SQRT(score_dim)*temperature"
                          : settings.scale == Scale::dim ? "=score_dim*temperature"
                                                         : "=temperature";
    all.push_back({"score_divisor", divisor, as_typed(score_divisor(settings, in.problem().head_dim())), true,
                   "what scores are divided by: scale times temperature"});
}

}  // namespace

std::string stage_formula(const LayerSheets& in, const LayerSheet& sheet, int n, int row, int column) {
    return formulas_of(sheet).formula(in, {sheet, n, row, column});
}

std::vector<Helper> stage_helpers(const LayerSheets& in, const LayerSheet& sheet, int n, int row) {
    return formulas_of(sheet).helpers(in, sheet, n, row);
}

std::vector<SheetSetting> sheet_settings(const LayerSheets& in) {
    const AttentionSettings& settings = in.settings();
    std::vector<SheetSetting> all;
    if (in.uses(Operation::rms_norm)) {
        all.push_back({"head_dim", "", static_cast<double>(in.problem().head_dim()), true, "numbers of a head"});
        all.push_back({"norm_eps", "", kQueryKeyNormEps, false, "added to the mean square of a row that is normed"});
    }
    if (in.uses(Operation::rotate)) {
        all.push_back({"rope_base", "", settings.rotary.base, false, "the base of the frequencies of RoPE"});
        all.push_back(
            {"rope_shift", "", static_cast<double>(settings.rotary.shift), false, "where the first token stands"});
    }
    add_score_settings(in, all);
    if (caps(in, false))
        all.push_back({"score_cap", "", as_typed(settings.score_cap), false, "no capped score passes it"});
    for (int h = 0; in.uses(Operation::add_alibi) && h < settings.num_heads; ++h)
        all.push_back({concat("slope_", h + 1), "", as_typed(static_cast<float>(slope_of_head(settings, h))), false,
                       concat("what a score of head ", h + 1, " loses for each token of distance (ALiBi)")});
    if (in.uses(Operation::drop))
        all.push_back({"dropout_p", "", settings.dropout, false, "the share of weights that dropout sets to 0"});
    if (caps(in, true))
        all.push_back({"logit_cap", "", as_typed(settings.logit_cap), false, "no capped logit passes it"});
    return all;
}

double as_typed(float number) {
    return parse_number(exact_number(number)).value_or(static_cast<double>(number));
}

}  // namespace attn
