// The system's colour scheme and motion, against a bus and a settings portal of the test's own. Needs dbus-daemon.
#include "platform/system_settings_desktop.h"

#include <atomic>
#include <catch_amalgamated.hpp>
#include <cstdlib>
#include <map>
#include <string>

#include "platform/private_bus.h"

using namespace attn;

namespace {

constexpr const char* kPortal = R"(<node><interface name="org.freedesktop.portal.Settings">
    <method name="Read"><arg direction="in" type="s"/><arg direction="in" type="s"/><arg direction="out" type="v"/></method>
    <signal name="SettingChanged"><arg type="s"/><arg type="s"/><arg type="v"/></signal>
  </interface></node>)";

// A portal that answers from a table.
class Portal {
public:
    // Takes floating variants: {"color-scheme", g_variant_new_uint32(1)}.
    explicit Portal(const std::map<std::string, GVariant*>& answers) {
        for (const auto& [key, value] : answers) answers_[key] = g_variant_ref_sink(value);
    }

    ~Portal() {
        for (const auto& [key, value] : answers_) g_variant_unref(value);
    }

    void announce(const char* group, const char* key, GVariant* value) {
        portal_.emit(FakePortal::kObject, "org.freedesktop.portal.Settings", "SettingChanged",
                     g_variant_new("(ssv)", group, key, value));
    }

private:
    void answer(GVariant* parameters, GDBusMethodInvocation* call) const {
        const gchar *group = nullptr, *key = nullptr;
        g_variant_get(parameters, "(&s&s)", &group, &key);
        const auto found = answers_.find(key);
        if (found == answers_.end())
            g_dbus_method_invocation_return_dbus_error(call, "org.freedesktop.portal.Error.NotFound",
                                                       "no such setting");
        else  // Read boxes the value twice
            g_dbus_method_invocation_return_value(call, g_variant_new("(v)", g_variant_new_variant(found->second)));
    }

    std::map<std::string, GVariant*> answers_;
    FakePortal portal_{kPortal, [this](const std::string&, GVariant* parameters, GDBusMethodInvocation* call) {
                           answer(parameters, call);
                       }};
};

}  // namespace

TEST_CASE("without a session bus the system counts as light and with motion", "[system-settings]") {
    REQUIRE(unsetenv("DBUS_SESSION_BUS_ADDRESS") == 0);
    REQUIRE(setenv("XDG_RUNTIME_DIR", "/nowhere", 1) == 0);
    const SystemSettings settings([] {});
    settings.wait(5);
    CHECK_FALSE(settings.is_dark());
    CHECK_FALSE(settings.reduces_motion());
}

TEST_CASE("with a bus address that leads nowhere the system counts as light and with motion",
          "[system-settings][bad-input]") {
    REQUIRE(setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nowhere/bus", 1) == 0);
    const SystemSettings settings([] {});
    settings.wait(5);
    CHECK_FALSE(settings.is_dark());
    REQUIRE(unsetenv("DBUS_SESSION_BUS_ADDRESS") == 0);
}

TEST_CASE("with a bus without a portal the system counts as light and with motion", "[system-settings]") {
    const PrivateBus bus;
    const SystemSettings settings([] {});
    settings.wait(5);
    CHECK_FALSE(settings.is_dark());
    CHECK_FALSE(settings.reduces_motion());
}

TEST_CASE("the portal's answers are there after the wait", "[system-settings]") {
    const PrivateBus bus;
    const Portal portal(
        {{"color-scheme", g_variant_new_uint32(1)}, {"enable-animations", g_variant_new_boolean(FALSE)}});
    const SystemSettings settings([] {});
    settings.wait(5);
    CHECK(settings.is_dark());
    CHECK(settings.reduces_motion());
}

TEST_CASE("answers of the wrong type, or none, change nothing", "[system-settings][bad-input]") {
    const PrivateBus bus;
    const Portal portal({{"color-scheme", g_variant_new_string("dark")}});
    const SystemSettings settings([] {});
    settings.wait(5);
    CHECK_FALSE(settings.is_dark());
    CHECK_FALSE(settings.reduces_motion());
}

TEST_CASE("who asks for contrast gets black and white", "[system-settings]") {
    const PrivateBus bus;
    Portal portal({{"contrast", g_variant_new_uint32(1)}, {"gtk-theme", g_variant_new_string("Adwaita")}});
    std::atomic<int> num_changes = 0;
    const SystemSettings settings([&num_changes] { ++num_changes; });
    settings.wait(5);
    CHECK(settings.wants_contrast());
    CHECK_FALSE(settings.is_dark());
    portal.announce("org.freedesktop.appearance", "contrast", g_variant_new_string("1"));
    portal.announce("org.freedesktop.appearance", "contrast", g_variant_new_uint32(0));
    CHECK(holds_soon([&] { return !settings.wants_contrast(); }));
    // GTK's contrast themes have their own ground, whatever the colour scheme is.
    portal.announce("org.gnome.desktop.interface", "gtk-theme", g_variant_new_string("HighContrastInverse"));
    CHECK(holds_soon([&] { return settings.wants_contrast() && settings.is_dark(); }));
    portal.announce("org.gnome.desktop.interface", "gtk-theme", g_variant_new_string("HighContrast"));
    CHECK(holds_soon([&] { return settings.wants_contrast() && !settings.is_dark(); }));
    portal.announce("org.gnome.desktop.interface", "gtk-theme", g_variant_new_string("Adwaita"));
    CHECK(holds_soon([&] { return !settings.wants_contrast(); }));
}

TEST_CASE("a change while the program runs is told once", "[system-settings]") {
    const PrivateBus bus;
    Portal portal({{"color-scheme", g_variant_new_uint32(0)}});
    std::atomic<int> num_changes = 0;
    const SystemSettings settings([&num_changes] { ++num_changes; });
    settings.wait(5);
    REQUIRE_FALSE(settings.is_dark());

    portal.announce("org.freedesktop.appearance", "color-scheme", g_variant_new_uint32(1));
    CHECK(holds_soon([&] { return settings.is_dark(); }));
    portal.announce("org.freedesktop.appearance", "accent-color", g_variant_new_uint32(1));
    portal.announce("org.freedesktop.appearance", "color-scheme", g_variant_new_uint32(1));
    portal.announce("org.gnome.desktop.interface", "enable-animations", g_variant_new_boolean(FALSE));
    CHECK(holds_soon([&] { return settings.reduces_motion(); }));
    CHECK(holds_soon([&] { return num_changes == 2; }));
    portal.announce("org.freedesktop.appearance", "color-scheme", g_variant_new_uint32(2));
    CHECK(holds_soon([&] { return !settings.is_dark(); }));
}
