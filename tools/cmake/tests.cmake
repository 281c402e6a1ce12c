# Test programs: one for each room, from the files in the folder of tests/ that mirrors it.

# attn_add_catch2_test(<name> <room> <source>...)
function(attn_add_catch2_test name room)
  add_executable(${name} ${ARGN})
  attn_own_code(${name})
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests)
  target_link_libraries(${name} PRIVATE ${room} catch2 nlohmann_json)
  set_target_properties(${name} PROPERTIES ATTN_THROWS ON)
  if(EMSCRIPTEN) # the rooms are as they are in the page; how fast they are called does not matter
    set_target_properties(${name} PROPERTIES EXCLUDE_FROM_ALL ON)
    target_compile_options(${name} PRIVATE -O1)
    target_link_options(${name} PRIVATE -O1)
  endif()
  target_compile_definitions(${name} PRIVATE ATTN_GOLDEN_FOLDER="${PROJECT_SOURCE_DIR}/tests/golden")
  list(LENGTH ARGN num_files)
  if(ATTN_QUICK AND num_files GREATER 4)
    # Reading the headers and making the code of their templates is most of the work for each file. A test's own names then
    # have to differ from those of its room's other tests; a local name may hide one of theirs.
    set_target_properties(${name} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 13)
    target_compile_options(${name} PRIVATE -Wno-shadow)
  endif()
  attn_run_in_node(${name})
endfunction()

# attn_fuzz_target(<name> <source>): a program that tries any input (tests/fuzz/driver.cpp).
function(attn_fuzz_target name source)
  add_executable(${name} EXCLUDE_FROM_ALL ${source})
  attn_own_code(${name})
  target_link_libraries(${name} PRIVATE fuzz_driver attn_share)
endfunction()
