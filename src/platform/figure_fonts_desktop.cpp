// Writes the built-in fonts into a folder, from which Fontconfig loads them.
#include "platform/figure_fonts_desktop.h"

#include <fontconfig/fontconfig.h>
#include <glib.h>
#include <glib/gstdio.h>
#include <pango/pangocairo.h>
#include <pango/pangofc-fontmap.h>

#include <array>

#include "embedded/fonts.h"

namespace attn {
namespace {

struct FontFile {
    const char* name;
    const EmbeddedFile& font;
};
const std::array<FontFile, 6> kFiles = {{{"sans-regular.ttf", kSansRegular},
                                         {"sans-semibold.ttf", kSansSemiBold},
                                         {"mono-regular.ttf", kMonoRegular},
                                         {"sans-regular-more.ttf", kSansRegularMore},
                                         {"sans-semibold-more.ttf", kSansSemiBoldMore},
                                         {"mono-regular-more.ttf", kMonoRegularMore}}};

std::string path_of(const std::string& folder, const char* name) {
    return folder + G_DIR_SEPARATOR_S + name;
}

// A new folder with the files in it; empty where the system gives none.
std::string write_files() {
    gchar* made = g_dir_make_tmp("attention-fonts-XXXXXX", nullptr);
    if (made == nullptr) return {};
    const std::string folder = made;
    g_free(made);
    for (const FontFile& file : kFiles) {
        g_file_set_contents(path_of(folder, file.name).c_str(), reinterpret_cast<const gchar*>(file.font.data),
                            static_cast<gssize>(file.font.size), nullptr);
    }
    return folder;
}

}  // namespace

FigureFonts::FigureFonts() : folder_(write_files()), map_(pango_cairo_font_map_new_for_font_type(CAIRO_FONT_TYPE_FT)) {
    FcConfig* config = FcInitLoadConfigAndFonts();
    if (config == nullptr) return;  // Pango uses what it finds itself
    for (const FontFile& file : kFiles) {
        if (folder_.empty()) break;
        FcConfigAppFontAddFile(config, reinterpret_cast<const FcChar8*>(path_of(folder_, file.name).c_str()));
    }
    pango_fc_font_map_set_config(PANGO_FC_FONT_MAP(map_), config);  // keeps a reference of its own
    FcConfigDestroy(config);
}

FigureFonts::~FigureFonts() {
    g_object_unref(map_);
    if (folder_.empty()) return;
    for (const FontFile& file : kFiles) g_remove(path_of(folder_, file.name).c_str());
    g_rmdir(folder_.c_str());
}

PangoFontDescription* FigureFonts::describe(FigureFont font, double size) {
    PangoFontDescription* description = pango_font_description_new();
    pango_font_description_set_family_static(description, font == FigureFont::mono
                                                              ? "Attention Mono, IBM Plex Mono, monospace"
                                                              : "Attention Sans, IBM Plex Sans, sans-serif");
    pango_font_description_set_weight(description,
                                      font == FigureFont::sans_bold ? PANGO_WEIGHT_SEMIBOLD : PANGO_WEIGHT_NORMAL);
    pango_font_description_set_absolute_size(description, size * PANGO_SCALE);
    return description;
}

}  // namespace attn
