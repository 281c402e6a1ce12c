// Answers two questions of ImGui's GL backend at once; WebGL would keep it waiting.
// Where it asks for the state before it draws, to put it back afterwards (its glGetIntegerv is compiled as
// attn_get_gl_state), it gets GL's initial state, from memory. The context is the page's own and
// nobody relies on what was bound before; but WebGL answers such questions only when all that was drawn so far is done,
// and the page would stand still that long in every frame.
#include <GLES3/gl3.h>

extern "C" void attn_get_gl_state(GLenum name, GLint* values) {
    switch (name) {
        case GL_VIEWPORT:
        case GL_SCISSOR_BOX:
            values[0] = values[1] = 0;
            values[2] = values[3] = 1;  // pixels; each frame sets its own
            break;
        case GL_ACTIVE_TEXTURE:
            *values = GL_TEXTURE0;
            break;
        case GL_BLEND_SRC_RGB:
        case GL_BLEND_SRC_ALPHA:
            *values = GL_ONE;
            break;
        case GL_BLEND_DST_RGB:
        case GL_BLEND_DST_ALPHA:
            *values = GL_ZERO;
            break;
        case GL_BLEND_EQUATION_RGB:
        case GL_BLEND_EQUATION_ALPHA:
            *values = GL_FUNC_ADD;
            break;
        case GL_CURRENT_PROGRAM:
        case GL_TEXTURE_BINDING_2D:
        case GL_SAMPLER_BINDING:
        case GL_ARRAY_BUFFER_BINDING:
        case GL_ELEMENT_ARRAY_BUFFER_BINDING:
        case GL_VERTEX_ARRAY_BINDING:
        case GL_PIXEL_UNPACK_BUFFER_BINDING:
            *values = 0;
            break;
        default:
            glGetIntegerv(name, values);  // what the machine can do: asked for once
    }
}

// Where it asks whether its shaders compile (its glGetShaderiv), it is told that they do, without a message. If one
// does not, the program that they are linked into fails, and that answer is real.
extern "C" void attn_get_gl_shader_state(GLuint, GLenum name, GLint* value) {
    *value = name == GL_COMPILE_STATUS ? GL_TRUE : 0;
}
