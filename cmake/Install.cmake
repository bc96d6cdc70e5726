# What `cmake --install` and the wheel carry.
#
# The prefix:  bin/headrace, lib/libheadrace.so, lib/libheadrace_openvino.so, include/headrace/, lib/cmake/headrace/ (find_package(headrace)).
# The wheel:   headrace/_core*.so, headrace/libheadrace.so.0 and headrace/libheadrace_openvino.so side by side (component "python"; SKBUILD is set).
#
# Both find libarrow and libparquet in the pyarrow package: beside them in site-packages for the wheel, by the absolute
# path of the pyarrow that was built against elsewhere. So the installed command needs no environment variable. OpenVINO
# is found the same way, when a transformer is first used.
include(CMakePackageConfigHelpers)

if(SKBUILD)
  # A wheel holds no symbolic links: one file, named by its SONAME.
  set_target_properties(headrace PROPERTIES VERSION ${PROJECT_VERSION_MAJOR} INSTALL_RPATH "$ORIGIN;$ORIGIN/../pyarrow")
  set_target_properties(headrace_openvino PROPERTIES INSTALL_RPATH "$ORIGIN/../openvino/libs")
  install(TARGETS headrace headrace_openvino LIBRARY DESTINATION headrace COMPONENT python NAMELINK_SKIP)
  return()
endif()

set(headrace_config_dir ${CMAKE_INSTALL_LIBDIR}/cmake/headrace)
set_target_properties(headrace PROPERTIES INSTALL_RPATH "$ORIGIN;${PYARROW_DIR}")
install(TARGETS headrace EXPORT headrace-targets FILE_SET HEADERS)
set_target_properties(headrace_openvino PROPERTIES INSTALL_RPATH "${OPENVINO_DIR}/libs")
install(TARGETS headrace_openvino LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
if(TARGET headrace_command)
  set_target_properties(headrace_command PROPERTIES INSTALL_RPATH "$ORIGIN/../${CMAKE_INSTALL_LIBDIR};${PYARROW_DIR}")
  install(TARGETS headrace_command)
endif()

install(EXPORT headrace-targets NAMESPACE headrace:: DESTINATION ${headrace_config_dir})
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/headraceConfig.cmake.in headraceConfig.cmake
                              INSTALL_DESTINATION ${headrace_config_dir})
write_basic_package_version_file(headraceConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/headraceConfig.cmake ${PROJECT_BINARY_DIR}/headraceConfigVersion.cmake
        DESTINATION ${headrace_config_dir})
