# Warnings for our own sources; errors in the presets, never in an installed target.
add_library(headrace_warnings INTERFACE)
target_compile_options(headrace_warnings INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor
                       -Wno-missing-field-initializers)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # g++ 12 sees overlaps in std::string::insert and assign that are not there (GCC bug 105651).
  target_compile_options(headrace_warnings INTERFACE -Wno-restrict)
endif()
if(HEADRACE_WERROR)
  target_compile_options(headrace_warnings INTERFACE -Werror)
endif()
