// A dialog is a request to the portal: the call returns at once, the answer is a signal that
// arrives when the visitor has closed the dialog.
#include "platform/file_desk_desktop.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string_view>
#include <utility>

#include "core/words/code_points.h"
#include "disk/replace_file.h"
#include "platform/files_desktop.h"
#include "platform/session_bus_desktop.h"

namespace attn {
namespace {

constexpr const char* kInterface = "org.freedesktop.portal.FileChooser";
constexpr const char* kRequest = "org.freedesktop.portal.Request";
constexpr const char* kNoParent = "";  // GLFW names its window to nobody in a way that every build of it has

// How a dialog ended, as its signal says.
enum Response : std::uint32_t { kAnswered = 0, kCancelled = 1 };  // others: no dialog could be shown

// A dialog that is open.
struct Question {
    std::optional<FileData> to_save;  // nothing: which files are to be opened
    guint subscription = 0;           // of the signal that brings the answer
};

// What an open dialog offers: a name, and the patterns of the names that it shows.
void add_filter(GVariantBuilder* filters, const char* name, const std::vector<const char*>& patterns) {
    constexpr guint32 kGlob = 0;
    g_variant_builder_open(filters, G_VARIANT_TYPE("(sa(us))"));
    g_variant_builder_add(filters, "s", name);
    g_variant_builder_open(filters, G_VARIANT_TYPE("a(us)"));
    for (const char* pattern : patterns) g_variant_builder_add(filters, "(us)", kGlob, pattern);
    g_variant_builder_close(filters);
    g_variant_builder_close(filters);
}

GVariant* all_filters() {
    GVariantBuilder filters;
    g_variant_builder_init(&filters, G_VARIANT_TYPE("a(sa(us))"));
    add_filter(&filters, "Sessions and numbers", {"*.attention", "*.json", "*.npy", "*.npz", "*.csv", "*.tsv"});
    add_filter(&filters, "All files", {"*"});
    return g_variant_builder_end(&filters);
}

// The arguments of OpenFile and SaveFile: parent window, title, options.
GVariant* arguments_of(const Question& question, const std::string& token) {
    GVariantBuilder options;
    g_variant_builder_init(&options, G_VARIANT_TYPE_VARDICT);
    g_variant_builder_add(&options, "{sv}", "handle_token", g_variant_new_string(token.c_str()));
    if (question.to_save) {
        g_variant_builder_add(&options, "{sv}", "current_name", g_variant_new_string(question.to_save->name.c_str()));
    } else {
        g_variant_builder_add(&options, "{sv}", "multiple", g_variant_new_boolean(TRUE));
        g_variant_builder_add(&options, "{sv}", "filters", all_filters());
    }
    return g_variant_new("(ssa{sv})", kNoParent, question.to_save ? "Save" : "Open", &options);
}

// The files that a dialog's answer names; empty when it names none.
std::vector<std::string> addresses_in(GVariant* results) {
    std::vector<std::string> addresses;
    GVariant* list = g_variant_lookup_value(results, "uris", G_VARIANT_TYPE_STRING_ARRAY);
    if (!list) return addresses;
    for (gsize i = 0; i < g_variant_n_children(list); ++i) {
        GVariant* address = g_variant_get_child_value(list, i);
        addresses.emplace_back(g_variant_get_string(address, nullptr));
        g_variant_unref(address);
    }
    g_variant_unref(list);
    return addresses;
}

}  // namespace

// All but the news is touched by the thread alone.
struct FileDesk::Thread {
    // What the bus hands back with an answer.
    struct Reference {
        Thread* thread;
        int number;
    };

    std::function<void()> on_news;
    std::mutex mutex;  // of the news
    FileNews news;
    std::map<int, Question> questions;
    int last_number = 0;
    SessionBus session{[](GDBusConnection*) {}};  // ends before all that its thread uses

    explicit Thread(std::function<void()> callback) : on_news(std::move(callback)) {}

    void tell(FileNews fresh) {
        if (fresh.is_empty()) return;
        const auto move_to_end = [](auto& all, auto& more) {
            std::move(more.begin(), more.end(), std::back_inserter(all));
        };
        {
            const std::lock_guard lock(mutex);
            move_to_end(news.files, fresh.files);
            move_to_end(news.paths, fresh.paths);
            move_to_end(news.missed, fresh.missed);
            move_to_end(news.notes, fresh.notes);
            move_to_end(news.successes, fresh.successes);
        }
        on_news();
    }

    void tell_note(const std::string& sentence) {
        FileNews fresh;
        fresh.notes.push_back(sentence);
        tell(std::move(fresh));
    }

    void read(const std::vector<std::filesystem::path>& files) {
        FileNews fresh;
        for (const std::filesystem::path& path : files) {
            bool is_read = true;
            for (const std::filesystem::path& one : files_meant(path)) {
                Result<FileData> file = read_file(one);
                if (file) fresh.files.push_back(std::move(*file));
                if (!file) fresh.notes.push_back(file.error());
                is_read = is_read && file;
            }
            (is_read ? fresh.paths : fresh.missed).push_back(path);
        }
        tell(std::move(fresh));
    }

    // Returns whether the file is there now; if not, the visitor has been told why.
    bool write(const std::filesystem::path& path, const FileData& file) {
        const std::string reason = replace_file(path, file.bytes);
        FileNews fresh;
        if (reason.empty()) fresh.paths.push_back(path);
        if (!reason.empty()) fresh.notes.push_back(one_line(path.string()) + " cannot be written: " + reason + ".");
        tell(std::move(fresh));
        return reason.empty();
    }

    void ask(GDBusConnection* bus, Question question) {
        if (!bus) return go_on_without_dialog(question);
        const int number = ++last_number;
        const std::string token = "attention" + std::to_string(number);
        std::string sender = g_dbus_connection_get_unique_name(bus) + 1;  // without the colon
        std::replace(sender.begin(), sender.end(), '.', '_');
        const std::string handle = std::string(kPortalObject) + "/request/" + sender + "/" + token;
        question.subscription = g_dbus_connection_signal_subscribe(
            bus, kPortalName, kRequest, "Response", handle.c_str(), nullptr, G_DBUS_SIGNAL_FLAGS_NONE, on_response,
            new Reference{this, number}, [](gpointer data) { delete static_cast<Reference*>(data); });
        GVariant* arguments = arguments_of(question, token);
        const char* method = question.to_save ? "SaveFile" : "OpenFile";
        questions.emplace(number, std::move(question));
        g_dbus_connection_call(bus, kPortalName, kPortalObject, kInterface, method, arguments, G_VARIANT_TYPE("(o)"),
                               G_DBUS_CALL_FLAGS_NONE, -1, session.cancellable(), on_reply,
                               new Reference{this, number});
    }

    // The question with this number, which is over then; nothing when it was over before.
    std::optional<Question> take_question(GDBusConnection* bus, int number) {
        const auto found = questions.find(number);
        if (found == questions.end()) return std::nullopt;
        Question question = std::move(found->second);
        questions.erase(found);
        g_dbus_connection_signal_unsubscribe(bus, question.subscription);
        return question;
    }

    // Called when the portal has accepted the question, or when there is no portal that shows dialogs.
    static void on_reply(GObject* source, GAsyncResult* result, gpointer data) {
        const std::unique_ptr<Reference> reference(static_cast<Reference*>(data));
        GDBusConnection* bus = G_DBUS_CONNECTION(source);
        GError* error = nullptr;
        GVariant* reply = g_dbus_connection_call_finish(bus, result, &error);
        if (reply) return g_variant_unref(reply);
        const bool is_end = g_error_matches(error, G_IO_ERROR, G_IO_ERROR_CANCELLED) != 0;
        g_error_free(error);
        if (is_end) return;
        const std::optional<Question> question = reference->thread->take_question(bus, reference->number);
        if (question) reference->thread->go_on_without_dialog(*question);
    }

    // Called when the visitor has closed a dialog.
    static void on_response(GDBusConnection* bus, const gchar*, const gchar*, const gchar*, const gchar*,
                            GVariant* parameters, gpointer data) {
        const Reference reference = *static_cast<Reference*>(data);
        if (!g_variant_is_of_type(parameters, G_VARIANT_TYPE("(ua{sv})"))) return;
        const std::optional<Question> question = reference.thread->take_question(bus, reference.number);
        if (!question) return;
        guint32 response = kCancelled;
        GVariant* results = nullptr;
        g_variant_get(parameters, "(u@a{sv})", &response, &results);
        const std::vector<std::string> addresses = addresses_in(results);
        g_variant_unref(results);
        if (response == kAnswered) reference.thread->use(*question, addresses);
        if (response > kCancelled) reference.thread->go_on_without_dialog(*question);
    }

    void use(const Question& question, const std::vector<std::string>& addresses) {
        std::vector<std::filesystem::path> paths;
        for (const std::string& address : addresses) {
            const Result<std::filesystem::path> path = path_of(address);
            if (path) paths.push_back(*path);
            if (!path) tell_note(path.error());
        }
        if (paths.empty()) return;
        if (question.to_save) {
            write(paths.front(), *question.to_save);
        } else {
            read(paths);
        }
    }

    void go_on_without_dialog(const Question& question) {
        if (!question.to_save) {
            return tell_note(
                "This desktop has no dialog to choose files: drop them on this window, or name them "
                "when you start the program.");
        }
        const std::filesystem::path path = fresh_file(download_folder(), question.to_save->name);
        if (!write(path, *question.to_save)) return;
        FileNews fresh;
        fresh.successes.push_back("Saved as " + one_line(path.string()) +
                                  ", as this desktop has no dialog to choose a place.");
        tell(std::move(fresh));
    }
};

FileDesk::FileDesk(std::function<void()> on_news) : on_news_(std::move(on_news)) {}
FileDesk::~FileDesk() = default;

FileDesk::Thread& FileDesk::thread() {
    if (!thread_) thread_ = std::make_unique<Thread>(on_news_);
    return *thread_;
}

void FileDesk::open(std::vector<std::filesystem::path> files) {
    Thread& it = thread();
    it.session.run([&it, files = std::move(files)](GDBusConnection*) { it.read(files); });
}

void FileDesk::choose() {
    Thread& it = thread();
    it.session.run([&it](GDBusConnection* bus) { it.ask(bus, {}); });
}

void FileDesk::save(FileData file) {
    Thread& it = thread();
    it.session.run([&it, file = std::move(file)](GDBusConnection* bus) { it.ask(bus, {.to_save = file}); });
}

FileNews FileDesk::take_news() {
    if (!thread_) return {};
    const std::lock_guard lock(thread_->mutex);
    return std::exchange(thread_->news, {});
}

}  // namespace attn
