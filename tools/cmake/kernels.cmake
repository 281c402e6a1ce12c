# How the numbers are compiled: fast in every build type and on the web too, and the kernels once more for each instruction
# set that a processor may have beyond the minimum.
set(attn_fast_files
  src/core/fast/dense_attention.cpp
  src/core/fast/head_attention.cpp
  src/core/kernels/packed_matrix.cpp
  src/core/kernels/packed_rows.cpp
  src/core/kernels/row_product.cpp
  src/core/kernels/simd_kernels.cpp)
set(attn_fast_flags -O3)
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang") # src/core/ground/copy_floats.h says why
  list(APPEND attn_fast_flags -fno-builtin-memcpy -fno-builtin-memset)
elseif(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  list(APPEND attn_fast_flags -fno-tree-loop-distribute-patterns)
endif()
set_source_files_properties(${attn_fast_files} PROPERTIES COMPILE_OPTIONS "${attn_fast_flags}" SKIP_PRECOMPILE_HEADERS ON)
if(EMSCRIPTEN) # the loops of the kernels alone are worth their size
  set_source_files_properties(src/core/fast/dense_attention.cpp src/core/fast/head_attention.cpp src/core/kernels/packed_matrix.cpp
    src/core/kernels/packed_rows.cpp
    PROPERTIES COMPILE_OPTIONS "${attn_fast_flags};-fno-unroll-loops")
endif()

if(NOT EMSCRIPTEN AND CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  # Never -mfma: a product is rounded before it is added.
  set(attn_flags_avx2 -mavx2)
  set(attn_flags_avx512 -mavx512f)
  foreach(set avx2 avx512)
    add_library(attn_kernels_${set} OBJECT src/core/kernels/simd_kernels.cpp)
    attn_own_code(attn_kernels_${set})
    target_link_libraries(attn_kernels_${set} PRIVATE xsimd)
    target_compile_definitions(attn_kernels_${set} PRIVATE ATTN_KERNELS=${set})
    # With sanitizers g++ 12 mistakes the undefined vectors of its own AVX-512 header for an error.
    target_compile_options(attn_kernels_${set} PRIVATE ${attn_flags_${set}} -Wno-uninitialized)
    target_sources(attn_core PRIVATE $<TARGET_OBJECTS:attn_kernels_${set}>)
  endforeach()
  target_compile_definitions(attn_core PRIVATE ATTN_X86_KERNELS)
endif()
