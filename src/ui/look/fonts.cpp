// Each of the three fonts has its TrueType file, and the platform's pictures for what that lacks.
#include "ui/look/fonts.h"

#include <imgui_internal.h>  // font loaders are not in the public header

#include <algorithm>
#include <cstring>
#include <utility>

#include "core/ground/check.h"
#include "core/words/code_points.h"
#include "core/words/tokens.h"
#include "embedded/fonts.h"
#include "scene/kit/figure_text.h"
#include "ui/look/picture_font.h"

namespace attn {
namespace {

constexpr int kMaxGroup = 60;  // characters of one picture
constexpr unsigned kReplacement = 0xFFFD;

// Characters that change their neighbours: accents that combine, joiners, direction marks, variation selectors. ImGui
// would draw them side by side, so they need the platform even if the font has them.
bool changes_neighbours(unsigned c) {
    return (c >= 0x0300 && c <= 0x036F) || (c >= 0x0483 && c <= 0x0489) || (c >= 0x1AB0 && c <= 0x1AFF) ||
           (c >= 0x1DC0 && c <= 0x1DFF) || (c >= 0x200B && c <= 0x200F) || (c >= 0x202A && c <= 0x202E) ||
           (c >= 0x2060 && c <= 0x206F) || (c >= 0x20D0 && c <= 0x20FF) || (c >= 0xFE00 && c <= 0xFE0F) ||
           (c >= 0xFE20 && c <= 0xFE2F);
}

// Adds a TrueType file as a new font, or to what the font added last lacks.
ImFont* add_file(ImFontAtlas& atlas, const EmbeddedFile& file, const char* name, bool is_new) {
    ImFontConfig config;
    config.FontDataOwnedByAtlas = false;
    config.MergeMode = !is_new;
    std::strncpy(config.Name, name, sizeof config.Name - 1);
    // ImGui wants a pointer to changeable bytes and never changes them.
    auto* bytes = const_cast<unsigned char*>(file.data);
    ImFont* font = atlas.AddFontFromMemoryTTF(bytes, static_cast<int>(file.size), 0, &config);
    ATTN_CHECK(font != nullptr, "the embedded font ", name, " cannot be read");
    return font;
}

// The same to what any font lacks: ImGui takes the last one of its list.
void add_file_to(ImFont* font, const EmbeddedFile& file, const char* name) {
    ImVector<ImFont*>& fonts = font->ContainerAtlas->Fonts;
    ImFont** place = fonts.find(font);
    std::swap(*place, fonts.back());
    add_file(*font->ContainerAtlas, file, name, false);
    std::swap(*place, fonts.back());
}

bool is_in_files(const ImFont* font, unsigned c, int first) {
    ImFontAtlas* atlas = font->ContainerAtlas;
    return std::any_of(font->Sources.begin() + first, font->Sources.end(), [=](ImFontConfig* source) {
        return source->FontLoader == nullptr && atlas->FontLoader->FontSrcContainsGlyph(atlas, source, c);
    });
}

// Adds the second file of each font, and forgets the platform's pictures of its characters: a field may have drawn some
// before.
void add_more(PictureSource& source) {
    source.has_more = true;
    const Fonts& fonts = source.fonts;
    const int before = fonts.mono->Sources.Size;
    add_file_to(fonts.sans, kSansRegularMore, "IBM Plex Sans");
    add_file_to(fonts.sans_bold, kSansSemiBoldMore, "IBM Plex Sans SemiBold");
    add_file_to(fonts.mono, kMonoRegularMore, "IBM Plex Mono");
    add_file_to(fonts.mono, kSansRegularMore, "IBM Plex Sans");
    for (unsigned c = 0x7F; c < kReplacement; ++c)
        if (is_in_files(fonts.mono, c, before)) forget_pictures(*fonts.mono->ContainerAtlas, c);
}

// Of a character that the program does not write itself. Apart: a first visit has none.
[[gnu::noinline]] bool is_built_in_more(PictureSource& source, unsigned c) {
    if (changes_neighbours(c)) return false;
    if (!source.has_more) add_more(source);
    return is_in_files(source.fonts.sans, c, 1) && is_in_files(source.fonts.sans_bold, c, 1);
}

// Whether each of the fonts draws the character right by itself. What Mono lacks it takes from Sans.
bool is_built_in(PictureSource& source, unsigned c) {
    if (c >= 0x20 && c < 0x7F) return true;
    ImFontAtlas* atlas = source.fonts.sans->ContainerAtlas;
    return atlas->FontLoader->FontSrcContainsGlyph(atlas, source.fonts.sans->Sources[0], c) ||
           is_built_in_more(source, c);
}

struct Character {
    unsigned code;
    std::string_view bytes;
};

Character first_character(std::string_view text) {
    unsigned code = 0;
    const int length = ImTextCharFromUtf8(&code, text.data(), text.data() + text.size());
    return {code, text.substr(0, static_cast<std::size_t>(std::max(length, 1)))};
}

// Valid UTF-8 with a visible sign for each control character ("␊", "␉") and for each byte that is no text.
std::string visible(std::string_view text) {
    std::string result;
    while (!text.empty()) {
        const Character next = first_character(text);
        text.remove_prefix(next.bytes.size());
        if (next.code < 0x20)
            result += to_utf8(0x2400 + next.code);
        else if (next.code == 0x7F)
            result += to_utf8(0x2421);
        else if (next.code >= 0x80 && next.code < 0xA0)
            result += to_utf8(kReplacement);
        else
            result += to_utf8(next.code);
    }
    return result;
}

bool is_word_built_in(PictureSource& source, std::string_view word) {
    while (!word.empty()) {
        const Character next = first_character(word);
        if (!is_built_in(source, next.code)) return false;
        word.remove_prefix(next.bytes.size());
    }
    return true;
}

int count_characters(std::string_view text) {
    return static_cast<int>(
        std::count_if(text.begin(), text.end(), [](char byte) { return !continues_code_point(byte); }));
}

// Marks, quotes, brackets: they belong to the sentence around a word.
bool is_sign(unsigned c) {
    constexpr std::string_view kSigns = "!\"'(),.:;?[]{}";
    const bool is_ascii = c < 0x7F && kSigns.find(static_cast<char>(c)) != std::string_view::npos;
    return is_ascii || (c >= 0x2018 && c <= 0x201D) || c == 0x2026;
}

// What stands before and behind the word itself.
struct Signs {
    std::size_t before = 0, behind = 0;  // bytes
};

Signs signs_around(std::string_view word) {
    Signs signs;
    bool has_begun = false;
    for (std::string_view rest = word; !rest.empty();) {
        const Character next = first_character(rest);
        rest.remove_prefix(next.bytes.size());
        const bool is_apart = is_sign(next.code) && (rest.empty() || !changes_neighbours(first_character(rest).code));
        if (!is_apart) has_begun = true;
        if (!has_begun) signs.before += next.bytes.size();
        signs.behind = is_apart ? signs.behind + next.bytes.size() : 0;
    }
    if (!has_begun) signs.behind = 0;
    return signs;
}

// Whether all of a word is emoji: in one picture with letters they would take the letters' colour away.
bool is_emoji(std::string_view word) {
    while (!word.empty()) {
        const Character next = first_character(word);
        const bool is_one =
            (next.code >= 0x1F000 && next.code < 0x20000) || (next.code >= 0x2600 && next.code <= 0x27BF);
        if (!is_one && !changes_neighbours(next.code)) return false;
        word.remove_prefix(next.bytes.size());
    }
    return true;
}

// Collects the text to draw; words that need a picture wait in a group until a word comes that needs none. In a text
// that runs from right to left all words need one, because only the platform orders them within a group; the groups of
// a long text, and emoji, stand one left of the other.
class Writer {
public:
    // `is_quoted`: the text runs from left to right, so a word that does not is quoted in it.
    Writer(ImFontAtlas& atlas, bool is_quoted) : atlas_(atlas), source_(pictures_of(atlas)), is_quoted_(is_quoted) {}

    // `spaces` stand before the word.
    void add(std::string_view spaces, std::string_view word) {
        if (is_quoted_ && is_word_built_in(source_, word)) return add_built_in(spaces, word);
        const bool is_alone = is_emoji(word);
        if (is_alone != is_group_emoji_ && !(is_quoted_ && is_right_to_left(group_))) end_group();
        is_group_emoji_ = is_alone;
        if (!is_quoted_ || is_alone) return add_picture(spaces, word);
        // In the word's picture its colon would stand on the other side.
        const Signs signs = signs_around(word);
        if (signs.before > 0) {
            add_built_in(spaces, word.substr(0, signs.before));
            spaces = {};
        }
        add_picture(spaces, word.substr(signs.before, word.size() - signs.before - signs.behind));
        if (signs.behind > 0) add_built_in({}, word.substr(word.size() - signs.behind));
    }

    std::string finish(std::string_view spaces) {
        end_group();
        append(spaces);
        return result_;
    }

private:
    void add_built_in(std::string_view spaces, std::string_view word) {
        end_group();
        append(spaces);
        append(word);
    }

    // What comes next stands right of the rest, or left of it.
    void append(std::string_view piece) { result_.insert(is_quoted_ ? result_.size() : 0, piece); }

    void add_picture(std::string_view spaces, std::string_view word) {
        if (count_characters(group_) + count_characters(word) > kMaxGroup) end_group();
        if (group_.empty())
            append(spaces);
        else
            group_.append(spaces);
        add_to_group(word);
    }

    // A word longer than a group is cut between characters as people count them.
    void add_to_group(std::string_view word) {
        if (count_characters(word) <= kMaxGroup) {
            group_.append(word);
            return;
        }
        for (const Token& character : tokenize(word, TokenKind::chars).tokens) {
            if (count_characters(group_) + count_characters(character.text) > kMaxGroup) end_group();
            group_.append(character.text);
        }
    }

    void end_group() {
        if (group_.empty()) return;
        constexpr std::string_view kFromRight = "\u200F";
        if (!is_quoted_ && !is_group_emoji_ && !is_right_to_left(group_)) group_.insert(0, kFromRight);
        const std::optional<StandIns::Given> given = source_.stand_ins.give(group_, ImGui::GetFrameCount());
        if (given && given->is_new_meaning) forget_pictures(atlas_, given->character);
        append(to_utf8(given ? given->character : kReplacement));
        group_.clear();
    }

    ImFontAtlas& atlas_;
    PictureSource& source_;
    bool is_quoted_;
    bool is_group_emoji_ = false;
    std::string result_;
    std::string group_;
};

}  // namespace

Fonts load_fonts(const RasterizeText& rasterize) {
    ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
    atlas.TexMaxWidth = atlas.TexMaxHeight = 4096;  // what nearly every WebGL2 can hold
    PictureSource& source = hang_pictures(atlas, rasterize);
    source.fonts.sans = add_file(atlas, kSansRegular, "IBM Plex Sans", true);
    add_pictures(atlas);
    source.fonts.sans_bold = add_file(atlas, kSansSemiBold, "IBM Plex Sans SemiBold", true);
    add_pictures(atlas);
    source.fonts.mono = add_file(atlas, kMonoRegular, "IBM Plex Mono", true);
    add_file(atlas, kSansRegular, "IBM Plex Sans", false);
    add_pictures(atlas);
    return source.fonts;
}

std::string drawable(std::string_view text) {
    const bool is_plain = std::all_of(text.begin(), text.end(), [](char c) { return c >= 0x20 && c < 0x7F; });
    if (is_plain) return std::string(text);
    ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
    const std::string clean = visible(text);
    Writer writer(atlas, !is_right_to_left(clean));
    std::string_view rest = clean;
    while (true) {
        const std::string_view spaces = rest.substr(0, std::min(rest.find_first_not_of(' '), rest.size()));
        rest.remove_prefix(spaces.size());
        if (rest.empty()) return writer.finish(spaces);
        const std::string_view word = rest.substr(0, rest.find(' '));
        rest.remove_prefix(word.size());
        writer.add(spaces, word);
    }
}

}  // namespace attn
