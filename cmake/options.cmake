# Compilers and flags, in one place. -ffp-contract=off and no -ffast-math: contract 1.
set(WEFT_TESTS AUTO CACHE STRING "Build the tests: ON, OFF, or AUTO (if cmocka is found)")
set_property(CACHE WEFT_TESTS PROPERTY STRINGS AUTO ON OFF)
option(WEFT_BENCH "Build the benchmarks" ON)
option(WEFT_WERROR "Warnings are errors" OFF)
option(WEFT_FUZZ "Build the fuzz targets with libFuzzer (clang)" OFF)
set(WEFT_MPI AUTO CACHE STRING "Build the MPI modules: ON, OFF, or AUTO (if an MPI is found)")
set_property(CACHE WEFT_MPI PROPERTY STRINGS AUTO ON OFF)
set(WEFT_SANITIZE "" CACHE STRING "Sanitizers, e.g. address,undefined")
set(WEFT_MARCH "" CACHE STRING "-march, for the determinism suite only")

if(NOT CMAKE_BUILD_TYPE)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()
set(CMAKE_C_STANDARD 17)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_C_VISIBILITY_PRESET hidden)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_C_FLAGS_RELEASE "-O2 -DNDEBUG")

# clang 19 counts the constants of an enum as another type than int, also where they are just numbers, and warns where one
# meets a double.
function(weft_compile_options target)
    target_compile_definitions(${target} PRIVATE _GNU_SOURCE)
    target_compile_options(${target} PRIVATE -ffp-contract=off -Wall -Wextra -Wpedantic
        -Wconversion -Wshadow -Wmissing-prototypes -Wstrict-prototypes
        $<$<C_COMPILER_ID:Clang>:-Wmissing-variable-declarations> $<$<C_COMPILER_ID:Clang>:-Wno-enum-float-conversion>
        $<$<BOOL:${WEFT_WERROR}>:-Werror>)
    # Debug information without the folder of the build: the same bytes wherever it is (tests/long/test_reproducible.sh).
    # Release has no paths at all, and Debug is for a debugger here.
    target_compile_options(${target} PRIVATE $<$<CONFIG:RelWithDebInfo,MinSizeRel>:-ffile-prefix-map=${PROJECT_SOURCE_DIR}=.>
        $<$<CONFIG:RelWithDebInfo,MinSizeRel>:-ffile-prefix-map=${PROJECT_BINARY_DIR}=./build>)
    if(WEFT_MARCH)
        target_compile_options(${target} PRIVATE -march=${WEFT_MARCH})
    endif()
    if(WEFT_SANITIZE)
        # What is inlined for speed alone is not: the routers that are compiled for their layout take minutes otherwise.
        target_compile_options(${target} PRIVATE -fsanitize=${WEFT_SANITIZE}
            -fno-sanitize-recover=all -fno-omit-frame-pointer -Dalways_inline=unused)
        target_link_options(${target} PRIVATE -fsanitize=${WEFT_SANITIZE})
    endif()
endfunction()
