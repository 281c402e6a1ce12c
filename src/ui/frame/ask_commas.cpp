#include "ui/frame/ask_commas.h"

#include <memory>
#include <utility>

#include "core/ground/check.h"
#include "share/opening/file_offer.h"

namespace attn {

void ask_about_commas(UiFrame& frame, std::vector<PastedReading> readings) {
    FileOffer offer;
    offer.question = "This block has commas between digits: they may part numbers, or be decimal points.";
    for (PastedReading& one : readings) {
        offer.choices.push_back({.label = concat("paste ", one.rows, " × ", one.columns, " numbers, the commas ",
                                                 one.has_decimal_commas ? "decimal points" : "between them"),
                                 .state = std::move(one.state),
                                 .notes = std::move(one.notes)});
    }
    frame.memory.offer = std::make_shared<FileOffer>(std::move(offer));
    frame.widgets.is_moving = true;
}

}  // namespace attn
