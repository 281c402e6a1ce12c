# The module that writes spreadsheets for the page, attention_workbook.wasm: core, playground, the room share/spreadsheet and
# libxlsxwriter, without models, lessons and pictures, compiled as the engine modules are. Included by the web build only, after engine.cmake.
set(workbook_functions _workbook_begin _workbook_write _workbook_pack _workbook_bytes _free _malloc)
attn_add_engine(attention-workbook "${workbook_functions}"
  "${learning_sources};${attn_spreadsheet_sources}")
target_link_libraries(attention_workbook_rooms PRIVATE xlsxwriter zlib)

attn_prefer_size(xlsxwriter)
