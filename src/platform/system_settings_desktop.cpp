// Asks the portal's interface org.freedesktop.portal.Settings, and listens to its changes.
#include "platform/system_settings_desktop.h"

#include <atomic>
#include <chrono>
#include <future>
#include <string_view>
#include <utility>

#include "platform/session_bus_desktop.h"

namespace attn {
namespace {

constexpr const char* kInterface = "org.freedesktop.portal.Settings";
constexpr int kReadMilliseconds = 5000;  // the bus may have to start the portal

constexpr const char* kAppearance = "org.freedesktop.appearance";
constexpr const char* kColorScheme = "color-scheme";  // uint32: 1 prefers dark
constexpr const char* kContrast = "contrast";         // uint32: 1 prefers more of it
constexpr const char* kDesktop = "org.gnome.desktop.interface";
constexpr const char* kAnimations = "enable-animations";  // boolean
constexpr const char* kGtkTheme = "gtk-theme";            // string

// GTK's contrast themes: black on white, white on black.
constexpr std::string_view kContrastTheme = "HighContrast", kDarkContrastTheme = "HighContrastInverse";

}  // namespace

struct SystemSettings::Listener {
    std::function<void()> on_change;
    std::atomic<bool> is_dark = false;
    std::atomic<bool> wants_contrast = false;
    std::atomic<bool> has_contrast_theme = false, has_dark_contrast_theme = false;
    std::atomic<bool> has_motion = true;
    std::promise<void> first_answers;
    std::future<void> has_answers = first_answers.get_future();
    SessionBus session;  // ends before all that its thread uses

    explicit Listener(std::function<void()> callback)
        : on_change(std::move(callback)), session([this](GDBusConnection* bus) { listen(bus); }) {}

    void listen(GDBusConnection* bus) {
        if (bus) {
            g_dbus_connection_signal_subscribe(bus, kPortalName, kInterface, "SettingChanged", kPortalObject, nullptr,
                                               G_DBUS_SIGNAL_FLAGS_NONE, on_signal, this, nullptr);
            read(bus, kAppearance, kColorScheme);
            read(bus, kAppearance, kContrast);
            read(bus, kDesktop, kGtkTheme);
            read(bus, kDesktop, kAnimations);
        }
        first_answers.set_value();
    }

    // Asks for one setting. No portal, or one without this setting, leaves it as it is.
    void read(GDBusConnection* bus, const char* group, const char* key) {
        GVariant* reply = g_dbus_connection_call_sync(
            bus, kPortalName, kPortalObject, kInterface, "Read", g_variant_new("(ss)", group, key),
            G_VARIANT_TYPE("(v)"), G_DBUS_CALL_FLAGS_NONE, kReadMilliseconds, session.cancellable(), nullptr);
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
        const bool has_changed = take(group, key, value);
        g_variant_unref(value);
        if (has_changed) on_change();
    }

    // Whether the answer differs from the one before. A value of another type changes nothing.
    bool take(std::string_view group, std::string_view key, GVariant* value) {
        const bool is_number = g_variant_is_of_type(value, G_VARIANT_TYPE_UINT32);
        const bool is_one = is_number && g_variant_get_uint32(value) == 1;
        const auto change = [](std::atomic<bool>& setting, bool now) { return setting.exchange(now) != now; };
        if (group == kAppearance && key == kColorScheme) return is_number && change(is_dark, is_one);
        if (group == kAppearance && key == kContrast) return is_number && change(wants_contrast, is_one);
        if (group != kDesktop) return false;
        if (key == kAnimations && g_variant_is_of_type(value, G_VARIANT_TYPE_BOOLEAN))
            return change(has_motion, g_variant_get_boolean(value) != FALSE);
        if (key != kGtkTheme || !g_variant_is_of_type(value, G_VARIANT_TYPE_STRING)) return false;
        const std::string_view theme = g_variant_get_string(value, nullptr);
        const bool changes_light = change(has_contrast_theme, theme == kContrastTheme);
        const bool changes_dark = change(has_dark_contrast_theme, theme == kDarkContrastTheme);
        return changes_light || changes_dark;
    }
};

SystemSettings::SystemSettings(std::function<void()> on_change)
    : listener_(std::make_unique<Listener>(std::move(on_change))) {}

SystemSettings::~SystemSettings() = default;

void SystemSettings::wait(double seconds) const {
    listener_->has_answers.wait_for(std::chrono::duration<double>(seconds));
}

bool SystemSettings::is_dark() const {
    return listener_->has_dark_contrast_theme || (listener_->is_dark && !listener_->has_contrast_theme);
}

bool SystemSettings::wants_contrast() const {
    return listener_->wants_contrast || listener_->has_contrast_theme || listener_->has_dark_contrast_theme;
}

bool SystemSettings::reduces_motion() const {
    return !listener_->has_motion;
}

// Those of Windows' contrast themes in black and in white, which many are used to.
std::array<unsigned, 5> contrast_colors(bool is_dark) {
    if (is_dark) return {0x000000, 0xffffff, 0xffff00, 0x1aebff, 0x000000};
    return {0xffffff, 0x000000, 0x00009f, 0x37006e, 0xffffff};
}

}  // namespace attn
