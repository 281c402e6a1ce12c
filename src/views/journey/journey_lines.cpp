// The lines of the picture, whoever draws or reads them.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "core/attention/stages.h"
#include "core/ground/check.h"
#include "core/operations/stage_words.h"
#include "playground/numbers/stage_labels.h"
#include "playground/text/format.h"
#include "views/journey/journey_picture.h"
#include "views/lens/lens_parts.h"
#include "views/model/model_picture.h"
#include "views/model/model_text.h"
#include "views/model/vote_column.h"

namespace attn {
namespace {

constexpr double kMostPrintedLength = 1e9;

std::string shown_length(double length) {
    return std::abs(length) < kMostPrintedLength ? shown_thousandths(std::llround(length * 1000))
                                                 : shown_number(length);
}

std::string label_of_share(const JourneyShare& share) {
    using From = JourneyShare::From;
    if (share.from == From::head) return concat("head ", share.head + 1);
    if (share.from == From::stream) return "stream so far";
    return share.from == From::mlp ? "MLP" : std::string(share_name(share.from));
}

std::string name_of_sum(const JourneySum& sum) {
    return sum.is_normed ? "sum, before its norm" : "sum";
}

class LinesOfJourney {
public:
    explicit LinesOfJourney(const JourneyDrawing& drawing) : drawing_(drawing) {}

    std::vector<JourneyLine> lines() {
        const JourneyWork& work = drawing_.work;
        if (!work.embedded()) return {};
        add_heading(concat("“", drawing_.word(), "” becomes a vector"));
        add_sum(*work.embedded());
        add_stream("stream", work.first_stream(), length_of_row(work.first_stream()), 0);
        for (int layer = 0; std::cmp_less(layer, work.layers().size()); ++layer) add_layer(layer);
        if (!work.end().empty()) add_heading("After the last layer");
        for (const JourneyStop& stop : work.end()) add_stop(stop, work.layers().back().parts, "");
        return std::move(lines_);
    }

private:
    void add_heading(std::string words) {
        lines_.push_back({.kind = JourneyLine::Kind::heading, .label = std::move(words)});
    }
    void add_stream(std::string label, std::span<const float> row, double length, int layer) {
        lines_.push_back({.label = std::move(label),
                          .row = row,
                          .length = shown_length(length),
                          .next = next_in_words(drawing_, layer)});
    }

    void add_stop(const JourneyStop& stop, const LayerParts& parts, std::string next) {
        const StageInfo& info = stage_info(stop.stage);
        lines_.push_back({.place = concat("stop=", info.name),
                          .index = static_cast<int>(stop.stage),
                          .label = stage_title(stop.stage),
                          .words = std::string(stage_words(stop.stage, parts, GoalKind::none).formula),
                          .row = stop.row,
                          .num_heads = stop.num_heads,
                          .is_signed = info.is_signed,
                          .length = info.columns == Axis::channel ? shown_length(stop.length) : "",
                          .next = std::move(next)});
    }

    void add_sum(const JourneySum& sum) {
        const std::optional<PrintedSum> printed = printed_sum(sum);
        double most = 0;
        for (const JourneyShare& share : sum.shares) most = std::max(most, std::abs(share.along));
        for (std::size_t k = 0; k < sum.shares.size(); ++k) {
            const JourneyShare& share = sum.shares[k];
            const bool is_head = share.from == JourneyShare::From::head;
            JourneyLine line = {
                .kind = JourneyLine::Kind::share,
                .index = share.head,
                .label = label_of_share(share),
                .row = share.added,
                .length = shown_length(share.length),
                .along = printed ? shown_thousandths(printed->along[k], true) : shown_number(share.along),
                .bar = most > 0 && most < kMostPrintedLength ? share.along / most : 0};
            if (is_head) line.place = concat("head=", share.head + 1);
            if (share.is_off) line.words = "off";
            if (share.most_seen && !share.is_off)
                line.words = concat("looks most at “", drawing_.word_at(*share.most_seen), "” ",
                                    shown_number(static_cast<double>(share.weight), 2));
            lines_.push_back(std::move(line));
        }
        if (printed && printed->rounding != 0)
            lines_.push_back({.kind = JourneyLine::Kind::rounding,
                              .label = "rounding",
                              .along = shown_thousandths(printed->rounding, true)});
        lines_.push_back({.kind = JourneyLine::Kind::total,
                          .label = name_of_sum(sum),
                          .along = printed ? shown_thousandths(printed->length) : shown_number(sum.length)});
    }

    std::string added_in_words(const JourneyLayer& layer) const {
        const JourneyStop* mlp = layer.mlp();
        return concat("attention adds ", shown_length(layer.attention().length),
                      mlp != nullptr ? concat(", MLP ", shown_length(mlp->length)) : std::string());
    }

    void add_layer(int at) {
        const JourneyWork& work = drawing_.work;
        const JourneyLayer& layer = work.layers()[static_cast<std::size_t>(at)];
        const bool is_open = at == work.layer();
        const JourneyStop& last = layer.last();
        lines_.push_back({.kind = JourneyLine::Kind::layer,
                          .place = concat("layer=", at + 1),
                          .index = at,
                          .label = concat("layer ", at + 1),
                          .words = added_in_words(layer),
                          .row = is_open ? std::span<const float>() : std::span<const float>(last.row),
                          .length = is_open ? "" : shown_length(last.length),
                          .next = is_open ? "" : next_in_words(drawing_, at + 1),
                          .is_open = is_open});
        if (!is_open || !work.has_open_layer()) return;
        for (const JourneyStop& stop : std::span(layer.stops).subspan(1)) {  // the first is the line above
            for (const JourneySum& sum : layer.sums)
                if (sum.result == stop.stage) add_sum(sum);
            add_stop(stop, layer.parts, &stop == &last ? next_in_words(drawing_, at + 1) : std::string());
        }
    }

    const JourneyDrawing& drawing_;
    std::vector<JourneyLine> lines_;
};

}  // namespace

std::string_view share_name(JourneyShare::From from) {
    constexpr std::array<std::string_view, 7> kNames = {"token", "position", "type", "stream", "head", "bias", "mlp"};
    return kNames[static_cast<std::size_t>(from)];
}

std::optional<PrintedSum> printed_sum(const JourneySum& sum) {
    PrintedSum printed;
    bool is_printable = std::abs(sum.length) < kMostPrintedLength;  // not NaN either
    for (const JourneyShare& share : sum.shares)
        is_printable = is_printable && std::abs(share.along) < kMostPrintedLength;
    if (!is_printable) return std::nullopt;
    printed.length = printed.rounding = std::llround(sum.length * 1000);
    for (const JourneyShare& share : sum.shares) {
        printed.along.push_back(std::llround(share.along * 1000));
        printed.rounding -= printed.along.back();
    }
    return printed;
}

std::vector<JourneyLine> journey_lines(const JourneyDrawing& drawing) {
    return LinesOfJourney(drawing).lines();
}

namespace {

// The lens of the token after a layer; the model has one.
LensDrawing lens_after(const JourneyDrawing& drawing, int layer) {
    const int row = drawing.work.row();
    return {.work = *drawing.work.lens(),
            .words = drawing.words,
            .tokenizer = drawing.tokenizer,
            .layer = layer,
            .shown = {.first = row, .count = 1},
            .prints_values = drawing.prints_values};
}

}  // namespace

std::optional<LensDrawing> lens_at_end(const JourneyDrawing& drawing) {
    if (drawing.work.lens() == nullptr) return std::nullopt;
    LensDrawing lens = lens_after(drawing, drawing.num_layers());
    const LensCell* cell = lens.open_cell();
    return cell == nullptr || !cell->is_number() ? std::nullopt : std::optional(std::move(lens));
}

std::string next_in_words(const JourneyDrawing& drawing, int layer) {
    if (drawing.work.lens() == nullptr) return "";
    const LensDrawing lens = lens_after(drawing, layer);
    const LensCell* cell = lens.open_cell();
    if (cell == nullptr) return "…";
    return cell->is_number() ? lens_word_in_words(lens, cell->words.front()) : "no number";
}

std::vector<float> joined_row(std::span<const float> row, int size) {
    ATTN_CHECK(size > 0, size, " cells");
    if (std::cmp_less_equal(row.size(), size)) return {row.begin(), row.end()};
    constexpr float kHidden = -std::numeric_limits<float>::infinity();
    std::vector<float> cells(static_cast<std::size_t>(size), kHidden);
    for (std::size_t c = 0; c < row.size(); ++c) {
        float& cell = cells[c * cells.size() / row.size()];
        if (std::isnan(cell) || row[c] == kHidden) continue;
        if (cell == kHidden || std::isnan(row[c]) || std::abs(row[c]) > std::abs(cell)) cell = row[c];
    }
    return cells;
}

}  // namespace attn
