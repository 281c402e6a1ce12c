// The spreadsheets of the page as a module of their own, which is fetched when somebody asks for the first one: a link
// in, the bytes of an .xlsx file out, the same as `attn export xlsx` writes. C functions only; web/workbook.js calls
// them. The page's program has said before that the state can become a spreadsheet (spreadsheet_obstacle): this module
// knows neither models nor lessons.
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "core/ground/check.h"
#include "playground/link/state_url.h"
#include "playground/numbers/evaluation.h"
#include "share/spreadsheet/spreadsheet.h"
#include "share/spreadsheet/workbook_pen.h"

namespace attn {
namespace {

// The workbook that is being made; its work refers to the state and the numbers.
struct Making {
    std::string link;
    PlaygroundState state;
    Evaluation evaluation;
    WorkbookPen pen = {};
    std::optional<SpreadsheetWork> work = {};  // once the numbers are there
};

std::unique_ptr<Making>& making() {
    static std::unique_ptr<Making> one;
    return one;
}

std::string& made_bytes() {
    static std::string bytes;
    return bytes;
}

}  // namespace
}  // namespace attn

extern "C" {

// Begins a workbook. `links` has two lines, `size` bytes of UTF-8: the state's link, which stands in the file as it is,
// and a link of the same numbers that names no lesson. Both are legal, and the state has no obstacle. Stops where the
// second has keys or values that are not known here: the numbers would be others. Begins anew where another one was
// being made.
void workbook_begin(const char* links, int size) {
    using namespace attn;
    making().reset();
    const std::string_view both(links, static_cast<std::size_t>(size));
    const std::size_t end = both.find('\n');
    ATTN_CHECK(end != std::string_view::npos, "one link, want two");
    ReadLink read = read_link(both.substr(end + 1));
    ATTN_CHECK(read.notes.empty(), "numbers that are not those of the page");
    PlaygroundState state = std::move(read.state);
    Evaluation evaluation = begin_evaluation(state.inputs, state.view.sentence);
    making().reset(new Making{
        .link = std::string(both.substr(0, end)), .state = std::move(state), .evaluation = std::move(evaluation)});
}

// Goes on for some milliseconds: computes, then writes cells. Returns 1 once all are written, else 0: call it again.
int workbook_write() {
    using namespace attn;
    constexpr std::int64_t kSlice = 1'000'000;  // multiply-adds
    Making& one = *making();
    if (!one.evaluation.is_complete()) {
        Evaluation nothing_earlier;
        advance(one.evaluation, one.state.inputs, one.state.view.sentence, -1, nothing_earlier, kSlice);
        return 0;
    }
    if (!one.work) one.work.emplace(one.link, one.state.inputs, one.state.view.sentence, one.evaluation);
    return one.work->advance(one.pen) ? 1 : 0;
}

// Packs what is written, all in one go. Returns how many bytes the file has; they stay at workbook_bytes() until
// another workbook is packed.
int workbook_pack() {
    attn::made_bytes() = attn::making()->pen.take();
    attn::making().reset();
    return static_cast<int>(attn::made_bytes().size());
}
const char* workbook_bytes() {
    return attn::made_bytes().data();
}

}  // extern "C"
