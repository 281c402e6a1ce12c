# TEMPORARY, to be removed once every room is written: sources found by pattern instead of listed by name.

function(attn_list_sources variable folder)
  file(GLOB sources CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/${folder}/*.cpp)
  set(${variable} ${sources} PARENT_SCOPE)
endfunction()

function(attn_list_platform_sources variable folder)
  attn_list_sources(sources ${folder})
  if(EMSCRIPTEN)
    list(FILTER sources EXCLUDE REGEX "_desktop\\.cpp$")
  else()
    list(FILTER sources EXCLUDE REGEX "_web\\.cpp$")
  endif()
  set(${variable} ${sources} PARENT_SCOPE)
endfunction()

function(attn_list_tests variable folder)
  file(GLOB sources CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/${folder}/*.cpp)
  set(${variable} ${sources} PARENT_SCOPE)
endfunction()

function(attn_add_test name folder room)
  attn_list_tests(sources ${folder})
  if(sources AND TARGET ${room})
    attn_add_catch2_test(${name} ${room} ${sources})
  endif()
endfunction()
