# The engine as a module for other people's programs: attention_engine.mjs and .wasm, and the folder engine/ made of them, which
# tools/pack packs for npm. Included by the web build only.
attn_own_code(attention-engine)
attn_prefer_size(attention-engine)
target_link_libraries(attention-engine PRIVATE attn_playground)
target_compile_definitions(attention-engine PRIVATE ATTN_VERSION="${PROJECT_VERSION}")
set(engine_functions _engine_answer _engine_describe _engine_prepare _engine_attend _engine_trace _engine_digest _engine_explain _free _malloc)
list(JOIN engine_functions "," engine_functions)
target_link_options(attention-engine PRIVATE
  -sMODULARIZE=1 -sEXPORT_ES6=1 -sENVIRONMENT=web,worker # web/engine/compiled.js brings the bytes, in node too
  -sFILESYSTEM=0 -sMALLOC=emmalloc -sDYNAMIC_EXECUTION=0 --no-entry
  -sALLOW_MEMORY_GROWTH=1 -sINITIAL_MEMORY=2MB -sMAXIMUM_MEMORY=4GB -sSTACK_SIZE=256KB
  -sEXPORTED_FUNCTIONS=${engine_functions} -sEXPORTED_RUNTIME_METHODS=HEAPU8,HEAPU32,HEAPF32)
set_target_properties(attention-engine PROPERTIES OUTPUT_NAME attention_engine SUFFIX .mjs)

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
