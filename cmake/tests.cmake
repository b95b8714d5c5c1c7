# SPDX-License-Identifier: GPL-2.0-only
# What ctest runs: units, ns-3 suites, scenarios, checks of the sources.
enable_testing()

find_package(GTest)
if(GTest_FOUND)
  add_executable(ai-fabric-gtest ${fabric_gtests})
  target_link_libraries(
    ai-fabric-gtest PRIVATE ai-fabric GTest::gtest_main nlohmann_json::nlohmann_json
  )
  target_compile_options(ai-fabric-gtest PRIVATE -Wall -Wextra)
  # In shards, so that all cores work.
  foreach(shard RANGE 1 4)
    add_test(NAME units-${shard} COMMAND ai-fabric-gtest --gtest_brief=1)
    math(EXPR index "${shard} - 1")
    set_tests_properties(
      units-${shard}
      PROPERTIES
        ENVIRONMENT
        "GTEST_TOTAL_SHARDS=4;GTEST_SHARD_INDEX=${index};GTEST_OUTPUT=xml:${CMAKE_CURRENT_BINARY_DIR}/units-${shard}.xml"
    )
  endforeach()
endif()

# Distributions ship no test-runner. As in ns-3's own test.py, each suite has a process of its own.
if(fabric_suites)
  add_executable(ai-fabric-test-runner test/test-runner.cc ${fabric_suites})
  target_link_libraries(ai-fabric-test-runner PRIVATE ai-fabric)
  target_compile_options(ai-fabric-test-runner PRIVATE -Wall -Wextra)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${fabric_suites})
  foreach(source ${fabric_suites})
    file(STRINGS ${source} lines REGEX "TestSuite\\(\"")
    foreach(line ${lines})
      string(REGEX REPLACE ".*TestSuite\\(\"([^\"]*)\".*" "\\1" suite "${line}")
      add_test(NAME suite-${suite} COMMAND ai-fabric-test-runner --suite=${suite} --verbose)
    endforeach()
  endforeach()
endif()

# Every scenario holds its own checks; aifabric fails where one falls short. Of a long one a short
# version is run.
file(GLOB scenarios CONFIGURE_DEPENDS examples/scenarios/*/scenario.json)
file(GLOB shortened CONFIGURE_DEPENDS examples/scenarios/*/short.json)
if(TARGET aifabric)
  foreach(scenario ${scenarios})
    get_filename_component(folder ${scenario} DIRECTORY)
    get_filename_component(name ${folder} NAME)
    set(changes "")
    if("${folder}/short.json" IN_LIST shortened)
      set(changes --set @${folder}/short.json)
    endif()
    add_test(NAME scenario-${name} COMMAND aifabric run ${scenario} --quiet ${changes})
  endforeach()
endif()

find_package(Python3 COMPONENTS Interpreter)
if(Python3_FOUND)
  list(GET ns3_modules 0 ns3_core)
  get_target_property(ns3_include ${ns3_core} INTERFACE_INCLUDE_DIRECTORIES)
  file(GLOB checks CONFIGURE_DEPENDS test/checks/check-*.py)
  foreach(check ${checks})
    get_filename_component(name ${check} NAME_WE)
    add_test(NAME ${name} COMMAND ${Python3_EXECUTABLE} ${check} --ns3-include "${ns3_include}")
    set_tests_properties(${name} PROPERTIES SKIP_RETURN_CODE 77)
  endforeach()
  if(TARGET aifabric)
    add_test(
      NAME check-schema
      COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/test/check-schema.py
              $<TARGET_FILE:aifabric>
    )
    set_tests_properties(check-schema PROPERTIES SKIP_RETURN_CODE 77)
  endif()
  if(TARGET write-bw)
    add_test(
      NAME check-examples
      COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/test/check-examples.py
              ${CMAKE_CURRENT_BINARY_DIR}
    )
  endif()
endif()
