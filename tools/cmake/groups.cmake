# Several files compiled as one: each reads the same headers and makes the code of the same templates, which is most of the work for
# a file. Names that only their file knows have to differ within a hall then, and a test's within its program; the dev preset sees
# each file alone. Groups go across folders, where CMake's own unity builds only count within a target's order.

# Files whose names, or those of a header they read, are those of a neighbour too: mostly one step for something else.
set(attn_alone
  src/cli/files.cpp # std::quoted, which <filesystem> brings
  src/cli/model_folder.cpp # the same
  src/playground/print/trace_export.cpp
  src/playground/steps/lessons_one_head.cpp
  src/scene/kit/figure_map.cpp
  src/scene/kit/figure_parts.cpp
  src/share/formats/session_file.cpp # std::quoted, which nlohmann/json brings
  src/share/opening/open_file.cpp
  src/share/scripts/script_pytorch.cpp
  src/share/solution/solution_row.cpp
  src/ui/inspector/inspector_selection.cpp
  src/ui/matrix/matrix_map.cpp)

# attn_group_sources(<target> <most> [BY_FOLDER]): up to so many files as one; with BY_FOLDER each group of one folder's. Done when
# the whole project is read, as files may still be added and get options of their own: those with options stay alone.
function(attn_group_sources target most)
  if(ATTN_QUICK)
    cmake_language(EVAL CODE "cmake_language(DEFER DIRECTORY [[${PROJECT_SOURCE_DIR}]] CALL attn_group_now [[${target}]] [[${most}]] ${ARGN})")
  endif()
endfunction()

function(attn_group_now target most)
  cmake_parse_arguments(PARSE_ARGV 2 group "BY_FOLDER" "" "")
  get_target_property(sources ${target} SOURCES)
  set(kept "")
  set(classes "")
  foreach(source IN LISTS sources)
    get_source_file_property(options "${source}" COMPILE_OPTIONS)
    if(options OR source IN_LIST attn_alone OR NOT source MATCHES "^(src|tests)/.*[.]cpp$")
      list(APPEND kept "${source}")
      continue()
    endif()
    set(class all)
    if(group_BY_FOLDER)
      get_filename_component(folder "${source}" DIRECTORY)
      string(MAKE_C_IDENTIFIER "${folder}" class)
    elseif(source MATCHES "^tests/")
      # The header of nlohmann/json costs as much as all others of a group: its readers share it.
      file(STRINGS "${source}" reads_json REGEX "#include [<\"](nlohmann/|core/golden_json|playground/link_traces)" LIMIT_COUNT 1)
      if(reads_json)
        set(class json)
      endif()
    endif()
    list(APPEND classes ${class})
    list(APPEND of_${class} "${source}")
  endforeach()
  list(REMOVE_DUPLICATES classes)
  set(number 0)
  foreach(class IN LISTS classes)
    list(LENGTH of_${class} count)
    math(EXPR num_groups "(${count} + ${most} - 1) / ${most}")
    foreach(part RANGE 1 ${num_groups})
      # As equal as they can be: the largest group is what a build waits for.
      math(EXPR first "${count} * (${part} - 1) / ${num_groups}")
      math(EXPR length "${count} * ${part} / ${num_groups} - ${first}")
      list(SUBLIST of_${class} ${first} ${length} files)
      if(length EQUAL 1)
        list(APPEND kept ${files})
        continue()
      endif()
      list(TRANSFORM files REPLACE "^(src|tests)/(.*)$" "#include \"\\2\"\n")
      list(JOIN files "" text)
      math(EXPR number "${number} + 1")
      set(path "${PROJECT_BINARY_DIR}/groups/${target}/${number}.cpp")
      file(CONFIGURE OUTPUT "${path}" CONTENT "${text}" @ONLY)
      list(APPEND kept "${path}")
    endforeach()
  endforeach()
  set_property(TARGET ${target} PROPERTY SOURCES ${kept})
  target_compile_options(${target} PRIVATE -Wno-shadow) # a local name may hide one of a neighbour
endfunction()
