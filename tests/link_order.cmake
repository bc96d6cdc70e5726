# Stops unless libsimdjson stands before libparquet among the libraries that PROGRAM needs (docs/decisions/0005), or if
# OpenVINO is one of them (docs/decisions/0035).
#   cmake -D PROGRAM=... -P link_order.cmake
execute_process(COMMAND readelf -d ${PROGRAM} OUTPUT_VARIABLE dynamic COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "NEEDED[^[]*\\[lib(simdjson|parquet)" needed "${dynamic}")
list(GET needed 0 first)
if(NOT first MATCHES "simdjson" OR NOT needed MATCHES "parquet")
  message(FATAL_ERROR "${PROGRAM} loads in this order:\n${dynamic}")
endif()
if(dynamic MATCHES "NEEDED[^\n]*openvino")
  message(FATAL_ERROR "${PROGRAM} needs OpenVINO, which is to be loaded at its first use only:\n${dynamic}")
endif()
