// Puts a scene on the screen: the same shapes that SVG and PNG draw. A view lays the scene out with the screen's ruler
// and colours, keeps it while nothing changes, and puts its widgets at the scene's places.
#pragma once

#include <imgui.h>

#include <optional>
#include <string_view>
#include <utility>

#include "scene/kit/figure_parts.h"
#include "ui/kit/text.h"
#include "ui/look/look.h"

namespace attn {

// Measures with the fonts of the screen.
class ScreenRuler final : public TextRuler {
public:
    explicit ScreenRuler(const Fonts& fonts) : fonts_(fonts) {}
    double width(std::string_view text, double size, FigureFont font) const override;

private:
    const Fonts& fonts_;
};

// The ruler must outlive the layout.
SceneStyle screen_style(const ScreenRuler& ruler, bool is_dark);

// How the screen writes such text.
TextStyle text_style(const Fonts& fonts, const TextLook& look);

// Draws it with its top left at `corner`; shapes out of sight cost nothing. Returns the tip of the topmost shape under
// the pointer that has one, which lives as long as the scene.
std::string_view draw_shapes(const Fonts& fonts, const FigureBlock& scene, ImVec2 corner);

// The same, and shows the tip; put_scene at the cursor, where the scene takes its room.
void draw_scene(const Look& look, const FigureBlock& scene, ImVec2 corner);
void put_scene(const Look& look, const FigureBlock& scene);

// A scene that is laid out again only when its key or the colours change. The key holds whatever else decides the
// layout: numbers, width, what is lit.
template <typename Key>
class KeptScene {
public:
    template <typename MakeScene>
    const FigureBlock& at(const Look& look, const Key& key, const MakeScene& make) {
        return at(look.fonts, look.palette.is_dark, key, make);
    }
    template <typename MakeScene>  // FigureBlock(const SceneStyle&)
    const FigureBlock& at(const Fonts& fonts, bool is_dark, const Key& key, const MakeScene& make) {
        if (key != key_ || is_dark != is_dark_) {
            const ScreenRuler ruler(fonts);
            scene_ = make(screen_style(ruler, is_dark));
            key_ = key;
            is_dark_ = is_dark;
        }
        return scene_;
    }

private:
    std::optional<Key> key_;
    bool is_dark_ = false;
    FigureBlock scene_;
};

}  // namespace attn
