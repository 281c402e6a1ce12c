// The memory meter of view=cache: real models and the visitor's layer, a row each.
#include "views/cache/cache_meter.h"

#include <algorithm>
#include <utility>

#include "core/ground/check.h"
#include "playground/state/open_models.h"
#include "playground/text/format.h"
#include "playground/text/notes.h"
#include "views/cache/cache_layout.h"

namespace attn {
namespace {

class MeterDrawing : CacheLayout {
public:
    MeterDrawing(const SceneStyle& style, const View& view, double width) : CacheLayout(style, width), view_(view) {}

    FigureBlock scene(const std::vector<CacheModel>& models) const {
        FigureBlock block = text(concat("Memory of one user's cache: ", with_thousands(view_.length), " tokens, ",
                                        exact_number(bytes_of_element(view_.element)), " bytes a number"),
                                 style_.heading, FigureFont::sans_bold, style_.colors.ink, width_);
        block = under(std::move(block),
                      soft(concat("Each bar against MHA of the same model, and how many such caches fit on a card of ",
                                  exact_number(view_.card),
                                  " GB that holds nothing else. A GB is 10^9 bytes; a GiB, which some prints mean by "
                                  "it, has 7 % more. In colour: how the model is "
                                  "built; grey: what the others would take."),
                           width_),
                      3);
        double name = is_narrow() ? 0 : 90;
        for (const CacheModel& model : models) {
            constexpr double kBold = 1.08;  // wider than the measured letters
            if (!is_narrow()) name = std::max(name, kBold * style_.width(model.name, style_.body) + 14);
        }
        for (const CacheModel& model : models) block = under(std::move(block), model_row(model, name), 10);
        return under(std::move(block), soft(deepseek_in_words(), width_), 12);
    }

private:
    // `name`: the width of the names before the cells.
    FigureBlock model_row(const CacheModel& model, double name) const {
        const int columns = is_narrow() ? 2 : 4;
        const double each = (width_ - name) / columns;
        FigureBlock cells;
        double top = is_narrow() ? style_.body * 1.5 : 0;
        place_block(
            cells,
            text(model.name, style_.body, FigureFont::sans_bold, style_.colors.ink, is_narrow() ? width_ : name - 8),
            {});
        for (int k = 0; k < 4; k += columns) {
            double height = 0;
            for (int c = k; c < k + columns; ++c) {
                FigureBlock cell = meter_cell(model, static_cast<CacheWay>(c), each - 14);
                height = std::max(height, cell.height);
                place_block(cells, std::move(cell), {name + (c - k) * each, top});
            }
            top += height + 5;
        }
        return cells;
    }

    FigureBlock meter_cell(const CacheModel& model, CacheWay way, double width) const {
        const FigureColors& colors = style_.colors;
        const CachePerToken token = cache_per_token(model, way);
        const std::int64_t mha = cache_per_token(model, CacheWay::mha).elements;
        const std::int64_t bytes = cache_bytes(token.elements, view_.length, view_.element);
        const double share = static_cast<double>(token.elements) / static_cast<double>(mha);
        FigureBlock cell = text(concat(kCacheWays[static_cast<std::size_t>(way)], "  ", in_gigabytes(bytes)),
                                style_.small, token.is_own ? FigureFont::sans_bold : FigureFont::sans,
                                token.is_own ? colors.ink : colors.soft_ink, width);
        FigureBlock bar;
        draw_rect(bar, {0, 0}, width, 5, mixed(colors.paper, colors.edge, 0.25F), 2);
        draw_rect(bar, {0, 0}, std::max(2.0, width * std::min(share, 1.0)), 5,
                  token.is_own ? colors.accent : mixed(colors.paper, colors.edge, 0.9F), 2);
        bar.width = width;
        bar.height = 5;
        cell = under(std::move(cell), std::move(bar), 2);
        const std::string saving = saving_in_words(mha, token.elements);
        const std::int64_t users = users_on_card(view_.card, bytes);
        const std::string sharing = concat(with_thousands(users), users == 1 ? " user" : " users");
        if (is_narrow()) return under(under(std::move(cell), soft(sharing, width), 3), soft(saving, width), 0);
        const std::string both = saving.empty() ? sharing : concat(sharing, " · ", saving);
        const bool fits = style_.width(both, style_.small) <= width;
        cell = under(std::move(cell), soft(fits ? both : sharing, width), 3);
        if (!fits) cell = under(std::move(cell), soft(saving, width), 0);
        return under(std::move(cell),
                     text(concat(token.formula, " = ", with_thousands(token.elements)), style_.small * 0.92,
                          FigureFont::sans, colors.soft_ink, width),
                     0);
    }

    const View& view_;
};

}  // namespace

FigureBlock cache_meter(const SceneStyle& style, const Inputs& inputs, const Sizes& sizes, const View& view,
                        double width) {
    return MeterDrawing(style, view, width).scene(cache_models(inputs, sizes));
}

std::string own_cache_in_words(const Inputs& inputs, const Sizes& sizes, const View& view) {
    const std::vector<CacheModel> models = cache_models(inputs, sizes);
    const CacheModel& own = models[open_model_of(inputs) ? 1 : 0];  // the layer comes first, then the model
    std::int64_t elements = cache_per_token(own, CacheWay::mha).elements;
    for (std::size_t way = 0; way < kCacheWays.size(); ++way) {
        const CachePerToken token = cache_per_token(own, static_cast<CacheWay>(way));
        if (token.is_own) elements = token.elements;
    }
    return in_gigabytes(cache_bytes(elements, view.length, view.element));
}

TextTable table_of_meter(const Inputs& inputs, const Sizes& sizes, const View& view) {
    TextTable meter = {.title = concat("Memory of one user's cache of ", with_thousands(view.length), " tokens, ",
                                       exact_number(bytes_of_element(view.element)),
                                       " bytes a number; users on a card of ", exact_number(view.card), " GB"),
                       .columns = {""},
                       .rows = {}};
    for (const std::string_view way : kCacheWays) meter.columns.emplace_back(way);
    for (const CacheModel& model : cache_models(inputs, sizes)) {
        std::vector<std::string> cells = {model.name};
        for (std::size_t k = 0; k < kCacheWays.size(); ++k) {
            const CachePerToken token = cache_per_token(model, static_cast<CacheWay>(k));
            const std::int64_t bytes = cache_bytes(token.elements, view.length, view.element);
            const std::string saving = saving_in_words(cache_per_token(model, CacheWay::mha).elements, token.elements);
            cells.push_back(concat(in_gigabytes(bytes), ", ", counted(users_on_card(view.card, bytes), "user"),
                                   saving.empty() ? "" : concat(", ", saving), token.is_own ? ", its own" : ""));
        }
        meter.rows.push_back(std::move(cells));
    }
    return meter;
}

}  // namespace attn
