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
  file(RELATIVE_PATH to_source ${PROJECT_BINARY_DIR} ${PROJECT_SOURCE_DIR})
  if(ATTN_CCACHE) # which tells the compiler paths from the build folder on, the same in each clone
    add_compile_options(-fmacro-prefix-map=${to_source}=)
  else()
    add_compile_options(-fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=)
  endif()
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
  set_property(GLOBAL APPEND PROPERTY attn_rooms ${target})
  attn_own_code(${target})
  if(ATTN_FUZZ)
    target_compile_options(${target} PRIVATE -fsanitize-coverage=trace-pc) # tests/fuzz/driver.cpp listens
  endif()
  attn_read_headers_once(${target})
  if(NOT target STREQUAL "attn_platform") # headers of many systems, and their macros
    attn_group_sources(${target} 14 ${attn_grouping_${target}})
  endif()
endfunction()
set(attn_grouping_attn_ui BY_FOLDER) # panels have parts of the same names: a bar, a list, a title

# attn_read_headers_once(<target>): where that is quicker. Not with a cache of compiled files: g++ may not take a header that was read
# in another folder.
function(attn_read_headers_once target)
  get_target_property(sources ${target} SOURCES)
  list(LENGTH sources num_files)
  if(ATTN_QUICK AND NOT ATTN_CCACHE AND num_files GREATER 20)
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
