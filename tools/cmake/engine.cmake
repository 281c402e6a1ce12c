# The engine as a module for other people's programs: attention_engine.wasm, and the folder engine/ made of it and web/engine/, which
# tools/pack packs for npm. Included by the web build only.
# Compiles the rooms once more, because the linker then optimizes them as one program: 5 % less to download. They are a
# library of their own, so the linker takes only those that the module calls.
get_target_property(core_sources attn_core SOURCES)
get_target_property(playground_sources attn_playground SOURCES)
list(FILTER playground_sources EXCLUDE REGEX "link/recipe_keys.cpp") # no_recipe_keys.cpp stands in its place
add_library(attention_engine_rooms STATIC EXCLUDE_FROM_ALL ${core_sources} ${playground_sources})
target_link_libraries(attention_engine_rooms PUBLIC xtensor PRIVATE xsimd unibreak)
target_link_libraries(attention-engine PRIVATE attention_engine_rooms)
target_link_options(attention-engine PRIVATE -flto)
attn_read_headers_once(attention_engine_rooms)
attn_compile_in_groups(attention_engine_rooms)
foreach(part attention_engine_rooms attention-engine)
  attn_own_code(${part})
  attn_prefer_size(${part})
  target_compile_options(${part} PRIVATE -flto)
  target_compile_definitions(${part} PRIVATE
    ATTN_VERSION="${PROJECT_VERSION}"
    ATTN_KEYS_WITHOUT_WORDS # the module explains no key to anybody
    ATTN_FORWARD_ONLY # no gradients, no training
    ATTN_NOBODY_WAITS # for one head before the others
    ATTN_ONE_SET)
endforeach()
set(engine_functions _engine_answer _engine_describe _engine_prepare _engine_attend _engine_trace _engine_digest _engine_explain _free _malloc)
list(JOIN engine_functions "," engine_functions)
target_link_options(attention-engine PRIVATE
  -sSTANDALONE_WASM --no-entry -mbulk-memory # web/engine/running.js is all the script it needs
  -sFILESYSTEM=0 -sMALLOC=emmalloc
  -sALLOW_MEMORY_GROWTH=1 -sINITIAL_MEMORY=2MB -sMAXIMUM_MEMORY=4GB -sSTACK_SIZE=256KB
  -sEXPORTED_FUNCTIONS=${engine_functions})
set_target_properties(attention-engine PROPERTIES OUTPUT_NAME attention_engine SUFFIX .wasm)

set(engine_folder ${PROJECT_BINARY_DIR}/engine)
file(GLOB engine_files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/web/engine/*)
list(APPEND engine_files ${PROJECT_SOURCE_DIR}/docs/engine.md
  ${PROJECT_SOURCE_DIR}/tools/engine.mjs ${PROJECT_SOURCE_DIR}/package.json)
add_custom_command(
  OUTPUT ${engine_folder}.stamp
  COMMAND ${ATTN_NODE} ${PROJECT_SOURCE_DIR}/tools/engine.mjs $<TARGET_FILE_DIR:attention-engine> ${engine_folder}
  COMMAND ${CMAKE_COMMAND} -E touch ${engine_folder}.stamp
  DEPENDS attention-engine ${engine_files}
  VERBATIM)
add_custom_target(engine ALL DEPENDS ${engine_folder}.stamp)
