# Test programs: one for each room, from the files in the folder of tests/ that mirrors it.

# attn_add_catch2_test(<name> <room> <source>...)
function(attn_add_catch2_test name room)
  add_executable(${name} ${ARGN})
  attn_own_code(${name})
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests)
  target_link_libraries(${name} PRIVATE ${room} catch2 nlohmann_json project_folder)
  set_target_properties(${name} PROPERTIES ATTN_THROWS ON)
  if(EMSCRIPTEN) # the rooms are as they are in the page; how fast they are called does not matter
    set_target_properties(${name} PROPERTIES EXCLUDE_FROM_ALL ON)
    target_compile_options(${name} PRIVATE -O1)
    target_link_options(${name} PRIVATE -O1)
  endif()
  list(LENGTH ARGN num_files)
  if(num_files GREATER 4)
    attn_group_sources(${name} 20)
  endif()
  attn_leave_unsanitized(${name})
  attn_run_in_node(${name})
endfunction()

# attn_leave_unsanitized(<target>): code of tests, which takes 2.4 times as long to compile with the sanitizers and whose mistakes
# they need not find. What it hands to a room is checked there: the room's own copies of inline functions are linked first.
function(attn_leave_unsanitized target)
  if(ATTN_SANITIZE)
    target_compile_options(${target} PRIVATE -fno-sanitize=all)
    target_compile_definitions(${target} PRIVATE ATTN_SANITIZED) # the rooms are
    get_target_property(kind ${target} TYPE)
    if(kind STREQUAL "EXECUTABLE")
      cmake_language(EVAL CODE "cmake_language(DEFER CALL attn_link_rooms_first [[${target}]])")
    endif()
  endif()
endfunction()

# An inline function or a template that rooms and tests both use exists once in a program, as the first object has it. The rooms'
# objects come first, all of them, or else the functions of the standard library would be checked in none.
function(attn_link_rooms_first target)
  set(rooms "")
  attn_rooms_of(${target} rooms)
  list(TRANSFORM rooms REPLACE "(.+)" "$<TARGET_FILE:\\1>" OUTPUT_VARIABLE files)
  target_link_options(${target} PRIVATE -Wl,--whole-archive ${files} -Wl,--no-whole-archive)
endfunction()

# attn_rooms_of(<target> <variable>): adds the rooms that a target links, itself or by way of others.
function(attn_rooms_of target variable)
  get_property(all_rooms GLOBAL PROPERTY attn_rooms)
  set(rooms ${${variable}})
  foreach(property LINK_LIBRARIES INTERFACE_LINK_LIBRARIES)
    get_target_property(libraries ${target} ${property})
    foreach(library IN LISTS libraries)
      string(REGEX REPLACE "^\\$<LINK_ONLY:(.*)>$" "\\1" library "${library}")
      if(library IN_LIST all_rooms AND NOT library IN_LIST rooms)
        list(APPEND rooms ${library})
        attn_rooms_of(${library} rooms)
      endif()
    endforeach()
  endforeach()
  set(${variable} ${rooms} PARENT_SCOPE)
endfunction()

# attn_fuzz_target(<name> <source>): a program that tries any input (tests/fuzz/driver.cpp).
function(attn_fuzz_target name source)
  add_executable(${name} EXCLUDE_FROM_ALL ${source})
  attn_own_code(${name})
  target_link_libraries(${name} PRIVATE fuzz_driver attn_share)
endfunction()
