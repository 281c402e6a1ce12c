# Files that become part of the program: shaders as text, fonts as bytes. tools/embed.mjs and tools/fonts.mjs write
#   embedded/shaders.h   attn::shaders::kHeatmapVert … (std::string_view), from shaders/heatmap.vert.glsl …
#   embedded/fonts.h     attn::kSansRegular, kSansSemiBold, kMonoRegular (EmbeddedFile): the characters that the program writes
#                        itself; kSansRegularMore … : those that visitors write
#   embedded/models.h    attn::kEmbeddedModels: the trained models of models/, a folder each
find_program(ATTN_NODE node REQUIRED NO_CMAKE_FIND_ROOT_PATH)
set(attn_generated ${PROJECT_BINARY_DIR}/generated)

file(GLOB shaders CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/shaders/*.glsl)
add_custom_command(
  OUTPUT ${attn_generated}/embedded/shaders.h
  COMMAND ${ATTN_NODE} ${PROJECT_SOURCE_DIR}/tools/embed.mjs shaders ${attn_generated}/embedded/shaders.h ${shaders}
  DEPENDS ${shaders} ${PROJECT_SOURCE_DIR}/tools/embed.mjs
  VERBATIM)
add_custom_target(attn_shaders_header DEPENDS ${attn_generated}/embedded/shaders.h)
add_library(attn_shaders INTERFACE)
add_dependencies(attn_shaders attn_shaders_header)
target_include_directories(attn_shaders INTERFACE ${attn_generated})

set(attn_font_folder ${PROJECT_BINARY_DIR}/fonts)
set(attn_fonts kSansRegular=sans-regular kSansSemiBold=sans-semibold kMonoRegular=mono-regular
  kSansRegularMore=sans-regular-more kSansSemiBoldMore=sans-semibold-more kMonoRegularMore=mono-regular-more)
list(TRANSFORM attn_fonts REPLACE "=(.*)" "=${attn_font_folder}/\\1.ttf" OUTPUT_VARIABLE font_arguments)
list(TRANSFORM attn_fonts REPLACE ".*=(.*)" "${attn_font_folder}/\\1.ttf" OUTPUT_VARIABLE font_files)
add_custom_command(
  OUTPUT ${font_files}
  COMMAND ${ATTN_NODE} ${PROJECT_SOURCE_DIR}/tools/fonts.mjs ${attn_font_folder}
  DEPENDS ${PROJECT_SOURCE_DIR}/tools/fonts.mjs ${PROJECT_SOURCE_DIR}/tools/font_name.mjs ${PROJECT_SOURCE_DIR}/package-lock.json
  VERBATIM)
add_custom_command(
  OUTPUT ${attn_generated}/embedded/fonts.h ${attn_generated}/embedded/fonts.cpp
  COMMAND ${ATTN_NODE} ${PROJECT_SOURCE_DIR}/tools/embed.mjs fonts ${attn_generated}/embedded/fonts.h
    ${attn_generated}/embedded/fonts.cpp ${font_arguments}
  DEPENDS ${font_files} ${PROJECT_SOURCE_DIR}/tools/embed.mjs
  VERBATIM)
add_library(attn_fonts STATIC ${attn_generated}/embedded/fonts.cpp ${attn_generated}/embedded/fonts.h)
target_include_directories(attn_fonts PUBLIC ${attn_generated})

# A folder may have its recipe alone, which is written before the training.
file(GLOB attn_model_folders CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/models/*/model.safetensors)
list(TRANSFORM attn_model_folders REPLACE "/model.safetensors$" "")
file(GLOB attn_model_files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/models/*/*)
add_custom_command(
  OUTPUT ${attn_generated}/embedded/models.h ${attn_generated}/embedded/models.cpp
  COMMAND ${ATTN_NODE} ${PROJECT_SOURCE_DIR}/tools/embed.mjs models ${attn_generated}/embedded/models.h
    ${attn_generated}/embedded/models.cpp ${attn_model_folders}
  DEPENDS ${attn_model_files} ${PROJECT_SOURCE_DIR}/tools/embed.mjs
  VERBATIM)
add_library(attn_models STATIC EXCLUDE_FROM_ALL ${attn_generated}/embedded/models.cpp ${attn_generated}/embedded/models.h)
target_include_directories(attn_models PUBLIC ${attn_generated})
