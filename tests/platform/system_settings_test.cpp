// The system's colour scheme and motion, against a bus and a settings portal of the test's own. Needs dbus-daemon.
#include "platform/system_settings_desktop.h"

#include <gio/gio.h>

#include <atomic>
#include <catch_amalgamated.hpp>
#include <chrono>
#include <cstdlib>
#include <future>
#include <map>
#include <string>
#include <thread>

using namespace attn;

namespace {

constexpr const char* kPortal = R"(<node><interface name="org.freedesktop.portal.Settings">
    <method name="Read"><arg direction="in" type="s"/><arg direction="in" type="s"/><arg direction="out" type="v"/></method>
    <signal name="SettingChanged"><arg type="s"/><arg type="s"/><arg type="v"/></signal>
  </interface></node>)";

// A portal that answers from a table, in a thread of its own.
class Portal {
public:
    // Takes floating variants: {"color-scheme", g_variant_new_uint32(1)}.
    explicit Portal(const std::map<std::string, GVariant*>& answers) {
        for (const auto& [key, value] : answers) answers_[key] = g_variant_ref_sink(value);
        std::promise<void> is_ready;
        thread_ = std::thread([this, &is_ready] { serve(is_ready); });
        is_ready.get_future().wait();
    }

    ~Portal() {
        GSource* quit = g_idle_source_new();
        g_source_set_callback(
            quit,
            [](gpointer loop) {
                g_main_loop_quit(static_cast<GMainLoop*>(loop));
                return G_SOURCE_REMOVE;
            },
            loop_, nullptr);
        g_source_attach(quit, context_);
        g_source_unref(quit);
        thread_.join();
        g_main_loop_unref(loop_);
        g_main_context_unref(context_);
        for (const auto& [key, value] : answers_) g_variant_unref(value);
    }

    void announce(const char* group, const char* key, GVariant* value) {
        g_dbus_connection_emit_signal(bus_, nullptr, "/org/freedesktop/portal/desktop",
                                      "org.freedesktop.portal.Settings", "SettingChanged",
                                      g_variant_new("(ssv)", group, key, value), nullptr);
        g_dbus_connection_flush_sync(bus_, nullptr, nullptr);
    }

private:
    void serve(std::promise<void>& is_ready) {
        g_main_context_push_thread_default(context_);
        bus_ = g_dbus_connection_new_for_address_sync(
            std::getenv("DBUS_SESSION_BUS_ADDRESS"),
            static_cast<GDBusConnectionFlags>(G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT |
                                              G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION),
            nullptr, nullptr, nullptr);
        GDBusNodeInfo* node = g_dbus_node_info_new_for_xml(kPortal, nullptr);
        const GDBusInterfaceVTable methods = {answer, nullptr, nullptr, {}};
        g_dbus_connection_register_object(bus_, "/org/freedesktop/portal/desktop", node->interfaces[0], &methods, this,
                                          nullptr, nullptr);
        GVariant* reply =
            g_dbus_connection_call_sync(bus_, "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus",
                                        "RequestName", g_variant_new("(su)", "org.freedesktop.portal.Desktop", 0),
                                        nullptr, G_DBUS_CALL_FLAGS_NONE, -1, nullptr, nullptr);
        g_variant_unref(reply);
        is_ready.set_value();
        g_main_loop_run(loop_);
        g_dbus_connection_close_sync(bus_, nullptr, nullptr);
        g_object_unref(bus_);
        g_dbus_node_info_unref(node);
        g_main_context_pop_thread_default(context_);
    }

    static void answer(GDBusConnection*, const gchar*, const gchar*, const gchar*, const gchar*, GVariant* parameters,
                       GDBusMethodInvocation* call, gpointer data) {
        const gchar *group = nullptr, *key = nullptr;
        g_variant_get(parameters, "(&s&s)", &group, &key);
        const std::map<std::string, GVariant*>& answers = static_cast<Portal*>(data)->answers_;
        const auto found = answers.find(key);
        if (found == answers.end())
            g_dbus_method_invocation_return_dbus_error(call, "org.freedesktop.portal.Error.NotFound",
                                                       "no such setting");
        else  // Read boxes the value twice
            g_dbus_method_invocation_return_value(call, g_variant_new("(v)", g_variant_new_variant(found->second)));
    }

    std::map<std::string, GVariant*> answers_;
    GMainContext* context_ = g_main_context_new();
    GMainLoop* loop_ = g_main_loop_new(context_, FALSE);
    GDBusConnection* bus_ = nullptr;
    std::thread thread_;
};

// A bus of the test's own; DBUS_SESSION_BUS_ADDRESS names it while it lives.
class Bus {
public:
    Bus() { g_test_dbus_up(bus_); }
    ~Bus() {
        g_test_dbus_stop(bus_);
        g_object_unref(bus_);
        unsetenv("DBUS_SESSION_BUS_ADDRESS");
    }

private:
    GTestDBus* bus_ = g_test_dbus_new(G_TEST_DBUS_NONE);
};

// Waits until `condition` holds, at most 5 s: far longer than a bus on the same machine takes.
template <class Condition>
bool holds_soon(const Condition& condition) {
    for (int i = 0; i < 500 && !condition(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
    return condition();
}

}  // namespace

TEST_CASE("without a session bus the system is light and moves", "[system-settings]") {
    REQUIRE(unsetenv("DBUS_SESSION_BUS_ADDRESS") == 0);
    REQUIRE(setenv("XDG_RUNTIME_DIR", "/nowhere", 1) == 0);
    const SystemSettings settings([] {});
    settings.wait(5);
    CHECK_FALSE(settings.is_dark());
    CHECK_FALSE(settings.reduces_motion());
}

TEST_CASE("a bus address that leads nowhere is light and moves", "[system-settings][bad-input]") {
    REQUIRE(setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nowhere/bus", 1) == 0);
    const SystemSettings settings([] {});
    settings.wait(5);
    CHECK_FALSE(settings.is_dark());
    REQUIRE(unsetenv("DBUS_SESSION_BUS_ADDRESS") == 0);
}

TEST_CASE("a bus without a portal is light and moves", "[system-settings]") {
    const Bus bus;
    const SystemSettings settings([] {});
    settings.wait(5);
    CHECK_FALSE(settings.is_dark());
    CHECK_FALSE(settings.reduces_motion());
}

TEST_CASE("the portal's answers are there after the wait", "[system-settings]") {
    const Bus bus;
    const Portal portal(
        {{"color-scheme", g_variant_new_uint32(1)}, {"enable-animations", g_variant_new_boolean(FALSE)}});
    const SystemSettings settings([] {});
    settings.wait(5);
    CHECK(settings.is_dark());
    CHECK(settings.reduces_motion());
}

TEST_CASE("answers of the wrong type, or none, change nothing", "[system-settings][bad-input]") {
    const Bus bus;
    const Portal portal({{"color-scheme", g_variant_new_string("dark")}});
    const SystemSettings settings([] {});
    settings.wait(5);
    CHECK_FALSE(settings.is_dark());
    CHECK_FALSE(settings.reduces_motion());
}

TEST_CASE("a change while the program runs is told once", "[system-settings]") {
    const Bus bus;
    Portal portal({{"color-scheme", g_variant_new_uint32(0)}});
    std::atomic<int> num_changes = 0;
    const SystemSettings settings([&num_changes] { ++num_changes; });
    settings.wait(5);
    REQUIRE_FALSE(settings.is_dark());

    portal.announce("org.freedesktop.appearance", "color-scheme", g_variant_new_uint32(1));
    CHECK(holds_soon([&] { return settings.is_dark(); }));
    portal.announce("org.freedesktop.appearance", "contrast", g_variant_new_uint32(1));
    portal.announce("org.freedesktop.appearance", "color-scheme", g_variant_new_uint32(1));
    portal.announce("org.gnome.desktop.interface", "enable-animations", g_variant_new_boolean(FALSE));
    CHECK(holds_soon([&] { return settings.reduces_motion(); }));
    CHECK(holds_soon([&] { return num_changes == 2; }));
    portal.announce("org.freedesktop.appearance", "color-scheme", g_variant_new_uint32(2));
    CHECK(holds_soon([&] { return !settings.is_dark(); }));
}
