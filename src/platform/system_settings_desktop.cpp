// See system_settings_desktop.h. The portal: https://flatpak.github.io/xdg-desktop-portal, interface
// org.freedesktop.portal.Settings.
#include "platform/system_settings_desktop.h"

#include <gio/gio.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <future>
#include <string>
#include <string_view>
#include <thread>

namespace attn {
namespace {

constexpr const char* kBusName = "org.freedesktop.portal.Desktop";
constexpr const char* kObject = "/org/freedesktop/portal/desktop";
constexpr const char* kInterface = "org.freedesktop.portal.Settings";
constexpr int kReadMilliseconds = 5000;  // the bus may have to start the portal

constexpr const char* kAppearance = "org.freedesktop.appearance";
constexpr const char* kColorScheme = "color-scheme";  // uint32: 1 prefers dark
constexpr const char* kDesktop = "org.gnome.desktop.interface";
constexpr const char* kAnimations = "enable-animations";  // boolean

// The session bus, if one runs. GLib would start a new bus where there is none: nobody would ever answer there.
std::string bus_address() {
    if (const char* address = std::getenv("DBUS_SESSION_BUS_ADDRESS")) return address;
    const char* runtime = std::getenv("XDG_RUNTIME_DIR");
    if (!runtime) return {};
    const std::filesystem::path socket = std::filesystem::path(runtime) / "bus";
    std::error_code error;
    return std::filesystem::exists(socket, error) ? "unix:path=" + socket.string() : std::string();
}

}  // namespace

struct SystemSettings::Listener {
    std::function<void()> on_change;
    std::atomic<bool> is_dark = false;
    std::atomic<bool> has_motion = true;
    std::promise<void> first_answers;
    std::future<void> has_answers = first_answers.get_future();
    GMainContext* context = g_main_context_new();
    GMainLoop* loop = g_main_loop_new(context, FALSE);
    GCancellable* cancellable = g_cancellable_new();
    std::thread thread;

    explicit Listener(std::function<void()> callback) : on_change(std::move(callback)) {
        thread = std::thread([this] {
            g_main_context_push_thread_default(context);
            listen();
            g_main_context_pop_thread_default(context);
        });
    }

    ~Listener() {
        g_cancellable_cancel(cancellable);
        // The loop may not run yet: only a source that waits in its context is sure to be seen.
        GSource* quit = g_idle_source_new();
        g_source_set_callback(
            quit,
            [](gpointer data) {
                g_main_loop_quit(static_cast<GMainLoop*>(data));
                return G_SOURCE_REMOVE;
            },
            loop, nullptr);
        g_source_attach(quit, context);
        g_source_unref(quit);
        thread.join();
        g_object_unref(cancellable);
        g_main_loop_unref(loop);
        g_main_context_unref(context);
    }

    // The thread's whole life.
    void listen() {
        GDBusConnection* bus = connect();
        guint subscription = 0;
        if (bus) {
            subscription =
                g_dbus_connection_signal_subscribe(bus, kBusName, kInterface, "SettingChanged", kObject, nullptr,
                                                   G_DBUS_SIGNAL_FLAGS_NONE, on_signal, this, nullptr);
            read(bus, kAppearance, kColorScheme);
            read(bus, kDesktop, kAnimations);
        }
        first_answers.set_value();
        if (!bus) return;
        g_main_loop_run(loop);
        g_dbus_connection_signal_unsubscribe(bus, subscription);
        g_dbus_connection_close_sync(bus, nullptr, nullptr);
        g_object_unref(bus);
    }

    // A connection of our own, so that it may be closed. Null where there is no bus.
    GDBusConnection* connect() const {
        const std::string address = bus_address();
        if (address.empty()) return nullptr;
        const auto flags = static_cast<GDBusConnectionFlags>(G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT |
                                                             G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION);
        return g_dbus_connection_new_for_address_sync(address.c_str(), flags, nullptr, cancellable, nullptr);
    }

    // Asks for one setting. No portal, or one without this setting, leaves it as it is.
    void read(GDBusConnection* bus, const char* group, const char* key) {
        GVariant* reply = g_dbus_connection_call_sync(bus, kBusName, kObject, kInterface, "Read",
                                                      g_variant_new("(ss)", group, key), G_VARIANT_TYPE("(v)"),
                                                      G_DBUS_CALL_FLAGS_NONE, kReadMilliseconds, cancellable, nullptr);
        if (!reply) return;
        GVariant* value = g_variant_get_child_value(reply, 0);
        accept(group, key, value);
        g_variant_unref(value);
        g_variant_unref(reply);
    }

    static void on_signal(GDBusConnection*, const gchar*, const gchar*, const gchar*, const gchar*,
                          GVariant* parameters, gpointer data) {
        if (!g_variant_is_of_type(parameters, G_VARIANT_TYPE("(ssv)"))) return;
        const gchar *group = nullptr, *key = nullptr;
        GVariant* value = nullptr;
        g_variant_get(parameters, "(&s&s@v)", &group, &key, &value);
        static_cast<Listener*>(data)->accept(group, key, value);
        g_variant_unref(value);
    }

    // `boxed` is the value in one variant or, from Read, in two.
    void accept(std::string_view group, std::string_view key, GVariant* boxed) {
        GVariant* value = g_variant_ref(boxed);
        while (g_variant_is_of_type(value, G_VARIANT_TYPE_VARIANT)) {
            GVariant* inner = g_variant_get_variant(value);
            g_variant_unref(value);
            value = inner;
        }
        bool has_changed = false;
        if (group == kAppearance && key == kColorScheme && g_variant_is_of_type(value, G_VARIANT_TYPE_UINT32)) {
            const bool prefers_dark = g_variant_get_uint32(value) == 1;
            has_changed = is_dark.exchange(prefers_dark) != prefers_dark;
        } else if (group == kDesktop && key == kAnimations && g_variant_is_of_type(value, G_VARIANT_TYPE_BOOLEAN)) {
            const bool moves = g_variant_get_boolean(value);
            has_changed = has_motion.exchange(moves) != moves;
        }
        g_variant_unref(value);
        if (has_changed) on_change();
    }
};

SystemSettings::SystemSettings(std::function<void()> on_change)
    : listener_(std::make_unique<Listener>(std::move(on_change))) {}

SystemSettings::~SystemSettings() = default;

void SystemSettings::wait(double seconds) const {
    listener_->has_answers.wait_for(std::chrono::duration<double>(seconds));
}

bool SystemSettings::is_dark() const {
    return listener_->is_dark;
}

bool SystemSettings::reduces_motion() const {
    return !listener_->has_motion;
}

}  // namespace attn
