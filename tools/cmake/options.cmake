# Compiler options: what every target gets, what the project's own code gets, and the few exceptions.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_C_STANDARD 11)

# For builds that mostly start from scratch: releases, and the tests of tools/test. Somebody who works on one test should not
# have to wait for its neighbours to compile.
option(ATTN_QUICK "Quick to build from nothing: headers read once for each room, several files compiled at a time" OFF)

# The same product and sum on every machine: the compiler never fuses them into one rounding.
add_compile_options(-ffp-contract=off)

if(ATTN_SANITIZE)
  add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_compile_definitions(_GLIBCXX_ASSERTIONS) # bounds of vectors, strings, spans and views
  add_link_options(-fsanitize=address,undefined)
endif()

# Released programs stop if memory is misused. The options are Debian's: position independent, stack guarded, checked copies,
# read-only addresses of functions.
if(CMAKE_SYSTEM_NAME STREQUAL "Linux" AND CMAKE_BUILD_TYPE STREQUAL "Release")
  include(CheckPIESupported)
  check_pie_supported()
  set(CMAKE_POSITION_INDEPENDENT_CODE ON)
  add_compile_options(-fstack-protector-strong -fstack-clash-protection -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2)
  add_link_options(-Wl,-z,relro,-z,now,--as-needed)
endif()

# Nothing in src/ throws and nobody asks a type for its name, so on the web it is built without either. Catch2 throws: the
# programs that test the very same rooms have ATTN_THROWS, for WebAssembly's own exceptions.
if(EMSCRIPTEN)
  set(attn_exceptions $<IF:$<BOOL:$<TARGET_PROPERTY:ATTN_THROWS>>,-fwasm-exceptions,-fno-exceptions>)
  add_compile_options(${attn_exceptions} $<$<COMPILE_LANGUAGE:CXX>:-fno-rtti>)
  add_link_options(${attn_exceptions} -fno-rtti)
endif()

# A failing check names its file; this keeps the build folder out of the page.
if(EMSCRIPTEN)
  add_compile_options(-fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=)
endif()

# attn_own_code(<target>): warnings, and includes that start at src/.
function(attn_own_code target)
  target_include_directories(${target} PUBLIC ${PROJECT_SOURCE_DIR}/src)
  # Clang counts signed to unsigned as a conversion, g++ does not: the common part is checked.
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion)
  # g++ often warns wrongly about inlined library code (std::string above all); the sanitizers check that instead.
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(${target} PRIVATE
      -Wno-array-bounds -Wno-maybe-uninitialized -Wno-restrict -Wno-stringop-overflow -Wno-stringop-overread)
  endif()
  if(ATTN_WARNINGS_AS_ERRORS)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
endfunction()

# attn_add_room(<target> <source>...): one folder of src/.
function(attn_add_room target)
  add_library(${target} STATIC ${ARGN})
  attn_own_code(${target})
  if(ATTN_FUZZ)
    target_compile_options(${target} PRIVATE -fsanitize-coverage=trace-pc) # tests/fuzz/driver.cpp listens
  endif()
  attn_read_headers_once(${target})
  attn_compile_in_groups(${target})
endfunction()

# Files whose names, or those of a header they read, are those of a neighbour too: mostly one step for something else.
set(attn_alone
  src/cli/files.cpp # std::quoted, which <filesystem> brings
  src/cli/model_folder.cpp # the same
  src/core/explain/explain_gradient.cpp
  src/playground/print/trace_export.cpp
  src/playground/steps/lessons_one_head.cpp
  src/scene/kit/figure_map.cpp
  src/scene/kit/figure_parts.cpp
  src/share/formats/session_file.cpp # std::quoted, which nlohmann/json brings
  src/share/opening/open_file.cpp
  src/share/scripts/script_pytorch.cpp
  src/share/solution/solution_row.cpp
  src/ui/inspector/inspector_selection.cpp
  src/ui/matrix/matrix_map.cpp)
set_source_files_properties(${attn_alone} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)

# attn_compile_in_groups(<target>): up to eight files of a folder as one, where that is quicker. Names that only their file
# knows have to differ within a folder then, but for those above; the dev preset sees each file alone.
function(attn_compile_in_groups target)
  get_target_property(sources ${target} SOURCES)
  if(NOT ATTN_QUICK)
    return()
  endif()
  foreach(source IN LISTS sources)
    get_filename_component(folder ${source} DIRECTORY)
    string(MAKE_C_IDENTIFIER "${folder}" group)
    math(EXPR num_${group} "0${num_${group}} + 1")
    math(EXPR part "(${num_${group}} - 1) / 8")
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${group}_${part})
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  target_compile_options(${target} PRIVATE -Wno-shadow)
endfunction()

# attn_read_headers_once(<target>): where that is quicker.
function(attn_read_headers_once target)
  get_target_property(sources ${target} SOURCES)
  list(LENGTH sources num_files)
  if(ATTN_QUICK AND num_files GREATER 20)
    # Other people's headers only: half of the work for a file is to read them. tools/check_rooms.mjs sees that src/ includes
    # them all the same.
    target_precompile_headers(${target} PRIVATE <algorithm> <array> <cmath> <cstdint> <functional> <limits> <map> <memory>
      <optional> <set> <span> <string> <string_view> <utility> <vector> <xtensor/containers/xtensor.hpp>)
  endif()
endfunction()

# attn_prefer_size(<target>...): code that runs once a frame, not once a number; on the web its download counts for more.
function(attn_prefer_size)
  if(EMSCRIPTEN)
    foreach(target IN LISTS ARGN)
      target_compile_options(${target} PRIVATE -Oz)
    endforeach()
  endif()
endfunction()

# attn_run_in_node(<executable>): a web build of a command-line program, with the machine's files and exit codes.
function(attn_run_in_node target)
  if(EMSCRIPTEN)
    target_link_options(${target} PRIVATE -sENVIRONMENT=node -sNODERAWFS=1 -sEXIT_RUNTIME=1 -sALLOW_MEMORY_GROWTH=1
      -sMAXIMUM_MEMORY=2GB -sSTACK_SIZE=1MB)
  endif()
endfunction()
