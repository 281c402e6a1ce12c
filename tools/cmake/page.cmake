# The page: the module's link options, and the folder that is served. Included by the web build only.
# The engine's C functions (src/engine.cpp). Those of src/platform/*_web.cpp are marked as exported where they are defined.
set(exported_functions _main _free _malloc _engine_trace _engine_digest _engine_explain _engine_keys _engine_hideable _engine_find
  _engine_prepare _engine_mirror _engine_mirror_head _engine_visit _engine_act _engine_forget _engine_legal_link _engine_map_color _engine_font_data _engine_font_size _engine_exports _engine_export _engine_export_bytes _engine_open _engine_answers _engine_clear_answers _engine_task _engine_variants _engine_variants_bytes
  _models_begin _models_add_text _models_add_tensors _models_add_part _models_open _models_next _models_slice_is_there _models_take _models_wanted _models_brought _models_close _models_of_link _models_is_open)
list(JOIN exported_functions "," exported_functions)
set(module_options
  -Oz # of Binaryen's and the script's; what the code was compiled with stays
  # Keeps functions with one caller apart: a view that nobody has chosen yet must not become part of the function that draws views.
  -sBINARYEN_EXTRA_PASSES=--one-caller-inline-max-function-size=1
  -sMODULARIZE=1 -sEXPORT_ES6=1 -sENVIRONMENT=web -sFILESYSTEM=0
  -sMIN_WEBGL_VERSION=2 -sMAX_WEBGL_VERSION=2
  -sALLOW_MEMORY_GROWTH=1 -sMAXIMUM_MEMORY=2GB -sSTACK_SIZE=1MB
  -sMALLOC=emmalloc # smaller, and as fast here as the other one
  -sMEMORY_GROWTH_LINEAR_STEP=16MB # a long text's memory is asked for in one piece, and not a fifth more
  -sDYNAMIC_EXECUTION=0 # no eval: pages with a strict content security policy
  -sEXPORTED_RUNTIME_METHODS=callMain,HEAPU8,UTF8ToString,stringToNewUTF8)
target_link_options(attention-playground PRIVATE ${module_options} -sEXPORTED_FUNCTIONS=${exported_functions}
  # Where each constant is, for tools/split.mjs; and each text by itself, not all in one heap.
  -Wl,-Map=attention_playground.map -Wl,-O0)
set_target_properties(attention-playground PROPERTIES OUTPUT_NAME attention_playground SUFFIX .mjs)

# Splits it into what the first picture needs, what one needs to look around, and the rest. Binaryen's wasm-split lies beside Emscripten's own wasm-opt.
find_program(ATTN_WASM_SPLIT wasm-split REQUIRED NO_CMAKE_FIND_ROOT_PATH
  HINTS ${EMSCRIPTEN_ROOT}/../bin ${PROJECT_SOURCE_DIR}/.toolchain/binaryen/bin)
set(split_sources split.mjs lib/blind_canvas.mjs lib/cold_data.mjs lib/trained_models.mjs lib/visits.mjs lib/wasm_parts.mjs
  ../web/first_picture.js ../web/models.js ../web/page_engine.js)
list(TRANSFORM split_sources PREPEND ${PROJECT_SOURCE_DIR}/tools/)
add_custom_command(
  OUTPUT ${PROJECT_BINARY_DIR}/attention_playground_first.wasm ${PROJECT_BINARY_DIR}/attention_playground_second.wasm
    ${PROJECT_BINARY_DIR}/attention_playground_rest.wasm
  COMMAND ${ATTN_NODE} ${PROJECT_SOURCE_DIR}/tools/split.mjs $<TARGET_FILE_DIR:attention-playground> ${ATTN_WASM_SPLIT}
  DEPENDS attention-playground ${split_sources}
  VERBATIM)

# Everything in web/ is copied, so the list of files is the folder itself.
file(GLOB_RECURSE web_files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/web/* ${PROJECT_SOURCE_DIR}/models/*)
set(page_folder ${PROJECT_BINARY_DIR}/page)
add_custom_command(
  OUTPUT ${page_folder}.stamp
  COMMAND ${ATTN_NODE} ${PROJECT_SOURCE_DIR}/tools/page.mjs ${PROJECT_SOURCE_DIR}/web $<TARGET_FILE_DIR:attention-playground>
    ${attn_font_folder} ${page_folder}
  COMMAND ${CMAKE_COMMAND} -E touch ${page_folder}.stamp
  DEPENDS attention-playground attention-workbook ${PROJECT_BINARY_DIR}/attention_playground_first.wasm attn_fonts ${web_files} ${PROJECT_SOURCE_DIR}/tools/page.mjs
  VERBATIM)
add_custom_target(page ALL DEPENDS ${page_folder}.stamp)

# The empty window, with the same options.
attn_own_code(empty_window)
attn_prefer_size(empty_window)
target_link_libraries(empty_window PRIVATE attn_platform attn_fonts)
target_link_options(empty_window PRIVATE ${module_options} -sEXPORTED_FUNCTIONS=_main,_free,_malloc)
set_target_properties(empty_window PROPERTIES SUFFIX .mjs)
