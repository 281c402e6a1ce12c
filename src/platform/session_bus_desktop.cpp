// Calls on the session bus, through GIO.
#include "platform/session_bus_desktop.h"

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>

namespace attn {
namespace {

// The session bus, if one runs. GLib would start a new bus where there is none: nobody would ever answer there.
std::string bus_address() {
    if (const char* address = std::getenv("DBUS_SESSION_BUS_ADDRESS")) return address;
    const char* runtime = std::getenv("XDG_RUNTIME_DIR");
    if (!runtime) return {};
    const std::filesystem::path socket = std::filesystem::path(runtime) / "bus";
    std::error_code error;
    return std::filesystem::exists(socket, error) ? "unix:path=" + socket.string() : std::string();
}

// Makes the thread that serves `context` do `work` once, even if it does not serve it yet.
void post(GMainContext* context, std::function<void()> work) {
    using Work = std::function<void()>;
    GSource* source = g_idle_source_new();
    g_source_set_priority(source, G_PRIORITY_DEFAULT);
    g_source_set_callback(
        source,
        [](gpointer data) {
            (*static_cast<Work*>(data))();
            return G_SOURCE_REMOVE;
        },
        std::make_unique<Work>(std::move(work)).release(), [](gpointer data) { delete static_cast<Work*>(data); });
    g_source_attach(source, context);
    g_source_unref(source);
}

}  // namespace

SessionBus::SessionBus(Job first) {
    thread_ = std::thread([this, first = std::move(first)] { serve(first); });
}

SessionBus::~SessionBus() {
    g_cancellable_cancel(cancellable_);
    // The loop may not run yet: only a source that waits in its context is sure to be seen.
    post(context_, [this] { g_main_loop_quit(loop_); });
    thread_.join();
    g_object_unref(cancellable_);
    g_main_loop_unref(loop_);
    g_main_context_unref(context_);
}

void SessionBus::run(Job job) {
    post(context_, [this, job = std::move(job)] { job(bus_); });
}

// The thread's whole life.
void SessionBus::serve(const Job& first) {
    g_main_context_push_thread_default(context_);
    bus_ = connect();
    first(bus_);
    g_main_loop_run(loop_);
    if (bus_) {
        g_dbus_connection_close_sync(bus_, nullptr, nullptr);
        g_object_unref(bus_);
    }
    g_main_context_pop_thread_default(context_);
}

// A connection of our own, so that it may be closed. Null where there is no bus.
GDBusConnection* SessionBus::connect() const {
    const std::string address = bus_address();
    if (address.empty()) return nullptr;
    const auto flags = static_cast<GDBusConnectionFlags>(G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT |
                                                         G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION);
    return g_dbus_connection_new_for_address_sync(address.c_str(), flags, nullptr, cancellable_, nullptr);
}

}  // namespace attn
