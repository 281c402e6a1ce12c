// The browser as a platform: WebGL2 on the page's canvas, one frame whenever the page asks for one. The page decides
// when (something happened, and the canvas can be seen); this file makes that frame.
#include "platform/platform.h"

#include <GLES3/gl3.h>
#include <emscripten.h>
#include <emscripten/heap.h>
#include <emscripten/html5.h>
#include <imgui.h>
#include <imgui_impl_opengl3.h>

#include <utility>

#include "core/ground/memory_room.h"
#include "platform/web.h"

EM_JS_DEPS(platform_web, "$GL,$specialHTMLTargets,$UTF8ToString");

// Emscripten finds canvases by CSS selector; this name stands for the one this module was given, wherever it is.
EM_JS(void, name_the_canvas, (), { specialHTMLTargets["!canvas"] = Module["canvas"]; });

// A lost context loses its objects. Emscripten still has their names, and deleting one later would be an error.
EM_JS(void, forget_gl_objects, (), {
    [ GL.buffers, GL.programs, GL.shaders, GL.textures, GL.vaos ].forEach(function(objects) { objects.fill(null); });
});

// Does not return: the page throws.
EM_JS(void, tell_no_memory, (), { Module["host"]["no_memory"](); });

EM_JS(void, ask_for_model_bytes, (), { Module["host"]["model_wants_bytes"](); });

EM_JS(void, tell_failure, (const char* sentence), { Module["host"]["failed"](UTF8ToString(sentence)); });

// What the visitor asked for in this frame; told before the frame is. Null: no copy, no share; a null name: no file to
// save; `opens`: "author", "fetch" or "sheet", or null. The file's bytes stay where they are until web_file_taken.
EM_JS(void, tell_request,
      (const char* copy, const char* share, int wants_file, const char* opens, const char* name, const char* media_type,
       const char* bytes, int size),
      {
          Module["host"]["requested"]({
              "copy" : copy ? UTF8ToString(copy) : null,
              "share" : share ? UTF8ToString(share) : null,
              "wants_file" : wants_file != 0,
              "opens" : opens ? UTF8ToString(opens) : null,
              "save" : name ? {
                  "name" : UTF8ToString(name),
                  "media_type" : UTF8ToString(media_type),
                  "begin" : bytes,
                  "size" : size,
              }
                            : null,
          });
      });

// Strings that are null have nothing new to say. Seconds below 0: no frame is wanted by itself. The caret is in CSS
// pixels.
EM_JS(void, tell_frame,
      (int wants_another, int plays, int has_work, double wake_after, int is_dark, const char* cursor,
       const char* sentence, const char* link, int is_new_step, const char* announcement, int num_answers,
       int hides_sentence, int locks_sentence, int wants_text, float caret_x, float caret_y, float caret_height),
      {
          Module["host"]["frame_done"]({
              "wants_another" : wants_another != 0,
              "plays" : plays != 0,
              "has_work" : has_work != 0,
              "wake_after" : wake_after < 0 ? null : wake_after,
              "is_dark" : is_dark != 0,
              "cursor" : UTF8ToString(cursor),
              "sentence" : sentence ? UTF8ToString(sentence) : null,
              "link" : link ? UTF8ToString(link) : null,
              "is_new_step" : is_new_step != 0,
              "announcement" : announcement ? UTF8ToString(announcement) : null,
              "num_answers" : num_answers,
              "hides_sentence" : hides_sentence != 0,
              "locks_sentence" : locks_sentence != 0,
              "wants_text" : wants_text != 0,
              "caret" : {"x" : caret_x, "y" : caret_y, "height" : caret_height},
          });
      });

namespace attn {
namespace {

struct CssCursor {
    ImGuiMouseCursor cursor;
    const char* name;
};

constexpr CssCursor kCursors[] = {
    {ImGuiMouseCursor_None, "none"},
    {ImGuiMouseCursor_TextInput, "text"},
    {ImGuiMouseCursor_ResizeAll, "move"},
    {ImGuiMouseCursor_ResizeNS, "ns-resize"},
    {ImGuiMouseCursor_ResizeEW, "ew-resize"},
    {ImGuiMouseCursor_ResizeNESW, "nesw-resize"},
    {ImGuiMouseCursor_ResizeNWSE, "nwse-resize"},
    {ImGuiMouseCursor_Hand, "pointer"},
    {ImGuiMouseCursor_Wait, "wait"},
    {ImGuiMouseCursor_Progress, "progress"},
    {ImGuiMouseCursor_NotAllowed, "not-allowed"},
};

const char* css_cursor(ImGuiMouseCursor cursor) {
    for (const CssCursor& known : kCursors) {
        if (known.cursor == cursor) return known.name;
    }
    return "default";
}

// From the start: the page also asks for numbers where it opens no platform.
[[maybe_unused]] const bool kTellsOfMemory = (set_memory_handler(tell_no_memory), true);

void begin_frame(double seconds, int device_width, int device_height, float scale) {
    ImGuiIO& io = ImGui::GetIO();
    const double elapsed = seconds - web().next.seconds;
    io.DeltaTime = elapsed > 0 ? static_cast<float>(elapsed) : 1e-3f;  // ImGui demands more than 0
    fit_imgui(device_width, device_height, scale);
    web().next.seconds = seconds;
    ImGui::NewFrame();
}

// What has happened since the last frame. What came in is for one frame only; files are too large to be copied.
FrameInput take_next() {
    std::vector<FileData> files = std::exchange(web().next.files, {});
    FrameInput input = web().next;
    input.files = std::move(files);
    web().next.note.clear();
    web().next.visited.clear();
    web().next.link.reset();
    web().next.sentence.reset();
    return input;
}

// Makes a frame that is not drawn. ImGui knows how long a list is, and that it needs a scrollbar, once it has seen it;
// so the first picture is right at once, and the next frames look the same and need not be drawn either.
void rehearse() {
    FrameInput input = take_next();
    input.is_rehearsal = true;
    web().is_rehearsed = true;
    web().draw_frame(input);
    ImGui::EndFrame();
}

// Draws nothing where the canvas shows this picture already, unless `is_due`: the browser keeps it until the next is
// drawn.
void end_frame(int device_width, int device_height, bool is_due) {
    ImGui::Render();
    const ImVec4 ground = ImGui::GetStyleColorVec4(ImGuiCol_WindowBg);
    if (is_due) web().on_screen.forget();
    if (web().on_screen.is(*ImGui::GetDrawData(), ground)) return;
    glViewport(0, 0, device_width, device_height);
    glDisable(GL_SCISSOR_TEST);
    glClearColor(ground.x, ground.y, ground.z, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    ImGui_ImplOpenGL3_NewFrame();  // makes its shaders when there are none, and waits for them: no sooner than need be
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
}

// Hands over what the visitor asked for, if anything.
void tell_wishes(FrameOutput& output) {
    if (output.copy) web().clipboard = *output.copy;
    const char* opens = output.opens_author_page  ? "author"
                        : output.opens_fetch_page ? "fetch"
                        : output.opens_sheet      ? "sheet"
                                                  : nullptr;
    if (!output.copy && !output.share && !output.save && !output.wants_file && opens == nullptr) return;
    const char* copy = output.copy ? output.copy->c_str() : nullptr;
    const char* share = output.share ? output.share->c_str() : nullptr;
    if (!output.save) return tell_request(copy, share, output.wants_file, opens, nullptr, nullptr, nullptr, 0);
    const FileData& file = *output.save;
    const std::string& bytes = web().files.emplace_back(std::move(output.save->bytes));
    tell_request(copy, share, output.wants_file, opens, file.name.c_str(), file.media_type.c_str(), bytes.data(),
                 static_cast<int>(bytes.size()));
}

void tell_page(FrameOutput& output) {
    if (!output.failure.empty()) {
        tell_failure(output.failure.c_str());
        return;
    }
    tell_wishes(output);
    web().takes_zoom = output.takes_zoom;
    web().follows_up = output.follows_up;
    web().follows_down = output.follows_down;
    const bool is_new_sentence = output.sentence != web().sentence;
    web().sentence = output.sentence;
    const ImGuiPlatformImeData& ime = web().ime;
    const bool has_input = imgui_has_pending_input();
    tell_frame(output.wants_another || has_input, output.plays && !has_input, output.has_work,
               output.wake_after.value_or(-1), output.is_dark, css_cursor(ImGui::GetMouseCursor()),
               is_new_sentence ? output.sentence.c_str() : nullptr, output.link ? output.link->c_str() : nullptr,
               output.is_new_step, output.announcement.empty() ? nullptr : output.announcement.c_str(),
               output.num_answers, output.hides_sentence, output.locks_sentence, ime.WantTextInput, ime.InputPos.x,
               ime.InputPos.y, ime.InputLineHeight);
}

}  // namespace

Web& web() {
    static Web one;
    return one;
}

// The GL context belongs to the canvas and lives as long as the page keeps it.
struct Platform::Body {};

Platform::Platform(std::unique_ptr<Body> body) : body_(std::move(body)) {}
Platform::~Platform() = default;
Platform::Platform(Platform&&) noexcept = default;
Platform& Platform::operator=(Platform&&) noexcept = default;

std::optional<int> answer_arguments(int, char**) {
    return std::nullopt;
}

void show_failure(const std::string& sentence) {
    tell_failure(sentence.c_str());
}

Result<Platform> Platform::open(int, char**) {
    EmscriptenWebGLContextAttributes attributes;
    emscripten_webgl_init_context_attributes(&attributes);
    attributes.majorVersion = 2;
    attributes.alpha = false;  // every pixel is drawn
    attributes.depth = false;
    attributes.antialias = false;  // ImGui smooths its own edges; heat maps want hard ones
    attributes.enableExtensionsByDefault = false;
    name_the_canvas();
    const EMSCRIPTEN_WEBGL_CONTEXT_HANDLE context = emscripten_webgl_create_context("!canvas", &attributes);
    if (context <= 0 || emscripten_webgl_make_context_current(context) != EMSCRIPTEN_RESULT_SUCCESS) {
        return Result<Platform>::failure("This browser gives the page no WebGL2, which the picture is drawn with.");
    }
    start_imgui_context();
    ImGui::GetIO().BackendPlatformName = "page";
    ImGui::GetIO().BackendFlags |= ImGuiBackendFlags_HasMouseCursors;
    ImGuiPlatformIO& io = ImGui::GetPlatformIO();
    start_web_clipboard();
    io.Platform_SetImeDataFn = [](ImGuiContext*, ImGuiViewport*, ImGuiPlatformImeData* data) { web().ime = *data; };
    if (!ImGui_ImplOpenGL3_Init("#version 300 es")) {
        return Result<Platform>::failure("The picture's shaders did not start in this browser's WebGL2.");
    }
    web().next.page_shows_sentence = true;
    return Platform(std::make_unique<Body>());
}

int Platform::run(DrawFrame draw_frame, DoWork do_work) {
    web().draw_frame = std::move(draw_frame);
    web().do_work = std::move(do_work);
    return 0;
}

double Platform::seconds() {
    return emscripten_get_now() / 1000;
}

std::int64_t Platform::memory_bytes() {
    return static_cast<std::int64_t>(emscripten_get_heap_size());
}

void tell_model_wants_bytes() {
    ask_for_model_bytes();
}

}  // namespace attn

extern "C" {

// Makes one frame of this size now, draws it unless it looks like the one before, and reports it through
// Module.host.frame_done. With `is_due`, or when items are wanted, it is drawn in any case. `seconds` is a monotonic
// clock; the size is in device pixels, at least 1 by 1; `scale` is device pixels a CSS pixel. Nothing happens before
// Platform::run.
EMSCRIPTEN_KEEPALIVE void web_frame(double seconds, int device_width, int device_height, double scale, int is_due) {
    attn::Web& web = attn::web();
    if (!web.draw_frame) return;
    const auto begin = [&] { attn::begin_frame(seconds, device_width, device_height, static_cast<float>(scale)); };
    if (!web.is_rehearsed) {
        begin();
        attn::rehearse();
    }
    begin();
    attn::FrameInput input = attn::take_next();
    web.next.gl_was_lost = false;
    web.next.got_keyboard = false;
    web.next.is_closing = false;
    web.next.wants_items = false;
    attn::FrameOutput output = web.draw_frame(input);
    if (input.wants_items) web.items = output.items;
    attn::end_frame(device_width, device_height, is_due != 0 || input.gl_was_lost || input.wants_items);
    attn::tell_page(output);
}

// Does a piece of the work that the last frame left. Returns 1 if there is more, plus 2 if a frame is wanted.
EMSCRIPTEN_KEEPALIVE int web_work() {
    const attn::WorkOutput output = attn::web().do_work();
    return (output.has_more ? 1 : 0) + (output.wants_frame ? 2 : 0);
}

// The page has the whole file that begins here.
EMSCRIPTEN_KEEPALIVE void web_file_taken(const char* begin) {
    attn::web().files.remove_if([&](const std::string& bytes) { return bytes.data() == begin; });
}

// For the next frame: a link arrived from the address bar, or from the page around.
EMSCRIPTEN_KEEPALIVE void web_open_link(const char* link) {
    attn::web().next.link = link;
}

// For the next frame: the page's field says this now.
EMSCRIPTEN_KEEPALIVE void web_type_sentence(const char* sentence) {
    attn::web().sentence = sentence;
    attn::web().next.sentence = sentence;
}

// For the next frame: a file was dropped or chosen. Returns where the page writes its `size` bytes at once; null where
// there is no memory for them.
EMSCRIPTEN_KEEPALIVE char* web_add_file(const char* name, int size) {
    constexpr int kBeside = 1 << 12;  // its name, its place in the list
    if (!attn::has_room_for(std::int64_t{size} + kBeside)) return nullptr;
    attn::FileData& file = attn::web().next.files.emplace_back();
    file.name = name;
    file.bytes.resize(static_cast<std::size_t>(size));
    return file.bytes.data();
}

// For the next frame: a sentence for the visitor.
EMSCRIPTEN_KEEPALIVE void web_note(const char* sentence) {
    attn::web().next.note = sentence;
}

// All parts of the program are there. For the next frame: steps of lessons that were seen in earlier visits.
EMSCRIPTEN_KEEPALIVE void web_has_all(const char* visited) {
    attn::web().next.has_all = true;
    attn::web().next.visited = visited;
}

// The page's address without '#' and what follows; empty where it is nothing to hand on. Whether the browser can share
// links to it, and whether the page that fetches models is beside it.
EMSCRIPTEN_KEEPALIVE void web_set_address(const char* address, int can_share, int has_fetch_page) {
    attn::web().next.page_address = address;
    attn::web().next.can_share_link = can_share != 0;
    attn::web().next.has_fetch_page = has_fetch_page != 0;
}

// For the next frame: hand out the link without waiting for the state to rest.
EMSCRIPTEN_KEEPALIVE void web_hurry() {
    attn::web().next.is_closing = true;
}

// For the next frame: write down what stands where. web_items gives it as JSON (items_as_json) until it is asked for
// again.
EMSCRIPTEN_KEEPALIVE void web_want_items() {
    attn::web().next.wants_items = true;
}
EMSCRIPTEN_KEEPALIVE const char* web_items() {
    return attn::web().items.empty() ? "[]" : attn::web().items.c_str();
}

// What the visitor's system prefers, from now on; the colours (0xRRGGBB) count if it insists on them.
EMSCRIPTEN_KEEPALIVE void web_set_preferences(int is_dark, int reduces_motion, int forces_colors, unsigned ground,
                                              unsigned text, unsigned links, unsigned chosen, unsigned on_chosen) {
    attn::web().next.forced_colors.reset();
    if (forces_colors != 0) attn::web().next.forced_colors = {ground, text, links, chosen, on_chosen};
    attn::web().next.system_is_dark = is_dark != 0;
    attn::web().next.reduces_motion = reduces_motion != 0;
}

// This machine is used with fingers, as far as can be known before the first touch.
EMSCRIPTEN_KEEPALIVE void web_expect_fingers() {
    attn::web().next.is_touch = true;
}

// The browser took the GL context away: forgets what lived in it. No frames until web_gl_restored.
EMSCRIPTEN_KEEPALIVE void web_gl_lost() {
    ImGui_ImplOpenGL3_DestroyDeviceObjects();
    forget_gl_objects();
}

// The context is back and empty: the next frame makes everything again.
EMSCRIPTEN_KEEPALIVE void web_gl_restored() {
    attn::web().next.gl_was_lost = true;
}

}  // extern "C"
