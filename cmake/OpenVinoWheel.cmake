# Find OpenVINO in its wheel: .venv has it, and the environment that a wheel of ours is built in. OPENVINO_DIR: the
# installed package, when it lies elsewhere. Targets: openvino::runtime.
if(NOT OPENVINO_DIR)
  execute_process(
    COMMAND "${_headrace_python}" -c
            "import importlib.util, os; print(os.path.dirname(importlib.util.find_spec('openvino').origin))"
    OUTPUT_VARIABLE _dir OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE _failed)
  if(_failed)
    message(FATAL_ERROR "no OpenVINO for ${_headrace_python}: run tools/setup, or set OPENVINO_DIR")
  endif()
  set(OPENVINO_DIR "${_dir}" CACHE PATH "the installed openvino package")
endif()
set(OPENVINO_VERSION 2026.4.1)  # as in python/requirements.txt and pyproject.toml
find_package(OpenVINO 2026.4 REQUIRED COMPONENTS Runtime PATHS "${OPENVINO_DIR}/cmake" NO_DEFAULT_PATH)
