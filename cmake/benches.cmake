# SPDX-License-Identifier: GPL-2.0-only
# Each file of bench/ is one program, built on request only. The list of them tells the door which
# ones understand the options of Google Benchmark.
file(GLOB bench_sources CONFIGURE_DEPENDS bench/*.cc)
find_package(benchmark QUIET)
add_custom_target(benches)
set(bench_list "")
foreach(source ${bench_sources})
  get_filename_component(name ${source} NAME_WE)
  file(STRINGS ${source} google REGEX "#include <benchmark/benchmark.h>")
  if(google AND NOT benchmark_FOUND)
    continue()
  endif()
  add_executable(${name} EXCLUDE_FROM_ALL ${source})
  target_link_libraries(${name} PRIVATE ai-fabric)
  target_compile_options(${name} PRIVATE -Wall -Wextra)
  set_target_properties(
    ${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/bench
  )
  if(google)
    target_link_libraries(${name} PRIVATE benchmark::benchmark)
    string(APPEND bench_list "${name} google\n")
  else()
    string(APPEND bench_list "${name} plain\n")
  endif()
  add_dependencies(benches ${name})
endforeach()
file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/bench/programs "${bench_list}")
