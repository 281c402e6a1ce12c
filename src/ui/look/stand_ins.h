// Stand-ins: private-use characters, each of which stands for a whole piece of text that the built-in fonts cannot
// draw. They lie in the Basic Multilingual Plane (U+E000 to U+F8FF), because ImGui keeps a table as long as the largest
// character for every font and size. Knows no ImGui and no fonts.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace attn {

class StandIns {
public:
    static constexpr unsigned kFirst = 0xE000;
    static constexpr int kCount = 6400;

    struct Given {
        unsigned character = 0;
        bool is_new_meaning = false;  // it stood for something else before: forget its pictures
    };

    // The character that stands for `text` in frame `frame` (which never goes back). Nothing when all of them are in
    // use in this very frame.
    std::optional<Given> give(std::string_view text, int frame);

    // What `character` stands for; nothing when it is no stand-in, or not in use.
    std::optional<std::string_view> meaning(unsigned character) const;

private:
    struct Entry {
        std::string text;
        int last_used;  // frame
    };
    std::vector<Entry> entries_;  // entry k belongs to kFirst + k
    std::map<std::string, int, std::less<>> by_text_;
};

}  // namespace attn
