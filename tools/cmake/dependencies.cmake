# The libraries the project is built from, as targets whose headers count as system headers (no warnings from them).
# Sources come from .toolchain/deps, where tools/setup put them, or else from each library's own repository at a fixed commit.
# Both have the same folders inside, so the targets are the same.
option(ATTN_FETCH_DEPS "Fetch the libraries by commit even if .toolchain/deps has them" OFF)
include(FetchContent)

if(NOT ATTN_FETCH_DEPS AND EXISTS "${PROJECT_SOURCE_DIR}/.toolchain/libraries.stamp")
  set(attn_fetches OFF)
else()
  set(attn_fetches ON)
endif()

# attn_fetch(<name> <repository> <commit> [<option>...]): sets <name>_SOURCE_DIR. Options are those of FetchContent_Declare.
function(attn_fetch name repository commit)
  set(address "https://github.com/${repository}.git")
  string(TOUPPER "FETCHCONTENT_SOURCE_DIR_${name}" own_folder)
  if(NOT EXISTS "${FETCHCONTENT_BASE_DIR}/${name}-src" AND NOT ${own_folder})
    # FetchContent fails with twenty lines, none of which says what to do.
    find_package(Git QUIET)
    set(ENV{GIT_TERMINAL_PROMPT} 0)
    execute_process(COMMAND "${GIT_EXECUTABLE}" ls-remote --quiet "${address}" HEAD
      RESULT_VARIABLE result OUTPUT_QUIET ERROR_QUIET TIMEOUT 60)
    if(NOT result EQUAL 0)
      message(FATAL_ERROR "${name} cannot be fetched from ${address}: look at the network and try again, or run 'tools/setup' "
        "first if this system has apt.")
    endif()
  endif()
  FetchContent_Declare(${name} GIT_REPOSITORY "${address}" GIT_TAG "${commit}" ${ARGN})
  FetchContent_MakeAvailable(${name})
  set(${name}_SOURCE_DIR "${${name}_SOURCE_DIR}" PARENT_SCOPE)
endfunction()

# attn_find_library(<name> <repository> <commit>): sets <name>_FOLDER.
function(attn_find_library name repository commit)
  if(attn_fetches)
    # A SOURCE_SUBDIR that does not exist: the library's own CMake files are not run.
    attn_fetch(${name} ${repository} ${commit} SOURCE_SUBDIR unused)
    set(${name}_FOLDER "${${name}_SOURCE_DIR}" PARENT_SCOPE)
  else()
    set(${name}_FOLDER "${PROJECT_SOURCE_DIR}/.toolchain/deps/${name}" PARENT_SCOPE)
  endif()
endfunction()

# attn_header_library(<name>): an interface target with the headers in <name>_FOLDER/include.
function(attn_header_library name)
  add_library(${name} INTERFACE)
  target_include_directories(${name} SYSTEM INTERFACE "${${name}_FOLDER}/include")
endfunction()

# What the native programs take from the system. One error names all that is missing, and the command that brings it.
if(NOT EMSCRIPTEN)
  set(missing "")
  set(OpenGL_GL_PREFERENCE GLVND)
  find_package(OpenGL QUIET OPTIONAL_COMPONENTS EGL)
  if(NOT TARGET OpenGL::GL OR (ATTN_TESTS AND NOT TARGET OpenGL::EGL))
    list(APPEND missing OpenGL)
  endif()
  find_package(glfw3 3.3 QUIET)
  if(NOT glfw3_FOUND AND NOT attn_fetches)
    list(APPEND missing GLFW)
  endif()
  find_package(PkgConfig QUIET)
  if(PKG_CONFIG_FOUND)
    # Pango finds a system font for any script and draws its glyphs; through Fontconfig it learns of the program's own.
    pkg_check_modules(pangocairo QUIET IMPORTED_TARGET pangocairo pangoft2 fontconfig)
    # GLib's D-Bus, which Pango brings along, asks the desktop whether it is dark.
    pkg_check_modules(gio QUIET IMPORTED_TARGET gio-2.0)
  else()
    list(APPEND missing pkg-config)
  endif()
  if(NOT pangocairo_FOUND OR NOT gio_FOUND)
    list(APPEND missing Pango)
  endif()
  if(missing)
    list(JOIN missing ", " missing)
    message(FATAL_ERROR "The native programs need what is not on this machine (${missing}): run 'tools/setup native' first.")
  endif()
endif()

attn_find_library(xtl xtensor-stack/xtl c52350e283b98e5d69dbc50726925a1f8e16c57c) # 0.8.2
attn_header_library(xtl)

attn_find_library(xtensor xtensor-stack/xtensor f115228a7fc277b9be1bef34572831f8fd53ac73) # 0.27.1
attn_header_library(xtensor)
target_link_libraries(xtensor INTERFACE xtl)
if(EMSCRIPTEN)
  target_compile_options(xtensor INTERFACE "SHELL:-include ${PROJECT_SOURCE_DIR}/tools/cmake/without_exceptions.h")
endif()

attn_find_library(xsimd xtensor-stack/xsimd e88a72831858123924f7118f345dfe5d70d95991) # 14.3.0
attn_header_library(xsimd)

# Unicode's rules for words and grapheme clusters.
attn_find_library(unibreak adah1972/libunibreak 304585d8e2d63187507368d612c3d5fff1486368) # 6.1
add_library(unibreak STATIC
  ${unibreak_FOLDER}/src/unibreakbase.c
  ${unibreak_FOLDER}/src/unibreakdef.c
  ${unibreak_FOLDER}/src/emojidata.c
  ${unibreak_FOLDER}/src/emojidef.c
  ${unibreak_FOLDER}/src/eastasianwidthdata.c
  ${unibreak_FOLDER}/src/eastasianwidthdef.c
  ${unibreak_FOLDER}/src/indicconjunctbreakdata.c
  ${unibreak_FOLDER}/src/graphemebreak.c
  ${unibreak_FOLDER}/src/graphemebreakdata.c
  ${unibreak_FOLDER}/src/wordbreak.c
  ${unibreak_FOLDER}/src/wordbreakdata.c)
target_include_directories(unibreak SYSTEM PUBLIC ${unibreak_FOLDER}/src)

# Reads session files; the tests read everything else with it.
attn_find_library(nlohmann_json nlohmann/json 9cca280a4d0ccf0c08f47a99aa71d1b0e52f8d03) # 3.11.3
attn_header_library(nlohmann_json)

# ZIP files of arrays: zlib and, in the same repository, its minizip. A name of its own for every function (Z_PREFIX), as
# the system's libraries bring another zlib along.
attn_find_library(zlib madler/zlib 51b7f2abdade71cd9bb0e7a373ef2610ec6f9daf) # 1.3.1
add_library(zlib STATIC
  ${zlib_FOLDER}/adler32.c
  ${zlib_FOLDER}/crc32.c
  ${zlib_FOLDER}/deflate.c
  ${zlib_FOLDER}/inffast.c
  ${zlib_FOLDER}/inflate.c
  ${zlib_FOLDER}/inftrees.c
  ${zlib_FOLDER}/trees.c
  ${zlib_FOLDER}/zutil.c
  ${zlib_FOLDER}/contrib/minizip/ioapi.c
  ${zlib_FOLDER}/contrib/minizip/unzip.c
  ${zlib_FOLDER}/contrib/minizip/zip.c)
target_include_directories(zlib SYSTEM PUBLIC ${zlib_FOLDER} ${zlib_FOLDER}/contrib)
target_compile_definitions(zlib PUBLIC Z_PREFIX MINIZIP_FOPEN_NO_64 PRIVATE NOCRYPT NOUNCRYPT)

# Writes spreadsheets, into the memory of the program: its archive and its temporary files are ours (src/share/spreadsheet/
# workbook_pen.cpp), its minizip is the one above. Native and web builds compile the same source, so their files have the same bytes.
attn_find_library(xlsxwriter jmcnamara/libxlsxwriter a699c57ba0db2abb361e362697d75b76b8a8ad66) # 1.1.4
if(NOT attn_fetches)
  set(xlsxwriter_FOLDER "${PROJECT_SOURCE_DIR}/.toolchain/xlsxwriter")
  if(NOT EXISTS "${xlsxwriter_FOLDER}/src/workbook.c")
    message(FATAL_ERROR "libxlsxwriter's sources are missing: run 'tools/setup' first.")
  endif()
endif()
set(xlsxwriter_sources app chart chartsheet comment content_types core custom drawing format hash_table metadata packager
  relationships shared_strings styles table theme utility vml workbook worksheet xmlwriter)
list(TRANSFORM xlsxwriter_sources REPLACE "(.+)" "${xlsxwriter_FOLDER}/src/\\1.c")
add_library(xlsxwriter STATIC EXCLUDE_FROM_ALL ${xlsxwriter_sources})
target_include_directories(xlsxwriter SYSTEM PUBLIC ${xlsxwriter_FOLDER}/include)
target_link_libraries(xlsxwriter PUBLIC zlib)
target_compile_definitions(xlsxwriter PRIVATE USE_SYSTEM_MINIZIP USE_STANDARD_TMPFILE USE_NO_MD5)
target_compile_options(xlsxwriter PRIVATE -w)
set_source_files_properties(${xlsxwriter_FOLDER}/src/packager.c PROPERTIES COMPILE_DEFINITIONS zipOpen=attn_open_workbook)
set_source_files_properties(${xlsxwriter_FOLDER}/src/utility.c PROPERTIES COMPILE_DEFINITIONS tmpfile=attn_temporary_file)

# Dear ImGui, its OpenGL 3 renderer, and (native only) its GLFW backend.
attn_find_library(imgui ocornut/imgui 45acd5e0e82f4c954432533ae9985ff0e1aad6d5) # 1.92.2b
add_library(imgui STATIC
  ${imgui_FOLDER}/imgui.cpp
  ${imgui_FOLDER}/imgui_draw.cpp
  ${imgui_FOLDER}/imgui_tables.cpp
  ${imgui_FOLDER}/imgui_widgets.cpp
  ${imgui_FOLDER}/misc/cpp/imgui_stdlib.cpp)
target_include_directories(imgui SYSTEM PUBLIC ${imgui_FOLDER})
# Characters beyond U+FFFF can be typed; and one window may hold more than 65,536 vertices (WebGL2 has no base vertex).
target_compile_definitions(imgui PUBLIC IMGUI_DISABLE_DEMO_WINDOWS IMGUI_DISABLE_OBSOLETE_FUNCTIONS IMGUI_USE_WCHAR32
  "ImDrawIdx=unsigned int")
if(EMSCRIPTEN) # what nobody sees should not be downloaded
  target_compile_definitions(imgui PUBLIC IMGUI_DISABLE_DEBUG_TOOLS IMGUI_DISABLE_DEFAULT_FONT)
  # Drawing glyphs runs so often before the first picture that a browser compiles it again. With small functions it compiles
  # a few of them, not one function that holds them all.
  set_source_files_properties(${imgui_FOLDER}/imgui_draw.cpp PROPERTIES COMPILE_OPTIONS -finline-hint-functions)
endif()

if(ATTN_SANITIZE) # a third of the time of the tests of ui
  target_compile_options(imgui PRIVATE -O2)
endif()
add_library(imgui_backends STATIC ${imgui_FOLDER}/backends/imgui_impl_opengl3.cpp)
target_include_directories(imgui_backends SYSTEM PUBLIC ${imgui_FOLDER}/backends)
target_link_libraries(imgui_backends PUBLIC imgui)
if(EMSCRIPTEN)
  target_compile_definitions(imgui_backends PRIVATE IMGUI_IMPL_OPENGL_ES3) # WebGL2; its own guess is WebGL 1
  # src/platform/gl_state_web.cpp
  set_source_files_properties(${imgui_FOLDER}/backends/imgui_impl_opengl3.cpp PROPERTIES
    COMPILE_DEFINITIONS "glGetIntegerv=attn_get_gl_state;glGetShaderiv=attn_get_gl_shader_state")
endif()

# OpenGL: the browser's WebGL2 on the web, the system's library natively.
add_library(gl INTERFACE)
if(NOT EMSCRIPTEN)
  target_link_libraries(gl INTERFACE OpenGL::GL)

  if(NOT glfw3_FOUND)
    set(GLFW_BUILD_EXAMPLES OFF)
    set(GLFW_BUILD_TESTS OFF)
    set(GLFW_BUILD_DOCS OFF)
    set(GLFW_INSTALL OFF) # our packages hold our files
    attn_fetch(glfw glfw/glfw 7b6aead9fb88b3623e3b3725ebb42670cbe4c579) # 3.4
  endif()
  target_sources(imgui_backends PRIVATE ${imgui_FOLDER}/backends/imgui_impl_glfw.cpp)
  target_link_libraries(imgui_backends PUBLIC glfw gl)
endif()

if(ATTN_TESTS)
  attn_find_library(catch2 catchorg/Catch2 fa43b77429ba76c462b1898d6cd2f2d7a9416b14) # 3.7.1
  add_library(catch2 STATIC ${catch2_FOLDER}/extras/catch_amalgamated.cpp)
  target_include_directories(catch2 SYSTEM PUBLIC ${catch2_FOLDER}/extras)
  set_target_properties(catch2 PROPERTIES ATTN_THROWS ON)
  if(ATTN_SANITIZE)
    target_compile_options(catch2 PRIVATE -fno-sanitize=all)  # a third of the time to build, and not what is tested
  endif()
endif()
