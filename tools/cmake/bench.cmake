# What the programs of tools/bench are built with. The peers come from the system; one that it does not have is left out.
if(NOT EMSCRIPTEN)
  find_package(Eigen3 3.3 QUIET NO_MODULE)
  find_path(ATTN_CBLAS_FOLDER cblas.h PATH_SUFFIXES openblas x86_64-linux-gnu)
  find_library(ATTN_OPENBLAS openblas)
  mark_as_advanced(ATTN_CBLAS_FOLDER ATTN_OPENBLAS)
  if(ATTN_CBLAS_FOLDER AND ATTN_OPENBLAS)
    add_library(openblas INTERFACE)
    target_include_directories(openblas SYSTEM INTERFACE ${ATTN_CBLAS_FOLDER})
    target_link_libraries(openblas INTERFACE ${ATTN_OPENBLAS})
  endif()
endif()

# The instruction sets whose limits are measured, with the flags their micro-kernels are compiled with.
set(ATTN_BENCH_INSTRUCTIONS baseline)
if(NOT EMSCRIPTEN AND CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  list(APPEND ATTN_BENCH_INSTRUCTIONS avx2 avx512)
endif()
set(ATTN_FLAGS_avx2 -mavx2)
set(ATTN_FLAGS_avx512 -mavx512f -mavx512bw -mavx512cd -mavx512dq -mavx512vl)

add_custom_target(bench_programs) # all of them

# attn_bench_program(<name> <library> <source>...): a native program, or one for node.
function(attn_bench_program name library)
  add_executable(${name} EXCLUDE_FROM_ALL ${ARGN})
  attn_own_code(${name})
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests)
  target_link_libraries(${name} PRIVATE ${library} xtensor)
  attn_run_in_node(${name})
  add_dependencies(bench_programs ${name})
endfunction()

# attn_bench_module(<name> <library> <exported functions> <source>...): name.mjs and name.wasm, for node and pages.
function(attn_bench_module name library functions)
  add_executable(bench_${name}_module EXCLUDE_FROM_ALL ${ARGN})
  attn_own_code(bench_${name}_module)
  target_include_directories(bench_${name}_module PRIVATE ${PROJECT_SOURCE_DIR}/tests)
  target_link_libraries(bench_${name}_module PRIVATE ${library})
  target_link_options(bench_${name}_module PRIVATE --no-entry -sMODULARIZE=1 -sEXPORT_ES6=1 -sENVIRONMENT=web,node
    -sFILESYSTEM=0 -sINITIAL_MEMORY=128MB -sALLOW_MEMORY_GROWTH=1 -sMAXIMUM_MEMORY=2GB -sMALLOC=emmalloc
    -sEXPORTED_RUNTIME_METHODS=HEAP32,HEAPF32,UTF8ToString,stringToNewUTF8 -sEXPORTED_FUNCTIONS=${functions})
  set_target_properties(bench_${name}_module PROPERTIES OUTPUT_NAME ${name} SUFFIX .mjs)
  add_dependencies(bench_programs bench_${name}_module)
endfunction()
