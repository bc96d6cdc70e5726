# Every library of the engine, each with a page in docs/decisions/. tools/setup installs them on Debian 12.
find_package(Threads REQUIRED)
find_package(PkgConfig REQUIRED)
find_package(fmt REQUIRED)
find_package(spdlog REQUIRED)
find_package(tl-expected REQUIRED)
find_package(simdjson REQUIRED)
# libparquet of the pyarrow wheel exports a newer simdjson under the same names, and the first library in load order
# wins: JSON parsing then crashes. So Debian's simdjson stands before it on every link line (docs/decisions/0005).
target_link_options(simdjson::simdjson INTERFACE
                    "LINKER:--push-state,--no-as-needed,$<TARGET_FILE:simdjson::simdjson>,--pop-state")
find_package(nlohmann_json REQUIRED)
find_package(yaml-cpp REQUIRED)
find_package(CLI11 REQUIRED)
find_package(ICU REQUIRED COMPONENTS uc i18n data)
find_package(zstd REQUIRED)
find_package(ZLIB REQUIRED)
find_package(hwy REQUIRED)
pkg_check_modules(xxhash REQUIRED IMPORTED_TARGET libxxhash)
pkg_check_modules(isal REQUIRED IMPORTED_TARGET libisal)
pkg_check_modules(uchardet REQUIRED IMPORTED_TARGET uchardet)
find_package(PyArrowCpp 26 REQUIRED)
# Modest (its HTML parser is myhtml) has neither a CMake package nor a .pc file.
find_path(MODEST_INCLUDE_DIR myhtml/api.h REQUIRED)
find_library(MODEST_LIBRARY modest REQUIRED)
add_library(Modest::modest UNKNOWN IMPORTED)
set_target_properties(Modest::modest PROPERTIES IMPORTED_LOCATION ${MODEST_LIBRARY}
                      INTERFACE_INCLUDE_DIRECTORIES ${MODEST_INCLUDE_DIR})
if(HEADRACE_BUILD_TESTS)
  find_package(GTest REQUIRED)
endif()
if(HEADRACE_BUILD_BENCH)
  find_package(benchmark REQUIRED)
endif()
