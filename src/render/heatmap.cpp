// One texture a slot, with the levels of its pyramid as mipmaps, a large matrix cut into tiles; one texture with all
// colour maps, one program; each map is four vertices.
#include "render/heatmap.h"

#include <GLES3/gl3.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "core/ground/check.h"
#include "core/ground/fingerprint.h"
#include "embedded/shaders.h"
#include "render/pyramid.h"
#include "render/shader_program.h"

namespace attn {
namespace {

constexpr int kTileBits = 11;  // a tile's side: 2048, what every WebGL2 can hold; as in the shader
constexpr int kTileSide = 1 << kTileBits;
constexpr int kColorRows = 4;      // of the texture: two maps, light and dark
constexpr int kColorSteps = 1024;  // finer than 8-bit colours, so that a look-up is never more than 1/255 off

// The row of a colour map in the texture.
int color_row(ColorMap map, bool is_dark) {
    return (map == ColorMap::diverging ? 2 : 0) + (is_dark ? 1 : 0);
}

// GL_TEXTURE_2D, or GL_TEXTURE_2D_ARRAY of tiles.
GLuint make_texture(GLenum kind) {
    GLuint texture = 0;
    glGenTextures(1, &texture);
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(kind, texture);
    glTexParameteri(kind, GL_TEXTURE_MIN_FILTER, GL_NEAREST_MIPMAP_NEAREST);
    glTexParameteri(kind, GL_TEXTURE_MAX_LEVEL, 0);  // until more levels are uploaded
    glTexParameteri(kind, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glTexParameteri(kind, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(kind, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    return texture;
}

// How rows lie in memory, whatever others may have left behind.
void set_unpacking() {
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
    glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
}

GLuint make_color_texture() {
    const GLuint texture = make_texture(GL_TEXTURE_2D);
    set_unpacking();
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, kColorSteps, kColorRows, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    return texture;
}

// Into the bound texture.
void upload_colors(ColorMap map, bool is_dark) {
    std::array<std::uint8_t, static_cast<std::size_t>(kColorSteps) * 4> rgba;
    const auto byte = [](float part) { return static_cast<std::uint8_t>(std::lround(part * 255)); };
    for (int step = 0; step < kColorSteps; ++step) {
        const Rgb color = map_color(map, is_dark, static_cast<float>(step) / (kColorSteps - 1));
        const std::array<std::uint8_t, 4> texel = {byte(color.r), byte(color.g), byte(color.b), 255};
        std::copy(texel.begin(), texel.end(), rgba.begin() + 4 * step);
    }
    set_unpacking();
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, color_row(map, is_dark), kColorSteps, 1, GL_RGBA, GL_UNSIGNED_BYTE,
                    rgba.data());
}

constexpr float kRoundest = 0.15F;  // a corner's radius in sides of the cell: small cells stay squares

PixelRect rounded(const PixelRect& rect) {
    return {std::round(rect.x0), std::round(rect.y0), std::round(rect.x1), std::round(rect.y1)};
}

std::span<const float> rows_of(std::span<const float> texels, int width, int first, int end) {
    return texels.subspan(static_cast<std::size_t>(first) * width, static_cast<std::size_t>(end - first) * width);
}

}  // namespace

struct HeatmapRenderer::Gl {
    struct Slot {
        GLuint texture = 0;
        int rows = 0;
        int columns = 0;
        std::uint64_t version = 0;
        int num_rows_held = 0;
        // Of each band: what stands in the texture, as a fingerprint. Nothing: that is unknown.
        std::vector<std::optional<std::uint64_t>> bands;

        int num_levels() const { return attn::num_levels(rows, columns); }
        // Of the texture: the matrix, filled up so that every level halves evenly.
        int width() const { return filled_up(columns); }
        int height() const { return filled_up(rows); }
        int tiles_across() const { return num_tiles(width()); }
        int tiles_down() const { return num_tiles(height()); }
        static int num_tiles(int side) { return (side + kTileSide - 1) >> kTileBits; }
        // Whether the texture is as large as that of the other. A word more often fits: then its row alone is new where
        // the mask hides its column from all others, as filled up columns are hidden too.
        bool has_texture_of(const Slot& other) const {
            return width() == other.width() && height() == other.height() && num_levels() == other.num_levels();
        }
        int filled_up(int count) const {
            const int step = level_alignment(num_levels());
            return (count + step - 1) / step * step;
        }
    };
    struct Uniforms {
        GLint values, tiles_across, colors, color_row, rect, framebuffer, first, count, level, range, gap, corner,
            scale, hatch, hidden;
    };

    // Rows of the texture from `first` on, and what they are in each of its levels.
    void upload(const Slot& slot, int first, std::span<const float> texels) {
        if (texels.empty()) return;
        const int width = slot.width();
        const int height = static_cast<int>(texels.size()) / width;
        glActiveTexture(GL_TEXTURE0);
        glBindTexture(GL_TEXTURE_2D_ARRAY, slot.texture);
        set_unpacking();
        std::vector<float> level_texels;
        for (int level = 0; level < slot.num_levels(); ++level) {
            if (level > 0) {
                level_texels = halved(texels, width >> (level - 1), height >> (level - 1));
                texels = level_texels;
            }
            upload_level(slot, level, first >> level, texels);
            counts.uploaded_bytes += static_cast<std::int64_t>(texels.size_bytes());
        }
        ++counts.uploads;
    }

    // Of one level, to the tiles that they lie in.
    static void upload_level(const Slot& slot, int level, int first, std::span<const float> texels) {
        const int side = kTileSide >> level;
        const int width = slot.width() >> level;
        const int end = first + static_cast<int>(texels.size()) / width;
        glPixelStorei(GL_UNPACK_ROW_LENGTH, width);
        for (int row = first; row < end;) {
            const int row_end = std::min(end, (row / side + 1) * side);
            for (int column = 0; column < width; column += side) {
                const int tile = row / side * slot.tiles_across() + column / side;
                const std::size_t from = static_cast<std::size_t>(row - first) * width + column;
                glTexSubImage3D(GL_TEXTURE_2D_ARRAY, level, 0, row % side, tile, std::min(side, width - column),
                                row_end - row, 1, GL_RED, GL_FLOAT, &texels[from]);
            }
            row = row_end;
        }
        glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
    }

    GLuint program = 0;
    GLuint vertices = 0;  // a vertex array without arrays: core profiles require one
    GLuint colors = 0;
    std::array<bool, kColorRows> has_colors{};  // most visitors see one of the maps, in one theme
    Uniforms uniforms{};
    std::map<int, Slot> slots;
    RenderCounts counts;

    ~Gl() {
        for (const auto& [number, slot] : slots) glDeleteTextures(1, &slot.texture);
        glDeleteTextures(1, &colors);
        glDeleteVertexArrays(1, &vertices);
        glDeleteProgram(program);
    }
};

HeatmapRenderer::HeatmapRenderer() : gl_(std::make_unique<Gl>()) {}
HeatmapRenderer::~HeatmapRenderer() = default;
HeatmapRenderer::HeatmapRenderer(HeatmapRenderer&&) noexcept = default;
HeatmapRenderer& HeatmapRenderer::operator=(HeatmapRenderer&&) noexcept = default;

Result<HeatmapRenderer> HeatmapRenderer::create() {
    const Result<unsigned> program = build_program(shaders::kHeatmapVert, shaders::kHeatmapFrag);
    if (!program) return Result<HeatmapRenderer>::failure(program.error());
    HeatmapRenderer renderer;
    Gl& gl = *renderer.gl_;
    gl.program = *program;
    const auto uniform = [&](const char* name) { return glGetUniformLocation(gl.program, name); };
    gl.uniforms = {.values = uniform("u_values"),
                   .tiles_across = uniform("u_tiles_across"),
                   .colors = uniform("u_colors"),
                   .color_row = uniform("u_color_row"),
                   .rect = uniform("u_rect"),
                   .framebuffer = uniform("u_framebuffer"),
                   .first = uniform("u_first"),
                   .count = uniform("u_count"),
                   .level = uniform("u_level"),
                   .range = uniform("u_range"),
                   .gap = uniform("u_gap"),
                   .corner = uniform("u_corner"),
                   .scale = uniform("u_scale"),
                   .hatch = uniform("u_hatch"),
                   .hidden = uniform("u_hidden")};
    glGenVertexArrays(1, &gl.vertices);
    gl.colors = make_color_texture();
    return renderer;
}

bool HeatmapRenderer::holds(int slot, std::uint64_t version) const {
    const auto found = gl_->slots.find(slot);
    return found != gl_->slots.end() && num_rows_held(slot, version) == found->second.rows;
}

int HeatmapRenderer::num_rows_held(int slot, std::uint64_t version) const {
    const auto found = gl_->slots.find(slot);
    return found != gl_->slots.end() && found->second.version == version ? found->second.num_rows_held : 0;
}

std::uint64_t HeatmapRenderer::version_in(int slot) const {
    const auto found = gl_->slots.find(slot);
    ATTN_CHECK(found != gl_->slots.end(), "heat map slot ", slot, " holds nothing");
    return found->second.version;
}

const RenderCounts& HeatmapRenderer::counts() const {
    return gl_->counts;
}

void HeatmapRenderer::begin_matrix(int slot, std::uint64_t version, int rows, int columns) {
    ATTN_CHECK(rows >= 1 && rows <= kMaxSide && columns >= 1 && columns <= kMaxSide, "a heat map of (", rows, ", ",
               columns, "), want 1 to ", kMaxSide, " each");
    Gl::Slot& target = gl_->slots[slot];
    if (target.texture == 0) target.texture = make_texture(GL_TEXTURE_2D_ARRAY);
    const Gl::Slot before = target;
    target.rows = rows;
    target.columns = columns;
    target.version = version;
    target.num_rows_held = 0;
    if (target.has_texture_of(before)) return;
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D_ARRAY, target.texture);
    set_unpacking();
    glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_MAX_LEVEL, target.num_levels() - 1);
    target.bands.assign(static_cast<std::size_t>((rows + kBandRows - 1) / kBandRows), std::nullopt);
    for (int level = 0; level < target.num_levels(); ++level) {
        glTexImage3D(GL_TEXTURE_2D_ARRAY, level, GL_R32F, std::min(target.width(), kTileSide) >> level,
                     std::min(target.height(), kTileSide) >> level, target.tiles_across() * target.tiles_down(), 0,
                     GL_RED, GL_FLOAT, nullptr);
    }
}

void HeatmapRenderer::add_rows(int slot, const Matrix& band) {
    const auto found = gl_->slots.find(slot);
    ATTN_CHECK(found != gl_->slots.end(), "rows for heat map slot ", slot, ", which was not begun");
    Gl::Slot& target = found->second;
    const int rows = length(band, 0);
    const int columns = length(band, 1);
    const int first = target.num_rows_held;
    const bool is_last = first + rows == target.rows;
    ATTN_CHECK(columns == target.columns && first + rows <= target.rows && (is_last || rows % kBandRows == 0), "(",
               rows, ", ", columns, ") rows from ", first, " on for a heat map of (", target.rows, ", ", target.columns,
               ")");
    const int width = target.width();
    const int height = is_last ? target.height() - first : rows;
    std::vector<float> texels(static_cast<std::size_t>(width) * height, kHiddenTexel);
    for (int row = 0; row < rows; ++row) {
        to_texels(row_of(band, row), std::span(texels).subspan(static_cast<std::size_t>(row) * width));
    }
    // Neighbours that differ go together: each call costs more than the texels of a band.
    int done = 0;
    for (int row = 0; row < height; row += kBandRows) {
        const int end = std::min(row + kBandRows, height);
        std::optional<std::uint64_t>& known = target.bands[static_cast<std::size_t>((first + row) / kBandRows)];
        const std::uint64_t now = fingerprint(std::as_bytes(rows_of(texels, width, row, end)));
        if (known == now) {
            gl_->upload(target, first + done, rows_of(texels, width, done, row));
            done = end;
        }
        known = now;
    }
    gl_->upload(target, first + done, rows_of(texels, width, done, height));
    target.num_rows_held += rows;
}

void HeatmapRenderer::set_matrix(int slot, std::uint64_t version, const Matrix& values) {
    if (holds(slot, version)) return;
    begin_matrix(slot, version, length(values, 0), length(values, 1));
    add_rows(slot, values);
}

void HeatmapRenderer::keep_slots(int first, int last) {
    std::erase_if(gl_->slots, [&](const auto& entry) {
        const auto& [number, slot] = entry;
        const bool goes = number >= 0 && (number < first || number >= last);
        if (goes) glDeleteTextures(1, &slot.texture);
        return goes;
    });
}

void HeatmapRenderer::draw(int slot, const PixelRect& exact_rect, const PixelRect& exact_clip, int framebuffer_width,
                           int framebuffer_height, const HeatmapStyle& style, const std::optional<HeatmapPart>& asked) {
    const auto found = gl_->slots.find(slot);
    ATTN_CHECK(found != gl_->slots.end(), "heat map slot ", slot, " holds nothing");
    ATTN_CHECK(style.low < style.high, "the range of a heat map is ", style.low, " to ", style.high);
    const Gl::Slot& source = found->second;
    ATTN_CHECK(source.num_rows_held == source.rows, "heat map slot ", slot, " holds ", source.num_rows_held, " of ",
               source.rows, " rows");
    const HeatmapPart part = asked.value_or(HeatmapPart{.rows = source.rows, .columns = source.columns});
    ATTN_CHECK(part.first_row >= 0 && part.first_column >= 0 && part.rows >= 1 && part.columns >= 1 &&
                   part.first_row + part.rows <= source.rows && part.first_column + part.columns <= source.columns,
               part.rows, " rows from ", part.first_row, " on and ", part.columns, " columns from ", part.first_column,
               " on of a heat map of (", source.rows, ", ", source.columns, ")");
    const PixelRect rect = rounded(exact_rect);
    const PixelRect clip = rounded(exact_clip);
    const PixelRect seen = {std::max({rect.x0, clip.x0, 0.0F}), std::max({rect.y0, clip.y0, 0.0F}),
                            std::min({rect.x1, clip.x1, static_cast<float>(framebuffer_width)}),
                            std::min({rect.y1, clip.y1, static_cast<float>(framebuffer_height)})};
    if (seen.x0 >= seen.x1 || seen.y0 >= seen.y1) return;

    const float cell_width = (rect.x1 - rect.x0) / static_cast<float>(part.columns);
    const float cell_height = (rect.y1 - rect.y0) / static_cast<float>(part.rows);
    const float smallest_side = std::min(cell_width, cell_height);
    const bool has_gap = style.gap > 0 && smallest_side >= kSmallestCellWithGap * style.scale;
    const float gap = has_gap ? std::round(style.gap) : 0;
    const float corner = std::min(style.corner, (smallest_side - gap) * kRoundest);

    glEnable(GL_SCISSOR_TEST);
    glScissor(static_cast<GLint>(seen.x0), framebuffer_height - static_cast<GLint>(seen.y1),
              static_cast<GLsizei>(seen.x1 - seen.x0), static_cast<GLsizei>(seen.y1 - seen.y0));
    glViewport(0, 0, framebuffer_width, framebuffer_height);
    glEnable(GL_BLEND);
    glBlendEquation(GL_FUNC_ADD);
    glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
    glDisable(GL_CULL_FACE);
    glDisable(GL_DEPTH_TEST);

    glUseProgram(gl_->program);
    const Gl::Uniforms& at = gl_->uniforms;
    glUniform1i(at.values, 0);
    glUniform1i(at.tiles_across, source.tiles_across());
    glUniform1i(at.colors, 1);
    glUniform1i(at.color_row, color_row(style.map, style.is_dark));
    glUniform4f(at.rect, rect.x0, rect.y0, rect.x1, rect.y1);
    glUniform2f(at.framebuffer, static_cast<float>(framebuffer_width), static_cast<float>(framebuffer_height));
    glUniform2i(at.first, part.first_column, part.first_row);
    glUniform2i(at.count, part.columns, part.rows);
    glUniform1i(at.level, level_for(1.0 / cell_width, 1.0 / cell_height, source.num_levels()));
    glUniform2f(at.range, std::max(style.low, -kLargestTexel), std::min(style.high, kLargestTexel));
    glUniform1f(at.gap, gap);
    glUniform1f(at.corner, corner);
    glUniform1f(at.scale, style.scale);
    glUniform3f(at.hatch, style.hatch.r, style.hatch.g, style.hatch.b);
    glUniform3f(at.hidden, style.hidden.r, style.hidden.g, style.hidden.b);

    glActiveTexture(GL_TEXTURE1);
    glBindTexture(GL_TEXTURE_2D, gl_->colors);
    bool& has_colors = gl_->has_colors[static_cast<std::size_t>(color_row(style.map, style.is_dark))];
    if (!has_colors) upload_colors(style.map, style.is_dark);
    has_colors = true;
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D_ARRAY, source.texture);
    glBindVertexArray(gl_->vertices);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    ++gl_->counts.draws;
    glBindVertexArray(0);
}

}  // namespace attn
