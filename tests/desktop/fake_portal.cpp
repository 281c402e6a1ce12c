// Plays the desktop's file dialogs for the tests of the whole program, on the bus in DBUS_SESSION_BUS_ADDRESS: answers
// every question to save with one file and every question to open with the others, as a visitor would who is quick.
// Writes what it was asked, a line each, after "ready"; ends with its standard input.
//   fake_portal FILE_TO_SAVE [FILE_TO_OPEN...]
#include <cstdio>
#include <string>
#include <vector>

#include "platform/private_bus.h"

using namespace attn;

int main(int argument_count, char** arguments) {
    if (argument_count < 2) return 2;
    std::vector<std::string> addresses;
    for (int i = 1; i < argument_count; ++i) {
        gchar* address = g_filename_to_uri(arguments[i], nullptr, nullptr);
        if (!address) return 2;
        addresses.emplace_back(address);
        g_free(address);
    }
    FakePortal* chooser = nullptr;
    FakePortal portal(kFileChooser, [&](const std::string& method, GVariant* parameters, GDBusMethodInvocation* call) {
        const std::string handle = accept_question(parameters, call);
        std::printf("%s\n", method.c_str());
        std::fflush(stdout);
        const bool is_save = method == "SaveFile";
        close_dialog(*chooser, handle, 0,
                     is_save ? std::vector{addresses[0]} : std::vector(addresses.begin() + 1, addresses.end()));
    });
    chooser = &portal;
    std::printf("ready\n");
    std::fflush(stdout);
    while (std::getchar() != EOF) {
    }
    return 0;
}
