// A font loader for ImGui: each missing character becomes a picture that the platform draws.
#include "ui/look/picture_font.h"

#include <imgui_internal.h>  // font loaders are not in the public header

#include <algorithm>
#include <array>
#include <vector>

#include "core/ground/check.h"

namespace attn {
namespace {

constexpr int kMaxPictureHeight = 512;  // device pixels; a larger picture is cut, so that the atlas stays within 4096
constexpr int kMaxGlyphs = 60'000;      // of one font and size: ImGui counts them with 16 bits

bool start_source(ImFontAtlas* atlas, ImFontConfig* config) {
    ++pictures_of(*atlas).num_users;
    config->FontLoaderData = atlas->UserData;
    return true;
}

void end_source(ImFontAtlas* atlas, ImFontConfig* config) {
    if (config->FontLoaderData == nullptr) return;  // ImGui says goodbye more than once
    config->FontLoaderData = nullptr;
    if (--pictures_of(*atlas).num_users > 0) return;
    delete static_cast<PictureSource*>(atlas->UserData);
    atlas->UserData = nullptr;
}

bool has_character(ImFontAtlas* atlas, ImFontConfig*, ImWchar character) {
    return pictures_of(*atlas).stand_ins.meaning(character).has_value();
}

// The part of a picture that fits the atlas.
void copy_to_atlas(ImFontAtlas* atlas, ImFontBaked* baked, ImFontConfig* config, ImFontGlyph* glyph,
                   ImTextureRect* rect, const TextBitmap& picture) {
    const int width = rect->w;
    const int height = rect->h;
    std::vector<std::uint8_t> pixels;
    pixels.reserve(static_cast<std::size_t>(width) * height * 4);
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
            const std::uint8_t* from = picture.rgba.data() + (static_cast<std::size_t>(y) * picture.width + x) * 4;
            // Text takes the colour that it is drawn with, so only its alpha counts.
            if (picture.is_colored)
                pixels.insert(pixels.end(), from, from + 3);
            else
                pixels.insert(pixels.end(), 3, 255);
            pixels.push_back(from[3]);
        }
    }
    ImFontAtlasBakedSetFontGlyphBitmap(atlas, baked, config, glyph, rect, pixels.data(), ImTextureFormat_RGBA32,
                                       width * 4);
}

// Whether a font file that was added behind the pictures has the character.
bool is_in_later_file(ImFontAtlas* atlas, const ImFontConfig* pictures, ImWchar character) {
    const ImVector<ImFontConfig*>& sources = pictures->DstFont->Sources;
    return std::any_of(sources.find(const_cast<ImFontConfig*>(pictures)) + 1, sources.end(), [&](ImFontConfig* source) {
        return atlas->FontLoader->FontSrcContainsGlyph(atlas, source, character);
    });
}

// Serves stand-ins, and single characters that a person types into a field of the canvas.
bool load_picture(ImFontAtlas* atlas, ImFontConfig* config, ImFontBaked* baked, void*, ImWchar character,
                  ImFontGlyph* glyph, float* only_advance) {
    PictureSource& source = pictures_of(*atlas);
    if (character < 0x20 || baked->Glyphs.Size >= kMaxGlyphs) return false;
    const std::optional<std::string_view> meaning = source.stand_ins.meaning(character);
    if (!meaning && is_in_later_file(atlas, config, character)) return false;
    const std::string text = meaning ? std::string(*meaning) : to_utf8(character);
    const float density = baked->RasterizerDensity * config->RasterizerDensity;  // device pixels a point
    const bool is_bold = config->DstFont == source.fonts.sans_bold;
    const TextBitmap picture = source.rasterize(text, baked->Size / kLinePerEm * density, is_bold);
    if (picture.width <= 0 || picture.height <= 0) return false;  // ImGui draws its sign for a missing character

    const float advance = picture.advance / density;
    if (only_advance != nullptr) {
        *only_advance = advance;
        return true;
    }
    const ImFontAtlasRectId place = ImFontAtlasPackAddRect(atlas, std::min(picture.width, kMaxTextBitmapWidth),
                                                           std::min(picture.height, kMaxPictureHeight));
    if (place == ImFontAtlasRectId_Invalid) return false;
    ImTextureRect* rect = ImFontAtlasPackGetRect(atlas, place);
    glyph->AdvanceX = advance;
    glyph->Visible = true;
    glyph->Colored = picture.is_colored;
    glyph->PackId = place;
    glyph->X0 = picture.left / density;
    glyph->Y0 = ImRound64(baked->Ascent) - picture.top / density;
    glyph->X1 = glyph->X0 + static_cast<float>(rect->w) / density;
    glyph->Y1 = glyph->Y0 + static_cast<float>(rect->h) / density;
    copy_to_atlas(atlas, baked, config, glyph, rect, picture);
    return true;
}

const ImFontLoader& picture_loader() {
    static const ImFontLoader loader = [] {
        ImFontLoader made;
        made.Name = "platform's text engine";
        made.FontSrcInit = start_source;
        made.FontSrcDestroy = end_source;
        made.FontSrcContainsGlyph = has_character;
        made.FontBakedLoadGlyph = load_picture;
        return made;
    }();
    return loader;
}

}  // namespace

PictureSource& hang_pictures(ImFontAtlas& atlas, const RasterizeText& rasterize) {
    ATTN_CHECK(atlas.UserData == nullptr, "load_fonts was called twice for one ImGui context");
    auto* source = new PictureSource{.rasterize = rasterize, .stand_ins = {}, .fonts = {}};
    atlas.UserData = source;
    return *source;
}

PictureSource& pictures_of(const ImFontAtlas& atlas) {
    ATTN_CHECK(atlas.UserData != nullptr, "load_fonts was not called for this ImGui context");
    return *static_cast<PictureSource*>(atlas.UserData);
}

void add_pictures(ImFontAtlas& atlas) {
    ImFontConfig config;
    config.MergeMode = true;
    config.FontLoader = &picture_loader();
    atlas.AddFont(&config);
}

void forget_pictures(ImFontAtlas& atlas, unsigned character) {
    ImStableVector<ImFontBaked, 32>& pool = atlas.Builder->BakedPool;
    for (int k = 0; k < pool.Size; ++k) {
        ImFontBaked* baked = &pool[k];
        if (baked->WantDestroy || static_cast<int>(character) >= baked->IndexLookup.Size) continue;
        if (baked->IsGlyphLoaded(character)) {
            ImFontGlyph* glyph = &baked->Glyphs[baked->IndexLookup[static_cast<int>(character)]];
            ImFontAtlasBakedDiscardFontGlyph(&atlas, baked->ContainerFont, baked, glyph);
        }
        baked->IndexLookup[static_cast<int>(character)] = static_cast<ImU16>(-1);  // not loaded, not even tried
        baked->IndexAdvanceX[static_cast<int>(character)] = -1;                    // not known
    }
}

std::string to_utf8(unsigned character) {
    std::array<char, 5> bytes{};
    ImTextCharToUtf8(bytes.data(), character);
    return bytes.data();
}

}  // namespace attn
