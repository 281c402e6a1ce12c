// Pictures as characters: a font source for ImGui that asks the platform's text engine for what a font file lacks.
// ImGui's font atlas owns the engine and the stand-ins.
#pragma once

#include <imgui.h>

#include <string>

#include "render/text_bitmap.h"
#include "ui/look/font_set.h"
#include "ui/look/stand_ins.h"

namespace attn {

// What hangs on the font atlas.
struct PictureSource {
    RasterizeText rasterize;
    StandIns stand_ins;
    Fonts fonts;
    bool has_more = false;  // whether the fonts have the characters that the program does not write itself
    int num_users = 0;      // font sources that point here; the last one to go frees it
};

// Hangs a source on the atlas, which must have none, before pictures are added to its fonts.
PictureSource& hang_pictures(ImFontAtlas& atlas, const RasterizeText& rasterize);

// The one that hangs there; load_fonts must have been called.
PictureSource& pictures_of(const ImFontAtlas& atlas);

// Adds the platform's text engine to what the font added last lacks: stand-ins, and single characters that a person
// types into a field of the canvas.
void add_pictures(ImFontAtlas& atlas);

// `character` stands for something else now: its old pictures must not be drawn again.
void forget_pictures(ImFontAtlas& atlas, unsigned character);

std::string to_utf8(unsigned character);

}  // namespace attn
