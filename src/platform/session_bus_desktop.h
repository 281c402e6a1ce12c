// The session bus of a freedesktop system, served in a thread of its own so that no frame ever waits for it. Must not
// know what it is used for.
#pragma once

#include <gio/gio.h>

#include <functional>
#include <thread>

namespace attn {

// Where the desktop's portals answer: https://flatpak.github.io/xdg-desktop-portal.
inline constexpr const char* kPortalName = "org.freedesktop.portal.Desktop";
inline constexpr const char* kPortalObject = "/org/freedesktop/portal/desktop";

class SessionBus {
public:
    // What is done in the thread. `bus` is null where there is no session bus.
    using Job = std::function<void(GDBusConnection* bus)>;

    // Starts the thread, which connects and calls `first`.
    explicit SessionBus(Job first);

    // Cancels calls, waits until what was asked is done and closes the connection.
    ~SessionBus();
    SessionBus(const SessionBus&) = delete;
    SessionBus& operator=(const SessionBus&) = delete;

    // Has `job` done in the thread, after all that was asked before. From any thread.
    void run(Job job);

    // Of calls that are to end with the thread.
    GCancellable* cancellable() const { return cancellable_; }

private:
    void serve(const Job& first);
    GDBusConnection* connect() const;

    GMainContext* context_ = g_main_context_new();
    GMainLoop* loop_ = g_main_loop_new(context_, FALSE);
    GCancellable* cancellable_ = g_cancellable_new();
    GDBusConnection* bus_ = nullptr;  // the thread's
    std::thread thread_;
};

}  // namespace attn
