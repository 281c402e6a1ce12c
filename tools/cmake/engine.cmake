# The engine as a module for other people's programs, in two files: attention_engine.wasm computes forward alone,
# attention_engine_learning.wasm learns, too; and the folder engine/ made of them and web/engine/, which tools/pack packs for npm.
# Included by the web build only.
# Compiles the rooms once more for each, because the linker then optimizes them as one program: 5 % less to download. They are
# libraries of their own, so the linker takes only those that the module calls.
get_target_property(core_sources attn_core SOURCES)
get_target_property(playground_sources attn_playground SOURCES)
set(engine_functions _engine_answer _engine_describe _engine_prepare _engine_attend _engine_trace _engine_digest _engine_explain _free _malloc)
set(learning_functions ${engine_functions} _engine_learning_answer _engine_pattern _engine_next _engine_begin _engine_step _engine_train
  _engine_cache_answer _engine_cache_begin _engine_cache_rows _engine_cache_append _engine_cache_forget_from _engine_cache_free _engine_cache_of_link)

# attn_unite_by_folder(<target>): up to eight files of a folder as one. The linker makes half a kilobyte less of CMake's own unity
# builds than of the groups that all else is compiled in (groups.cmake).
function(attn_unite_by_folder target)
  if(NOT ATTN_QUICK)
    return()
  endif()
  get_target_property(sources ${target} SOURCES)
  foreach(source IN LISTS sources)
    get_filename_component(folder ${source} DIRECTORY)
    string(MAKE_C_IDENTIFIER "${folder}" group)
    math(EXPR num_${group} "0${num_${group}} + 1")
    math(EXPR part "(${num_${group}} - 1) / 8")
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${group}_${part})
  endforeach()
  set_source_files_properties(${attn_alone} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  # Its files include their parts by the whole path, which no failing check may name (options.cmake).
  target_compile_options(${target} PRIVATE -Wno-shadow -fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=)
endfunction()

# attn_add_engine(PROGRAM FUNCTIONS SOURCES DEFINITIONS...): the program's rooms, and how it is linked.
function(attn_add_engine program functions sources)
  string(REPLACE "-" "_" file "${program}")
  set(rooms ${file}_rooms)
  add_library(${rooms} STATIC EXCLUDE_FROM_ALL ${sources})
  target_link_libraries(${rooms} PUBLIC xtensor PRIVATE xsimd unibreak)
  target_link_libraries(${program} PRIVATE ${rooms})
  target_link_options(${program} PRIVATE -flto)
  attn_read_headers_once(${rooms})
  attn_unite_by_folder(${rooms})
  foreach(part ${rooms} ${program})
    attn_own_code(${part})
    attn_prefer_size(${part})
    target_compile_options(${part} PRIVATE -flto)
    target_compile_definitions(${part} PRIVATE
      ATTN_VERSION="${PROJECT_VERSION}"
      ATTN_KEYS_WITHOUT_WORDS # the module explains no key to anybody
      ATTN_CHECKS_WITHOUT_WORDS # a mistake of ours: file and line find it
      ATTN_NOBODY_WAITS # for one head before the others
      ATTN_ONE_SET
      ATTN_NO_MODELS # none is open there
      ${ARGN})
  endforeach()
  list(JOIN functions "," exported)
  target_link_options(${program} PRIVATE
    -sSTANDALONE_WASM --no-entry -mbulk-memory # web/engine/running.js is all the script it needs
    -sFILESYSTEM=0 -sMALLOC=emmalloc
    -sBINARYEN_EXTRA_PASSES=--one-caller-inline-max-function-size=14,--flexible-inline-max-function-size=10 # what stays a function repeats itself more, and packs better
    -sALLOW_MEMORY_GROWTH=1 -sINITIAL_MEMORY=2MB -sMAXIMUM_MEMORY=4GB -sSTACK_SIZE=256KB
    -sEXPORTED_FUNCTIONS=${exported})
  set_target_properties(${program} PROPERTIES OUTPUT_NAME ${file} SUFFIX .wasm)
endfunction()

set(learning_sources ${core_sources} ${playground_sources})
list(FILTER learning_sources EXCLUDE REGEX "playground/(check|find|visit|models|lessons)/|link/(model_keys|model_limits|patch_keys|saying_keys).cpp|state/(open_models|origin).cpp") # what no module calls; no_model_keys.cpp stands in the place of the keys and of open_models.cpp
set(forward_sources ${learning_sources})
list(FILTER forward_sources EXCLUDE REGEX "link/(recipe|cache|position)_keys.cpp|playground/cache/") # no_recipe_keys.cpp stands in their place
attn_add_engine(attention-engine "${engine_functions}" "${forward_sources}" ATTN_FORWARD_ONLY ATTN_NO_LATENTS) # no gradients, no training; latents for want of room
attn_add_engine(attention-engine-learning "${learning_functions}" "${learning_sources}")

set(engine_folder ${PROJECT_BINARY_DIR}/engine)
file(GLOB engine_files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/web/engine/*)
list(APPEND engine_files ${PROJECT_SOURCE_DIR}/docs/engine.md
  ${PROJECT_SOURCE_DIR}/tools/engine.mjs ${PROJECT_SOURCE_DIR}/package.json)
add_custom_command(
  OUTPUT ${engine_folder}.stamp
  COMMAND ${ATTN_NODE} ${PROJECT_SOURCE_DIR}/tools/engine.mjs $<TARGET_FILE_DIR:attention-engine> ${engine_folder}
  COMMAND ${CMAKE_COMMAND} -E touch ${engine_folder}.stamp
  DEPENDS attention-engine attention-engine-learning ${engine_files}
  VERBATIM)
add_custom_target(engine ALL DEPENDS ${engine_folder}.stamp)
