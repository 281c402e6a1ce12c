// One text serves GL 3.3 and GL ES 3.0 (WebGL2): only the first lines differ.
#include "render/shader_program.h"

#include <GLES3/gl3.h>

#include <array>
#include <string>

namespace attn {
namespace {

constexpr std::string_view kDesktopHead = "#version 330 core\n";
// ES has no default precision for floats in fragment shaders, and a low one for samplers.
constexpr std::string_view kEsHead =
    "#version 300 es\nprecision highp float;\nprecision highp int;\nprecision highp sampler2D;\n"
    "precision highp sampler2DArray;\n";

// The whole log of a shader or program, without the white space at its end.
std::string log_of(GLuint object, decltype(glGetShaderiv)* get, decltype(glGetShaderInfoLog)* get_log) {
    GLint length = 0;  // with the closing zero
    get(object, GL_INFO_LOG_LENGTH, &length);
    if (length <= 0) return "no message";
    std::string log(static_cast<std::size_t>(length), '\0');
    GLsizei written = 0;
    get_log(object, length, &written, log.data());
    log.resize(static_cast<std::size_t>(written));
    while (!log.empty() && (log.back() == '\n' || log.back() == ' ')) log.pop_back();
    return log.empty() ? "no message" : log;
}

GLuint begin_shader(GLenum kind, std::string_view head, std::string_view text) {
    const GLuint shader = glCreateShader(kind);
    const std::array<const GLchar*, 2> parts = {head.data(), text.data()};
    const std::array<GLint, 2> lengths = {static_cast<GLint>(head.size()), static_cast<GLint>(text.size())};
    glShaderSource(shader, 2, parts.data(), lengths.data());
    glCompileShader(shader);
    return shader;
}

// Why they are not linked.
std::string error_of(GLuint program, const std::array<GLuint, 2>& shaders) {
    for (const GLuint shader : shaders) {
        GLint is_compiled = GL_FALSE;
        glGetShaderiv(shader, GL_COMPILE_STATUS, &is_compiled);
        if (is_compiled == GL_TRUE) continue;
        return "A shader does not compile here: " + log_of(shader, glGetShaderiv, glGetShaderInfoLog);
    }
    return "The shaders cannot be linked here: " + log_of(program, glGetProgramiv, glGetProgramInfoLog);
}

}  // namespace

Result<unsigned> build_program(std::string_view vertex, std::string_view fragment) {
    const auto* version = reinterpret_cast<const char*>(glGetString(GL_VERSION));
    if (version == nullptr) return Result<unsigned>::failure("There is no OpenGL context to draw with.");
    const bool is_es = std::string_view(version).starts_with("OpenGL ES");
    const std::string_view head = is_es ? kEsHead : kDesktopHead;

    const std::array<GLuint, 2> shaders = {begin_shader(GL_VERTEX_SHADER, head, vertex),
                                           begin_shader(GL_FRAGMENT_SHADER, head, fragment)};
    const GLuint program = glCreateProgram();
    for (const GLuint shader : shaders) glAttachShader(program, shader);
    glLinkProgram(program);
    GLint is_linked = GL_FALSE;  // the only question where all is well: in WebGL each waits for the graphics
    glGetProgramiv(program, GL_LINK_STATUS, &is_linked);
    const std::string error = is_linked == GL_TRUE ? std::string() : error_of(program, shaders);
    for (const GLuint shader : shaders) glDeleteShader(shader);  // they live on as long as the program
    if (is_linked == GL_TRUE) return program;
    glDeleteProgram(program);
    return Result<unsigned>::failure(error);
}

}  // namespace attn
