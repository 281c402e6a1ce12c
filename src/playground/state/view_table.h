// What the program knows of each view, made from the list of views.
#pragma once

#include <array>
#include <string_view>

#include "playground/state/state.h"
#include "playground/state/view_list.h"

namespace attn {

// What a view shows.
inline constexpr unsigned kOwn = 0;        // something of its own
inline constexpr unsigned kStage = 1;      // the chosen stage: it has an inspector beside it
inline constexpr unsigned kStageScan = 2;  // its figure needs a scan of all numbers of the stage
inline constexpr unsigned kModel = 4;      // a trained model, and without one nothing

// What becomes of numbers that are blank (Blanks).
enum class ViewBlanks {
    as_stage,       // "?" among the others; the whole view only where its stage is blank
    as_tensor,      // likewise, of the tensor that is edited
    prints_marks,   // a figure has "?" for them; on the screen the check takes the view's place
    gives_away,     // the positions in the picture would tell them: neither screen nor figure
    tells_nothing,  // it shows none of them
};

struct ViewInfo {
    ViewKind kind;
    std::string_view name;   // in links
    std::string_view title;  // on the bar
    std::string_view help;   // one sentence
    unsigned shows;
    ViewBlanks blanks;

    constexpr bool is_of_stage() const { return (shows & kStage) != 0; }
    constexpr bool scans_stage() const { return (shows & kStageScan) != 0; }
    constexpr bool is_of_model() const { return (shows & kModel) != 0; }
};

inline constexpr auto kViews = std::to_array<ViewInfo>({
#define ATTN_VIEW_INFO(name, title, help, shows, blanks) \
    {ViewKind::name, #name, title, help, shows, ViewBlanks::blanks},
    ATTN_VIEWS(ATTN_VIEW_INFO)
#undef ATTN_VIEW_INFO
});

constexpr const ViewInfo& view_info(ViewKind kind) {
    return kViews[static_cast<std::size_t>(kind)];  // both are in the order of the list
}

}  // namespace attn
