// The words of choices where the link key's own would not be understood.
#include "playground/link/choice_labels.h"

#include <algorithm>

#include "playground/state/view_table.h"

namespace attn {
namespace {

// The title on its tab.
std::string_view title_of_view(std::string_view name) {
    const auto row =
        std::find_if(kViews.begin(), kViews.end(), [&](const ViewInfo& view) { return view.name == name; });
    return row == kViews.end() ? name : row->title;
}

}  // namespace

std::string_view choice_label(std::string_view key, std::string_view choice) {
    if (key == "view") return title_of_view(choice);
    if (key == "scale") return choice == "sqrt" ? "√d" : choice == "none" ? "1" : "d";
    if (key == "combine" && choice == "none") return "each";
    if (key == "row_stat" && choice == "none") return "nothing";
    if (key == "mask_at") {
        if (choice == "before") return "before softmax";
        return choice == "after" ? "after, renormalised" : "after, not renormalised (wrong)";
    }
    if (key == "optimizer")
        return choice == "sgd" ? "SGD" : choice == "adam" ? "Adam" : choice == "adamw" ? "AdamW" : choice;
    if (choice == "torch.linear") return "Linear";
    if (choice == "torch.rand") return "rand";
    if (choice == "torch.randn") return "randn";
    if (choice == "ngrams") return "n-grams";
    if (choice == "rope") return "RoPE";
    if (choice == "alibi") return "ALiBi";
    return choice;
}

}  // namespace attn
