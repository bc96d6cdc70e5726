# Find the Arrow C++ headers and libraries that the pyarrow wheel carries.
#
# Debian 12 has no libarrow; the wheel has headers and versioned libraries but no CMake package. Building against it
# lets the command, the library and `import pyarrow` share one libarrow and one memory pool.
#
# Input:   PYARROW_DIR (the installed package), else the pyarrow of .venv, else that of Python_EXECUTABLE.
# Targets: PyArrow::arrow PyArrow::parquet
set(_headrace_python "${Python_EXECUTABLE}")
if(EXISTS "${PROJECT_SOURCE_DIR}/.venv/bin/python" AND NOT SKBUILD)
  set(_headrace_python "${PROJECT_SOURCE_DIR}/.venv/bin/python")
elseif(NOT _headrace_python)
  find_program(_headrace_python python3)
endif()
if(NOT PYARROW_DIR)
  execute_process(
    COMMAND "${_headrace_python}" -c
            "import importlib.util, os; print(os.path.dirname(importlib.util.find_spec('pyarrow').origin))"
    OUTPUT_VARIABLE _dir OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE _failed)
  if(NOT _failed)
    set(PYARROW_DIR "${_dir}" CACHE PATH "the installed pyarrow package")
  endif()
endif()

find_path(PyArrowCpp_INCLUDE_DIR arrow/api.h PATHS "${PYARROW_DIR}/include" NO_DEFAULT_PATH)
if(PyArrowCpp_INCLUDE_DIR)
  file(STRINGS "${PyArrowCpp_INCLUDE_DIR}/arrow/util/config.h" _version REGEX "ARROW_VERSION_STRING")
  string(REGEX REPLACE ".*\"([0-9.]+)\".*" "\\1" PyArrowCpp_VERSION "${_version}")
  file(STRINGS "${PyArrowCpp_INCLUDE_DIR}/arrow/util/config.h" _soversion REGEX "ARROW_SO_VERSION")
  string(REGEX REPLACE ".*\"([0-9]+)\".*" "\\1" PyArrowCpp_SOVERSION "${_soversion}")
endif()
set(_required)
foreach(_library arrow parquet)
  find_file(PyArrowCpp_${_library}_LIBRARY "lib${_library}.so.${PyArrowCpp_SOVERSION}"
            PATHS "${PYARROW_DIR}" NO_DEFAULT_PATH)
  list(APPEND _required PyArrowCpp_${_library}_LIBRARY)
endforeach()
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(PyArrowCpp REQUIRED_VARS PyArrowCpp_INCLUDE_DIR ${_required}
                                  VERSION_VAR PyArrowCpp_VERSION
                                  REASON_FAILURE_MESSAGE "run tools/setup, or set PYARROW_DIR")
if(PyArrowCpp_FOUND AND NOT TARGET PyArrow::arrow)
  foreach(_library arrow parquet)
    add_library(PyArrow::${_library} SHARED IMPORTED)
    set_target_properties(PyArrow::${_library} PROPERTIES
      IMPORTED_LOCATION "${PyArrowCpp_${_library}_LIBRARY}"
      IMPORTED_SONAME "lib${_library}.so.${PyArrowCpp_SOVERSION}"
      INTERFACE_INCLUDE_DIRECTORIES "${PyArrowCpp_INCLUDE_DIR}")
  endforeach()
  set_property(TARGET PyArrow::parquet PROPERTY INTERFACE_LINK_LIBRARIES PyArrow::arrow)
endif()
