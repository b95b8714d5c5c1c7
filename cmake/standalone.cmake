# SPDX-License-Identifier: GPL-2.0-only
# The build against an installed ns-3: what an ns-3 tree would do for us, and the cures for what its
# packages lack.
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
find_package(ns3 REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(Boost REQUIRED)
if(ns3_VERSION VERSION_GREATER_EQUAL 3.46)
  set(CMAKE_CXX_STANDARD 23)
else()
  set(CMAKE_CXX_STANDARD 17)
endif()

find_program(CCACHE ccache)
if(CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE})
endif()

# ns3::libcore up to 3.42, ns3::core from 3.43.
function(ns3_module out name)
  foreach(target ns3::${name} ns3::lib${name})
    if(TARGET ${target})
      set(${out} ${target} PARENT_SCOPE)
      return()
    endif()
  endforeach()
  message(FATAL_ERROR "ai-fabric: the installed ns-3 has no module ${name}")
endfunction()

# Debian's package exports absolute paths into -dev packages that it does not depend on (libgsl.so,
# include/libxml2, …): those that are absent are dropped; ns-3's own libraries name what they need.
function(ns3_drop_missing target)
  foreach(property INTERFACE_LINK_LIBRARIES INTERFACE_INCLUDE_DIRECTORIES)
    get_target_property(items ${target} ${property})
    set(kept)
    foreach(item ${items})
      if(TARGET ${item})
        list(APPEND kept ${item})
        ns3_drop_missing(${item})
      elseif(item AND (NOT IS_ABSOLUTE "${item}" OR EXISTS "${item}"))
        list(APPEND kept ${item})
      endif()
    endforeach()
    set_target_properties(${target} PROPERTIES ${property} "${kept}")
  endforeach()
endfunction()

set(ns3_modules)
foreach(name core network internet applications)
  ns3_module(module ${name})
  ns3_drop_missing(${module})
  list(APPEND ns3_modules ${module})
endforeach()

# "ns3/x.h" finds our headers as it does in a tree.
set(flat_headers ${CMAKE_CURRENT_BINARY_DIR}/include)
set(umbrella_header ${flat_headers}/ns3/ai-fabric-module.h)
file(GLOB stale_links ${flat_headers}/ns3/*.h)
list(REMOVE_ITEM stale_links ${umbrella_header}) # written only where it changes, so that nothing rebuilds
if(stale_links)
  file(REMOVE ${stale_links})
endif()
file(MAKE_DIRECTORY ${flat_headers}/ns3)
set(umbrella "")
foreach(header ${fabric_headers})
  get_filename_component(name ${header} NAME)
  file(CREATE_LINK ${CMAKE_CURRENT_SOURCE_DIR}/${header} ${flat_headers}/ns3/${name} SYMBOLIC)
  string(APPEND umbrella "#include \"ns3/${name}\"\n")
endforeach()
file(CONFIGURE OUTPUT ${umbrella_header} CONTENT "${umbrella}" @ONLY)

add_library(ai-fabric SHARED ${fabric_sources} ${fabric_plugins})
target_include_directories(ai-fabric PUBLIC $<BUILD_INTERFACE:${flat_headers}>)
target_link_libraries(ai-fabric PUBLIC ${ns3_modules} Boost::headers PRIVATE nlohmann_json::nlohmann_json)
target_compile_options(ai-fabric PRIVATE -Wall -Wextra)
# Calls within the library go straight to their target, as they would in a program.
include(CheckCXXCompilerFlag)
check_cxx_compiler_flag(-fno-semantic-interposition fabric_no_interposition)
if(fabric_no_interposition)
  target_compile_options(ai-fabric PRIVATE -fno-semantic-interposition)
  target_link_options(ai-fabric PRIVATE LINKER:-Bsymbolic-functions)
endif()
# A program that names types only in strings must still load the library; g++ of Debian would drop it.
target_link_options(ai-fabric INTERFACE LINKER:--no-as-needed)
# Part of ns-3's ABI: UdpClient has a member that depends on it, and Debian builds with logs.
target_compile_definitions(
  ai-fabric PUBLIC NS3_LOG_ENABLE $<$<CONFIG:Debug>:NS3_ASSERT_ENABLE>
)

# Each file of examples/ is one program.
file(GLOB program_sources CONFIGURE_DEPENDS examples/*.cc)
foreach(source ${program_sources})
  get_filename_component(name ${source} NAME_WE)
  add_executable(${name} ${source})
  target_link_libraries(${name} PRIVATE ai-fabric)
  target_compile_options(${name} PRIVATE -Wall -Wextra)
endforeach()

include(cmake/tests.cmake)
include(cmake/benches.cmake)
