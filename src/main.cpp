// Attention Playground in one function: a platform, a session, the numbers that follow from its state, and panels that
// show and change it. Each frame takes this way:
//   link or sentence from outside -> state -> evaluation -> panels -> legal state -> link, once the state rests.
// src/app makes the frames, and in pieces between them the numbers of a long text and its maps, which take longer.
#include <memory>
#include <optional>
#include <utility>

#include "app/frame.h"
#include "app/pieces.h"
#include "platform/platform.h"
#include "playground/models/own_models.h"
#include "playground/visit/this_visit.h"

using namespace attn;

int main(int argument_count, char** arguments) {
    if (const std::optional<int> exit_code = answer_arguments(argument_count, arguments)) return *exit_code;
    Result<Platform> platform = Platform::open(argument_count, arguments);
    if (!platform) {
        show_failure(platform.error());
        return 1;
    }
    Result<Ui> ui = Ui::create(Platform::text_engine());
    if (!ui) {
        show_failure(ui.error());
        return 1;
    }
    open_own_models();
    // The page goes on after main has returned, so the program belongs to the function that draws it.
    const auto program = std::make_shared<Program>(std::move(*ui),
                                                   World{.seconds = Platform::seconds,
                                                         .draw_png = Platform::figure_engine(),
                                                         .memory_bytes = Platform::memory_bytes},
                                                   this_visit());
    return platform->run([program](FrameInput& input) { return draw_frame(*program, input); },
                         [program] { return work(*program); });
}
