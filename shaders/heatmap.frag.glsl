// A matrix as coloured cells. All lengths are device pixels, y down from the top of the framebuffer.
// Out: colour, not premultiplied; alpha is 0 between the cells, so that what lies below shows through.
uniform sampler2DArray u_values;  // R32F; kHidden and kNotANumber stand for cells without a value
uniform int u_tiles_across;  // of u_values, whose layers are tiles of 2^kTileBits columns and rows, row by row
uniform ivec2 u_first;       // column and row of the first cell that is drawn
uniform ivec2 u_count;       // columns and rows that are drawn
uniform int u_level;         // of u_values: a texel stands for 2^level by 2^level cells, the largest of them
uniform sampler2D u_colors;  // 4 rows: sequential light, sequential dark, diverging light, diverging dark
uniform int u_color_row;
uniform vec4 u_rect;         // left, top, right, bottom
uniform vec2 u_framebuffer;
uniform vec2 u_range;        // values of the first and the last colour
uniform float u_gap;         // whole pixels between cells, 0 for none
uniform float u_corner;      // radius
uniform float u_scale;       // pixels a point
uniform vec3 u_hatch;
uniform vec3 u_hidden;

out vec4 o_color;

const float kHidden = -3.0e38;       // texels at or below: a hidden cell
const float kNotANumber = 3.0e38;    // texels at or above
const int kTileBits = 11;            // 2^11 = 2048 columns and rows of a tile
const float kHatchDistance = 6.0;    // points between two lines, measured along a row

// First pixel of cell `index`: cells share the rectangle, edges rounded.
float edge(int index, float size) { return floor(float(index) * size + 0.5); }

// The cells under the pixel that starts at `pixel` (whole, from the rectangle's edge): first and one past the last.
ivec2 cells_under(float pixel, float size, int count) {
    int first = clamp(int((pixel + 0.5) / size), 0, count - 1);
    if (size < 1.0) {
        int begin = clamp(int(pixel / size), 0, count - 1);
        int end = int(ceil((pixel + 1.0) / size));
        return ivec2(begin, clamp(end, begin + 1, count));
    }
    if (pixel < edge(first, size)) first -= 1;
    if (pixel >= edge(first + 1, size)) first += 1;
    first = clamp(first, 0, count - 1);
    return ivec2(first, first + 1);
}

// The largest absolute value wins; hidden cells lose against all others. columns, rows: first and one past the last of
// those that are drawn.
float largest(ivec2 columns, ivec2 rows) {
    ivec2 from = (u_first + ivec2(columns.x, rows.x)) >> u_level;
    ivec2 last = (u_first + ivec2(columns.y, rows.y) - 1) >> u_level;
    int bits = kTileBits - u_level;
    float found = -3.4e38;
    bool is_hidden = true;
    for (int i = from.y; i <= last.y; ++i) {
        for (int j = from.x; j <= last.x; ++j) {
            ivec2 tile = ivec2(j, i) >> bits;
            ivec3 at = ivec3(ivec2(j, i) - (tile << bits), tile.y * u_tiles_across + tile.x);
            float value = texelFetch(u_values, at, u_level).r;
            if (value <= kHidden) continue;
            if (is_hidden || abs(value) > abs(found)) found = value;
            is_hidden = false;
        }
    }
    return found;
}

// How much of this pixel the cell covers, 0 to 1. from, to: the cell without its gap; corners are rounded.
float cell_coverage(vec2 point, vec2 from, vec2 to) {
    vec2 outside = abs(point - (from + to) * 0.5) - (to - from) * 0.5 + u_corner;
    float distance = length(max(outside, 0.0)) + min(max(outside.x, outside.y), 0.0) - u_corner;
    return clamp(0.5 - distance, 0.0, 1.0);
}

// How much of this pixel a hatch line covers. The lines run on from cell to cell.
float hatch_coverage(vec2 pixel) {
    float period = kHatchDistance * u_scale;
    float along = mod(pixel.x + pixel.y, period);
    float distance = min(along, period - along) * 0.70710678;  // to the nearest line, at right angles
    return clamp(0.5 * u_scale + 0.5 - distance, 0.0, 1.0);
}

void main() {
    vec2 pixel = vec2(gl_FragCoord.x, u_framebuffer.y - gl_FragCoord.y);  // its centre
    vec2 local = floor(pixel - u_rect.xy);                                // its corner, from the map's corner
    vec2 size = (u_rect.zw - u_rect.xy) / vec2(u_count);
    ivec2 columns = cells_under(local.x, size.x, u_count.x);
    ivec2 rows = cells_under(local.y, size.y, u_count.y);

    float value = largest(columns, rows);
    vec3 color = u_hidden;
    if (value <= kHidden) {
        color = mix(u_hidden, u_hatch, hatch_coverage(pixel));
    } else if (value >= kNotANumber) {  // a net: no colour of a number, at any size
        color = mix(u_hidden, u_hatch, max(hatch_coverage(pixel), hatch_coverage(vec2(-pixel.x, pixel.y))));
        if (min(size.x, size.y) < kHatchDistance * u_scale) color = u_hatch;
    } else {
        float place = clamp((value - u_range.x) / (u_range.y - u_range.x), 0.0, 1.0);
        int last = textureSize(u_colors, 0).x - 1;
        color = texelFetch(u_colors, ivec2(int(place * float(last) + 0.5), u_color_row), 0).rgb;
    }

    float coverage = 1.0;
    if (u_gap > 0.0) {
        float before = floor(u_gap * 0.5);  // the rest of the gap comes after the cell
        vec2 from = vec2(edge(columns.x, size.x), edge(rows.x, size.y)) + before;
        vec2 to = vec2(edge(columns.y, size.x), edge(rows.y, size.y)) - (u_gap - before);
        coverage = cell_coverage(local + 0.5, from, to);
    }
    o_color = vec4(color, coverage);
}
