# The engine as a module for other people's programs: attention_engine.wasm, and the folder engine/ made of it and web/engine/, which
# tools/pack packs for npm. Included by the web build only.
attn_own_code(attention-engine)
attn_prefer_size(attention-engine)
target_link_libraries(attention-engine PRIVATE attn_playground)
target_compile_definitions(attention-engine PRIVATE ATTN_VERSION="${PROJECT_VERSION}")
# It comes before the one in attn_playground: the module explains no key to anybody.
target_sources(attention-engine PRIVATE src/playground/key_table.cpp)
target_compile_definitions(attention-engine PRIVATE ATTN_KEYS_WITHOUT_WORDS)
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
