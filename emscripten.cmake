# Toolchain file of the web builds: finds an Emscripten that is new enough and sets what every file needs.
# Looks where tools/lib/emscripten.sh looks, in the same order: EMSCRIPTEN_ROOT, EMSDK, em++ on PATH, the project's own copy,
# the system's.
set(ATTN_EMSCRIPTEN_OLDEST 3.1.60)

if(NOT EMSCRIPTEN_ROOT)
  set(candidates "$ENV{EMSCRIPTEN_ROOT}")
  if(DEFINED ENV{EMSDK})
    list(APPEND candidates "$ENV{EMSDK}/upstream/emscripten")
  endif()
  find_program(ATTN_EMPP em++ NO_CMAKE_FIND_ROOT_PATH)
  mark_as_advanced(ATTN_EMPP)
  if(ATTN_EMPP)
    file(REAL_PATH "${ATTN_EMPP}" real_empp)
    cmake_path(GET real_empp PARENT_PATH folder_of_empp)
    list(APPEND candidates "${folder_of_empp}")
  endif()
  if(EXISTS "${CMAKE_CURRENT_LIST_DIR}/.toolchain/emscripten.stamp") # without its stamp the copy is not whole
    list(APPEND candidates "${CMAKE_CURRENT_LIST_DIR}/.toolchain/emscripten")
  endif()
  list(APPEND candidates /usr/share/emscripten /usr/lib/emscripten)

  set(too_old "")
  foreach(folder IN LISTS candidates)
    if(NOT folder OR NOT EXISTS "${folder}/emscripten-version.txt")
      continue()
    endif()
    file(READ "${folder}/emscripten-version.txt" version)
    string(REGEX MATCH "[0-9]+\\.[0-9]+\\.[0-9]+" version "${version}")
    if(version VERSION_GREATER_EQUAL ATTN_EMSCRIPTEN_OLDEST)
      set(EMSCRIPTEN_ROOT "${folder}")
      break()
    endif()
    string(APPEND too_old " (${folder} holds ${version}, which is too old)")
  endforeach()
  if(NOT EMSCRIPTEN_ROOT)
    message(FATAL_ERROR "No Emscripten ${ATTN_EMSCRIPTEN_OLDEST} or newer was found${too_old}: run tools/setup, or install and activate emsdk.")
  endif()
endif()
set(EMSCRIPTEN_ROOT "${EMSCRIPTEN_ROOT}" CACHE PATH "Folder of em++")
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES EMSCRIPTEN_ROOT)

# xsimd takes its WebAssembly backend whenever it is compiled by Emscripten, so every file has SIMD.
set(CMAKE_C_FLAGS_INIT "-msimd128")
set(CMAKE_CXX_FLAGS_INIT "-msimd128")

include("${EMSCRIPTEN_ROOT}/cmake/Modules/Platform/Emscripten.cmake")
