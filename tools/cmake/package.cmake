# What to install, and the packages made of it: `cpack -G DEB` and `cpack -G TGZ` in a release build (tools/package does
# both). Included by native builds.
include(GNUInstallDirs)

set(packaging ${PROJECT_SOURCE_DIR}/packaging)
set(icon_widths 16 22 24 32 48 64 128 256 512)
set(icon_folder ${PROJECT_BINARY_DIR}/icons)
set(doc_folder ${CMAKE_INSTALL_DATAROOTDIR}/doc/attention-playground)

list(TRANSFORM icon_widths REPLACE "(.+)" "${icon_folder}/\\1x\\1/apps/attention-playground.png" OUTPUT_VARIABLE icons)
add_custom_command(
  OUTPUT ${icons}
  COMMAND ${ATTN_NODE} ${PROJECT_SOURCE_DIR}/tools/icons.mjs ${PROJECT_SOURCE_DIR}/web/icon.svg ${icon_folder} ${icon_widths}
  DEPENDS ${PROJECT_SOURCE_DIR}/web/icon.svg ${PROJECT_SOURCE_DIR}/tools/icons.mjs ${PROJECT_SOURCE_DIR}/tools/lib/icons.mjs
  VERBATIM)

# Manual pages and the list of changes, compressed as Debian wants them: without name and time inside.
set(compressed)
foreach(file attn.1 attention-playground.1 changelog)
  add_custom_command(
    OUTPUT ${PROJECT_BINARY_DIR}/${file}.gz
    COMMAND sh -c "gzip -9nc \"$1\" >\"$2\"" compress ${packaging}/${file} ${PROJECT_BINARY_DIR}/${file}.gz
    DEPENDS ${packaging}/${file}
    VERBATIM)
  list(APPEND compressed ${PROJECT_BINARY_DIR}/${file}.gz)
endforeach()

# Everything that goes into a package.
add_custom_target(package_files DEPENDS ${icons} ${compressed} attention-playground attn)

install(TARGETS attention-playground attn)
install(DIRECTORY ${icon_folder}/ DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/icons/hicolor)
install(FILES ${PROJECT_SOURCE_DIR}/web/icon.svg DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/icons/hicolor/scalable/apps
  RENAME attention-playground.svg)
install(FILES ${packaging}/attention-playground.desktop DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/applications)
install(FILES ${packaging}/attention-playground.metainfo.xml DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/metainfo
  RENAME org.example.attention_playground.metainfo.xml)
install(FILES ${packaging}/attention-playground.mime.xml DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/mime/packages
  RENAME attention-playground.xml)
install(FILES ${PROJECT_BINARY_DIR}/attn.1.gz ${PROJECT_BINARY_DIR}/attention-playground.1.gz
  DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${packaging}/copyright ${PROJECT_BINARY_DIR}/changelog.gz DESTINATION ${doc_folder})

set(CPACK_PACKAGE_NAME attention-playground)
set(CPACK_PACKAGE_VENDOR "The Attention Playground authors")
set(CPACK_PACKAGE_CONTACT "The Attention Playground authors <attention-playground@example.org>")
set(CPACK_PACKAGE_HOMEPAGE_URL https://example.org/playground/)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "see what multi-head attention does with a sentence")
set(CPACK_PACKAGE_DESCRIPTION "Type a sentence and see each step of multi-head causal attention: tokens,
embeddings, queries, keys and values, scores, scaling, mask, softmax,
dropout, context vectors and output. All heads stand side by side, every
number is explained down to its products, and random numbers are PyTorch's,
so that a notebook shows the same ones.
.
The package holds the program with its window, and attn, the same engine for
the command line. Neither uses a network.")
set(CPACK_STRIP_FILES ON)
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_PROJECT_CONFIG_FILE ${PROJECT_SOURCE_DIR}/tools/cmake/package_kinds.cmake)
set(CPACK_ATTN_PACKAGING ${packaging})
set(CPACK_ATTN_PROCESSOR ${CMAKE_SYSTEM_PROCESSOR})

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION education)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_DEPENDS libgl1) # GLFW opens it while it runs
# Without these the program works, but has no file dialogs, and sessions do not open with a double click.
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "libgl1-mesa-dri, xdg-desktop-portal, shared-mime-info, desktop-file-utils, hicolor-icon-theme")
include(CPack)
