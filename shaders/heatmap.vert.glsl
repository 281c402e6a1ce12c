// One rectangle. u_rect: left, top, right, bottom in device pixels, origin at the top left of the framebuffer.
// No vertex data: the four corners of a triangle strip come from gl_VertexID.
uniform vec4 u_rect;
uniform vec2 u_framebuffer;  // device pixels

void main() {
    vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1);
    vec2 place = mix(u_rect.xy, u_rect.zw, corner) / u_framebuffer;  // 0 to 1, y down
    gl_Position = vec4(place.x * 2.0 - 1.0, 1.0 - place.y * 2.0, 0.0, 1.0);
}
