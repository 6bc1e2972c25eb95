# How our own code is compiled. Third-party headers come through imported targets, which CMake
# treats as system headers, so none of the warnings below concern them.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Release, RelWithDebInfo or Debug" FORCE)
endif()

# No -march and no -mavx: the wheels are built with 16-byte alignment of Eigen's fixed-size types,
# and code that disagrees corrupts the heap. A kernel that wants AVX2 is a source file of its own,
# without Eigen types in its interface.
set(CMAKE_CXX_FLAGS_RELEASE "-O3 -DNDEBUG")
set(CMAKE_CXX_FLAGS_RELWITHDEBINFO "-O2 -g")  # asserts stay on
foreach(flags IN ITEMS "${CMAKE_CXX_FLAGS}" "$ENV{CXXFLAGS}")
  if(flags MATCHES "-march=|-mavx")
    message(FATAL_ERROR "tread cannot be compiled with '${flags}': -march and -mavx change Eigen's "
                        "alignment, and the libraries it links to are built without them.")
  endif()
endforeach()

option(TREAD_WERROR "Warnings are errors" ON)
add_compile_options(-Wall -Wextra -Wno-restrict -Wshadow -Wconversion)
if(TREAD_WERROR)
  add_compile_options(-Werror)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # g++ guesses these from data flow; from version to version it finds others inside inlined Eigen code.
    add_compile_options(-Wno-error=maybe-uninitialized -Wno-error=array-bounds
                        -Wno-error=stringop-overflow -Wno-error=stringop-overread)
  endif()
endif()

# Address and undefined-behaviour sanitizers: the preset `asan`.
option(TREAD_SANITIZE "Compile with ASan and UBSan" OFF)
if(TREAD_SANITIZE)
  add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined)
  # Eigen would align by hand under ASan, and free wrongly what the libraries, compiled without, have allocated.
  add_compile_definitions(EIGEN_MALLOC_ALREADY_ALIGNED=1)
endif()

find_program(CCACHE ccache)
if(CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_C_COMPILER_LAUNCHER ${CCACHE})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE})
endif()
