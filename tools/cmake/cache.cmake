# A cache of compiled files that outlives the build folder, where the machine has ccache: what was compiled once with the same
# compiler, options and text is copied, in whatever folder the project stands. Its key holds the compiler: the bytes of the native
# one, the version of Emscripten, which is what its files' names and libraries follow.
option(ATTN_CACHE "Copy what ccache has compiled before" ON)
if(ATTN_CACHE)
  find_program(ATTN_CCACHE ccache NO_CMAKE_FIND_ROOT_PATH)
  mark_as_advanced(ATTN_CCACHE)
endif()
if(ATTN_CACHE AND ATTN_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(launcher ${CMAKE_COMMAND} -E env
    CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=1 # the same text in another folder is the same
    CCACHE_SLOPPINESS=time_macros # nothing here asks for the time
  )
  if(EMSCRIPTEN)
    # em++ hands its compiler to ccache by itself.
    list(APPEND launcher CCACHE_COMPILERCHECK=string:emscripten-${EMSCRIPTEN_VERSION} EM_COMPILER_WRAPPER=${ATTN_CCACHE})
  else()
    list(APPEND launcher CCACHE_COMPILERCHECK=content ${ATTN_CCACHE})
  endif()
  set(CMAKE_C_COMPILER_LAUNCHER ${launcher})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${launcher})
endif()
