# headrace_room(NAME ROOM DEPS room... SOURCES file... [TESTS file...] [LINK target...])
# headrace_units(ROOM unit.cc...)
#
# A room is an OBJECT library headrace_<room>. It may depend on rooms of a lower level only: configuring stops
# otherwise. All rooms see one include path (src/), so CMake cannot see an include that DEPS does not list;
# tools/check_layers reads the real includes and closes that gap.
#
# TESTS make one test program headrace_<room>_test from the room, the rooms it stands on and GoogleTest.

set(HEADRACE_LEVELS
    base:0 io:1 record:1
    read:2 normalize:2 measure:2 judge:2 score:2 dedup:2 leak:2 mix:2 tokenize:2 pack:2 shuffle:2 shard:2 augment:2 device:2
    plan:3 cache:3 diagnose:3 report:3
    curate:4 feed:4)

function(headrace_level room out)
  foreach(entry IN LISTS HEADRACE_LEVELS)
    if(entry MATCHES "^${room}:([0-9]+)$")
      set(${out} ${CMAKE_MATCH_1} PARENT_SCOPE)
      return()
    endif()
  endforeach()
  message(FATAL_ERROR "room '${room}' has no level: add it to cmake/Rooms.cmake and tools/check_layers")
endfunction()

# All rooms that `rooms` stand on, themselves included.
function(headrace_closure out)
  set(all ${ARGN})
  foreach(room IN LISTS ARGN)
    get_property(below GLOBAL PROPERTY HEADRACE_CLOSURE_${room})
    list(APPEND all ${below})
  endforeach()
  list(REMOVE_DUPLICATES all)
  set(${out} ${all} PARENT_SCOPE)
endfunction()

function(headrace_room)
  cmake_parse_arguments(ROOM "" "NAME" "DEPS;SOURCES;TESTS;LINK" ${ARGN})
  if(ROOM_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "headrace_room(${ROOM_NAME}): unknown ${ROOM_UNPARSED_ARGUMENTS}")
  endif()
  headrace_level(${ROOM_NAME} level)
  foreach(dep IN LISTS ROOM_DEPS)
    headrace_level(${dep} dep_level)
    if(NOT dep_level LESS level)
      message(FATAL_ERROR "room '${ROOM_NAME}' (level ${level}) may not depend on '${dep}' (level ${dep_level})")
    endif()
  endforeach()

  set(target headrace_${ROOM_NAME})
  add_library(${target} OBJECT ${ROOM_SOURCES})
  target_include_directories(${target} PUBLIC ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
  target_compile_features(${target} PUBLIC cxx_std_20)
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  target_link_libraries(${target} PUBLIC fmt::fmt tl::expected Threads::Threads PRIVATE headrace_warnings)
  target_link_libraries(${target} PUBLIC ${ROOM_LINK})
  headrace_closure(below ${ROOM_DEPS})
  set_property(GLOBAL PROPERTY HEADRACE_CLOSURE_${ROOM_NAME} ${below})
  set_property(GLOBAL APPEND PROPERTY HEADRACE_ROOMS ${ROOM_NAME})
  set_property(GLOBAL PROPERTY HEADRACE_LINK_${ROOM_NAME} ${ROOM_LINK})

  if(ROOM_TESTS AND HEADRACE_BUILD_TESTS)
    headrace_test(NAME headrace_${ROOM_NAME}_test ROOMS ${ROOM_NAME} SOURCES ${ROOM_TESTS})
  endif()
endfunction()

# A test program over some rooms (with all they stand on). Each TEST becomes a ctest case <room>.<Suite>.<Name>.
function(headrace_test)
  cmake_parse_arguments(TEST "" "NAME" "ROOMS;SOURCES;LINK" ${ARGN})
  if(NOT TARGET headrace_gtest_main)
    add_library(headrace_gtest_main OBJECT ${PROJECT_SOURCE_DIR}/tests/gtest_main.cc)
    target_link_libraries(headrace_gtest_main PUBLIC GTest::gtest GTest::gmock PRIVATE headrace_warnings)
  endif()
  headrace_program(NAME ${TEST_NAME} ROOMS ${TEST_ROOMS} SOURCES ${TEST_SOURCES}
                   LINK headrace_gtest_main ${TEST_LINK})
  string(REGEX REPLACE "^headrace_|_test$" "" short ${TEST_NAME})
  gtest_discover_tests(${TEST_NAME} TEST_PREFIX "${short}." DISCOVERY_TIMEOUT 120 NO_PRETTY_VALUES
                       PROPERTIES TIMEOUT 300 SKIP_REGULAR_EXPRESSION "skipped: ")
endfunction()

# A program made from rooms rather than from the library, so that it links without building everything.
function(headrace_program)
  cmake_parse_arguments(PROGRAM "" "NAME" "ROOMS;SOURCES;LINK" ${ARGN})
  headrace_closure(rooms ${PROGRAM_ROOMS})
  add_executable(${PROGRAM_NAME} ${PROGRAM_SOURCES})
  foreach(room IN LISTS rooms)
    target_link_libraries(${PROGRAM_NAME} PRIVATE headrace_${room})
  endforeach()
  target_link_libraries(${PROGRAM_NAME} PRIVATE headrace_warnings ${PROGRAM_LINK})
  # What `score` loads while it runs lies beside libheadrace.
  if(score IN_LIST rooms)
    set_property(TARGET ${PROGRAM_NAME} APPEND PROPERTY BUILD_RPATH ${PROJECT_BINARY_DIR}/src)
    add_dependencies(${PROGRAM_NAME} headrace_openvino)
  endif()
endfunction()

# Writes <build>/src/<room>/<name>.cc, which defines register_all(Registry&) as one call per unit, in list order.
# Each unit is one .cc without a header that defines `void register_<file name>(Registry&)`. No static
# self-registration: such objects vanish from a static library without a word.
#
# headrace_units(OUT variable ROOM room [NAMESPACE ns] [HEADER header] UNITS path.cc...)
function(headrace_units)
  cmake_parse_arguments(UNITS "" "OUT;ROOM;HEADER;NAMESPACE" "UNITS" ${ARGN})
  if(NOT UNITS_HEADER)
    set(UNITS_HEADER "${UNITS_ROOM}/${UNITS_ROOM}.h")
  endif()
  if(NOT UNITS_NAMESPACE)
    set(UNITS_NAMESPACE "headrace::${UNITS_ROOM}")
  endif()
  set(declarations "")
  set(calls "")
  foreach(unit IN LISTS UNITS_UNITS)
    get_filename_component(name ${unit} NAME_WE)
    string(APPEND declarations "void register_${name}(Registry& registry);\n")
    string(APPEND calls "  register_${name}(registry);\n")
  endforeach()
  set(path ${CMAKE_CURRENT_BINARY_DIR}/register_all.cc)
  file(CONFIGURE OUTPUT ${path} CONTENT
"// Generated by headrace_units (cmake/Rooms.cmake): one call per unit, in list order.
#include \"${UNITS_HEADER}\"

namespace ${UNITS_NAMESPACE} {
${declarations}
void register_all(Registry& registry) {
${calls}}
}  // namespace ${UNITS_NAMESPACE}
" @ONLY)
  set(${UNITS_OUT} ${UNITS_UNITS} ${path} PARENT_SCOPE)
endfunction()
