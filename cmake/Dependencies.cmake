# Where the libraries come from, and one find_package for each.
#
#   TREAD_DEPS=local    the wheels and OSQP that ./tread put into .deps (default if .deps is there)
#   TREAD_DEPS=system   whatever CMAKE_PREFIX_PATH, conda or ROS offers
file(GLOB local_prefix ${PROJECT_SOURCE_DIR}/.deps/lib/python3*/site-packages/cmeel.prefix)
if(local_prefix)
  set(TREAD_DEPS local CACHE STRING "local (.deps) or system (CMAKE_PREFIX_PATH)")
else()
  set(TREAD_DEPS system CACHE STRING "local (.deps) or system (CMAKE_PREFIX_PATH)")
endif()
if(TREAD_DEPS STREQUAL "local")
  if(NOT local_prefix)
    message(FATAL_ERROR "TREAD_DEPS=local, but .deps is not there: ./tread makes it, or set TREAD_DEPS=system.")
  endif()
  # before everything else: a process must not mix the wheels' Boost, urdfdom or assimp with others
  list(PREPEND CMAKE_PREFIX_PATH ${local_prefix} ${PROJECT_SOURCE_DIR}/.deps/osqp)
  set(CMAKE_INSTALL_RPATH ${local_prefix}/lib)  # CMake leaves folders inside the source tree out of the next line
endif()
set(CMAKE_INSTALL_RPATH_USE_LINK_PATH ON)
set(TREAD_PREFIXES "${CMAKE_PREFIX_PATH}")  # repeated in the installed package
set(THREADS_PREFER_PTHREAD_FLAG ON)

# the wheels' own package files: a Boost newer than CMake, and coal under its former name
set(Boost_NO_WARN_NEW_VERSIONS ON)
set(COAL_DISABLE_HPP_FCL_WARNINGS ON)

# needed by the programs
find_package(Threads REQUIRED)
find_package(Eigen3 3.4 REQUIRED NO_MODULE)
find_package(pinocchio REQUIRED)
find_package(coal REQUIRED)
find_package(example-robot-data REQUIRED)
find_package(osqp REQUIRED)
find_package(proxsuite REQUIRED)
find_package(yaml-cpp REQUIRED)
find_package(CLI11 REQUIRED)
find_package(spdlog REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(NLopt REQUIRED)
find_package(SQLite3 REQUIRED)

# needed by tests and benchmarks only; one that a library comes to use moves up, and into treadConfig.cmake.in
if(BUILD_TESTING)
  find_package(crocoddyl REQUIRED)
  find_package(GTest REQUIRED)
  find_package(benchmark REQUIRED)
endif()

# The folder of robot models, which example-robot-data states as a compile definition of its target.
get_target_property(definitions example-robot-data::example-robot-data INTERFACE_COMPILE_DEFINITIONS)
string(REGEX MATCH "EXAMPLE_ROBOT_DATA_MODEL_DIR=\\\\*\"([^\"\\]*)" found "${definitions}")
set(TREAD_ROBOT_DATA_DIR "${CMAKE_MATCH_1}")
if(NOT IS_DIRECTORY "${TREAD_ROBOT_DATA_DIR}")
  message(FATAL_ERROR "example-robot-data does not say where its models are (found '${definitions}').")
endif()
