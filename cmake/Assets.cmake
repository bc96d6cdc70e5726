# headrace_assets(OUT variable ROOM room FILES file...)
#
# Files that the program carries: each becomes a function of <build>/src/<room>/<room>/assets.h that returns its bytes,
# named as the file with every other character an underscore (page/audit.js → headrace::<room>::assets::audit_js()). Made anew when the file changes.
function(headrace_assets)
  cmake_parse_arguments(ASSETS "" "OUT;ROOM" "FILES" ${ARGN})
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/${ASSETS_ROOM})
  list(TRANSFORM ASSETS_FILES PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/ OUTPUT_VARIABLE paths)
  add_custom_command(
    OUTPUT ${folder}/assets.cc ${folder}/assets.h
    COMMAND ${CMAKE_COMMAND} -D FOLDER=${folder} -D ROOM=${ASSETS_ROOM} -D "FILES=${paths}"
            -P ${PROJECT_SOURCE_DIR}/cmake/WriteAssets.cmake
    DEPENDS ${paths} ${PROJECT_SOURCE_DIR}/cmake/WriteAssets.cmake
    COMMENT "Assets of ${ASSETS_ROOM}" VERBATIM)
  set(${ASSETS_OUT} ${folder}/assets.cc ${folder}/assets.h PARENT_SCOPE)
endfunction()
