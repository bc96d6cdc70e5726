# Installs a build into an empty prefix, builds the consumer against it, and runs both it and the installed command with
# an empty environment. Stops at the first thing that fails.
#   cmake -D BUILD=... -D CONSUMER=... -D SCRATCH=... -D VERSION=... -D COMPILER=... -P check.cmake
file(REMOVE_RECURSE ${SCRATCH})
set(prefix ${SCRATCH}/prefix)

function(step what)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE failed OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(failed)
    message(FATAL_ERROR "consumer: ${what} failed (${failed}):\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

step("installing" ${CMAKE_COMMAND} --install ${BUILD} --prefix ${prefix})
step("configuring" ${CMAKE_COMMAND} -S ${CONSUMER} -B ${SCRATCH}/build -G Ninja -D CMAKE_PREFIX_PATH=${prefix}
     -D CMAKE_CXX_COMPILER=${COMPILER})
step("building" ${CMAKE_COMMAND} --build ${SCRATCH}/build)
step("running the consumer" env -i ${SCRATCH}/build/consumer)
if(NOT output MATCHES "consumer: ok")
  message(FATAL_ERROR "consumer: it said: ${output}")
endif()
step("running the installed command" env -i ${prefix}/bin/headrace --version)
if(NOT output MATCHES "${VERSION}")
  message(FATAL_ERROR "consumer: headrace --version says '${output}', not ${VERSION}")
endif()
