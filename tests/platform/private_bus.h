// A session bus of the test's own, and on it a portal that says what the test wants. Needs dbus-daemon.
#pragma once

#include <gio/gio.h>
#include <stdlib.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <future>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace attn {

// DBUS_SESSION_BUS_ADDRESS names it while it lives.
class PrivateBus {
public:
    PrivateBus() {
        g_test_dbus_up(bus_);
        restore_display();
    }
    ~PrivateBus() {
        g_test_dbus_stop(bus_);
        g_object_unref(bus_);
        unsetenv("DBUS_SESSION_BUS_ADDRESS");
        restore_display();
    }
    PrivateBus(const PrivateBus&) = delete;
    PrivateBus& operator=(const PrivateBus&) = delete;

private:
    // GLib takes the display away from tests that have a bus.
    void restore_display() const {
        if (!display_.empty()) setenv("DISPLAY", display_.c_str(), 1);
    }

    std::string display_ = getenv("DISPLAY") ? getenv("DISPLAY") : "";
    GTestDBus* bus_ = g_test_dbus_new(G_TEST_DBUS_NONE);
};

// The portal's object with one interface, served in a thread of its own.
class FakePortal {
public:
    // Answers the call, in that thread.
    using Answer = std::function<void(const std::string& method, GVariant* parameters, GDBusMethodInvocation* call)>;

    FakePortal(const char* interface_xml, Answer answer) : answer_(std::move(answer)) {
        std::promise<void> is_ready;
        thread_ = std::thread([this, interface_xml, &is_ready] { serve(interface_xml, is_ready); });
        is_ready.get_future().wait();
    }

    ~FakePortal() {
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
    }
    FakePortal(const FakePortal&) = delete;
    FakePortal& operator=(const FakePortal&) = delete;

    static constexpr const char* kObject = "/org/freedesktop/portal/desktop";

    // Tells everybody.
    void emit(const std::string& object, const char* interface, const char* signal, GVariant* parameters) {
        g_dbus_connection_emit_signal(bus_, nullptr, object.c_str(), interface, signal, parameters, nullptr);
        g_dbus_connection_flush_sync(bus_, nullptr, nullptr);
    }

private:
    void serve(const char* interface_xml, std::promise<void>& is_ready) {
        g_main_context_push_thread_default(context_);
        bus_ = g_dbus_connection_new_for_address_sync(
            getenv("DBUS_SESSION_BUS_ADDRESS"),
            static_cast<GDBusConnectionFlags>(G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT |
                                              G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION),
            nullptr, nullptr, nullptr);
        GDBusNodeInfo* node = g_dbus_node_info_new_for_xml(interface_xml, nullptr);
        const GDBusInterfaceVTable methods = {hand_over, nullptr, nullptr, {}};
        g_dbus_connection_register_object(bus_, kObject, node->interfaces[0], &methods, this, nullptr, nullptr);
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

    static void hand_over(GDBusConnection*, const gchar*, const gchar*, const gchar*, const gchar* method,
                          GVariant* parameters, GDBusMethodInvocation* call, gpointer data) {
        static_cast<FakePortal*>(data)->answer_(method, parameters, call);
    }

    Answer answer_;
    GMainContext* context_ = g_main_context_new();
    GMainLoop* loop_ = g_main_loop_new(context_, FALSE);
    GDBusConnection* bus_ = nullptr;
    std::thread thread_;
};

// The interface of file choosers.
inline constexpr const char* kFileChooser = R"(<node><interface name="org.freedesktop.portal.FileChooser">
    <method name="OpenFile"><arg direction="in" type="s"/><arg direction="in" type="s"/>
      <arg direction="in" type="a{sv}"/><arg direction="out" type="o"/></method>
    <method name="SaveFile"><arg direction="in" type="s"/><arg direction="in" type="s"/>
      <arg direction="in" type="a{sv}"/><arg direction="out" type="o"/></method>
  </interface></node>)";

// Accepts a question to the file chooser. Returns the object whose signal is to bring the answer.
inline std::string accept_question(GVariant* parameters, GDBusMethodInvocation* call) {
    const gchar* token = "";
    GVariant* options = g_variant_get_child_value(parameters, 2);
    g_variant_lookup(options, "handle_token", "&s", &token);
    std::string sender = g_dbus_method_invocation_get_sender(call) + 1;
    std::replace(sender.begin(), sender.end(), '.', '_');
    const std::string handle = std::string(FakePortal::kObject) + "/request/" + sender + "/" + token;
    g_variant_unref(options);
    g_dbus_method_invocation_return_value(call, g_variant_new("(o)", handle.c_str()));
    return handle;
}

// The visitor closes the dialog behind `handle`: response 0 chose `addresses`, 1 is a change of mind, 2 another end.
inline void close_dialog(FakePortal& portal, const std::string& handle, guint32 response,
                         const std::vector<std::string>& addresses) {
    GVariantBuilder results;
    g_variant_builder_init(&results, G_VARIANT_TYPE_VARDICT);
    GVariantBuilder list;
    g_variant_builder_init(&list, G_VARIANT_TYPE_STRING_ARRAY);
    for (const std::string& address : addresses) g_variant_builder_add(&list, "s", address.c_str());
    g_variant_builder_add(&results, "{sv}", "uris", g_variant_builder_end(&list));
    portal.emit(handle, "org.freedesktop.portal.Request", "Response", g_variant_new("(ua{sv})", response, &results));
}

// Waits until `condition` holds, at most 5 s: far longer than a bus on the same machine takes.
template <class Condition>
bool holds_soon(const Condition& condition) {
    for (int i = 0; i < 500; ++i) {
        if (condition()) return true;
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return false;
}

}  // namespace attn
