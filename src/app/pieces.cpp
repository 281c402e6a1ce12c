// How long a piece of work may take, and in which order pieces come.
#include "app/pieces.h"

#include "app/computing.h"
#include "app/model_files.h"
#include "app/requests.h"
#include "playground/state/open_models.h"

namespace attn {
namespace {

constexpr int kMostSteps = 8;         // of views in one piece: some browsers' clocks stand still for a while
constexpr double kFramesApart = 0.1;  // of those that show how far it is

}  // namespace

WorkOutput work(Program& program) {
    program.is_word_out = true;
    const double end = program.world.seconds() + kPiece;
    const Computation& computation = program.computation;
    const bool was_running = computation.is_running();
    WorkOutput output = {.has_more = true};
    if (program.opening_model) {
        const bool is_done = !read_model(program, end);
        output.wants_frame = is_done || program.world.seconds() >= program.drawn_at + kFramesApart;
        return output;
    }
    HeadsStep step = {.has_worked = true};
    for (int n = 0; n < kMostSteps && step.has_worked && !output.wants_frame && program.world.seconds() < end; ++n) {
        step = program.ui.work(computation.evaluator(), !was_running);
        output.wants_frame = step.wants_frame;
    }
    if (!step.has_worked && was_running) compute(program, end - program.world.seconds());
    if (!step.has_worked && !was_running) output.has_more = program.making && make_file(program, end);
    if (waits_for_models()) output.has_more = false;  // a frame follows once there are bytes
    if (!output.has_more || program.world.seconds() >= program.drawn_at + kFramesApart) output.wants_frame = true;
    return output;
}

}  // namespace attn
