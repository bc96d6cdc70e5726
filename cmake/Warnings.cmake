# Warnings for our own sources; errors in the presets, never in an installed target.
add_library(headrace_warnings INTERFACE)
target_compile_options(headrace_warnings INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor
                       -Wno-missing-field-initializers)
if(HEADRACE_WERROR)
  target_compile_options(headrace_warnings INTERFACE -Werror)
endif()
