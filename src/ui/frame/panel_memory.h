// What the panels remember from frame to frame: where the visitor is reading, never a choice that decides a number or
// belongs in a link.
#pragma once

#include <imgui.h>

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/explain/explain.h"
#include "playground/text/notes.h"
#include "ui/frame/play_clock.h"

namespace attn {

// Where the sheet of a phone rests.
enum class SheetStop { closed, half, open };

struct SheetMemory {
    SheetStop stop = SheetStop::closed;  // where it rests, or goes
    std::optional<float> edge;           // while it moves: the height of its upper edge, in points
    float speed = 0;                     // of the finger that holds it, upwards, in points a second
    bool is_held = false;
    bool follows_up = false;  // the finger is on it, and it can move so
    bool follows_down = false;
};

struct AboutMemory;
class ChangeCounts;
struct CheckMemory;
struct CompareMemory;
struct EditMemory;
struct ExperimentMemory;
struct FileOffer;
struct FindMemory;
struct FoldMemory;
struct InspectorMemory;
struct JourneyViewMemory;
struct PatchViewMemory;
struct LearnMemory;
struct CacheMemory;
struct DoorMemory;
struct LearnViewMemory;
struct LensViewMemory;
struct LinesMemory;
struct ModelViewMemory;
struct PerformanceMemory;
struct ShareMemory;
struct SplitMemory;
struct StackedMemory;
struct VectorsMemory;

struct PanelMemory {
    std::string focus_words;  // what has it, and its value
    std::string helped_key;   // the setting whose help is shown; empty: none yet
    SheetMemory sheet;        // phone: it holds the inspector
    PlayClock clock;
    bool shows_tokens = false;  // where they are folded to their number
    int followed_token = -1;    // the pinned token the chips were last scrolled to
    int followed_stage = -1;    // the stage the strip was last scrolled to, and its width then
    float followed_width = 0;
    CellRef parameter;                    // the learned number open for editing
    bool opens_parameter = false;         // it was chosen in this frame
    ImVec2 parameter_min, parameter_max;  // of the item pressed to open it
    Notes read_notes;                     // of the evaluation: dismissed as long as they stay the same
    Notes shown_notes;                    // above the picture, in this frame
    Notes told_notes;                     // of the evaluation, on the screen when the visitor typed last
    std::shared_ptr<FileOffer> offer;     // a file about which the visitor must decide
    std::shared_ptr<FoldMemory> folds;    // of the settings
    std::shared_ptr<FindMemory> find;     // of the search above them
    std::shared_ptr<ShareMemory> share;
    std::shared_ptr<CompareMemory> compare;  // each of the panel of that name alone
    std::shared_ptr<SplitMemory> split;
    std::shared_ptr<StackedMemory> stacked;
    std::shared_ptr<VectorsMemory> vectors;
    std::shared_ptr<ExperimentMemory> experiments;
    std::shared_ptr<LearnViewMemory> learn_view;
    std::shared_ptr<CacheMemory> cache;  // of view=cache
    std::shared_ptr<ModelViewMemory> model_view;
    std::shared_ptr<LensViewMemory> lens_view;
    std::shared_ptr<JourneyViewMemory> journey_view;
    std::shared_ptr<PatchViewMemory> patch_view;
    std::shared_ptr<DoorMemory> door;
    std::shared_ptr<InspectorMemory> inspector;
    std::shared_ptr<LearnMemory> learn;
    std::shared_ptr<LinesMemory> lines;
    std::shared_ptr<EditMemory> edit;
    std::shared_ptr<CheckMemory> check;
    std::shared_ptr<AboutMemory> about;
    std::shared_ptr<PerformanceMemory> performance;
    std::shared_ptr<ChangeCounts> changes;  // in each stage, kept because they are slow to count
    bool may_load = false;          // all of the program is there, or the visitor has touched the picture and may wait
    bool is_welcome_read = false;   // the words of the first screen were put away
    bool is_lesson_folded = false;  // to one line
    bool shows_struck = false;      // the step's folded tables of printed numbers are open
    std::map<std::string, int> lesson_steps;             // where the visitor was in each lesson of this visit
    std::map<std::string, std::set<int>> visited_steps;  // of each lesson
    std::string last_lesson;  // where the visitor left off, in this visit or the one before; empty: nowhere
    int last_step = 0;
    std::string followed_step;  // of a lesson, as a link: the step whose items were last scrolled to
    int scroll_frames = 0;      // left for that
    int scroll_tries = 0;       // frames left to wait for its items: a model's come when it is computed
};

}  // namespace attn
