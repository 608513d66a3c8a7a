# The MPI modules: src/kernel/exchange_mpi.c, once for each MPI that is installed, as
# interweft-mpi-<name>.so beside the program. Nothing links them; src/kernel/comm.c loads one under a
# launcher. Sanitizers and a library loaded late do not go together, so AUTO builds none there.
set_property(SOURCE src/kernel/comm.c APPEND PROPERTY COMPILE_DEFINITIONS
    WEFT_MODULE_FOLDER="${CMAKE_INSTALL_FULL_LIBDIR}/interweft")
if(CMAKE_LIBRARY_ARCHITECTURE)
    set_property(SOURCE src/kernel/comm.c APPEND PROPERTY COMPILE_DEFINITIONS
        WEFT_MULTIARCH="${CMAKE_LIBRARY_ARCHITECTURE}")
endif()

file(WRITE ${PROJECT_BINARY_DIR}/mpi.map "{ global: weft_mpi_module; local: *; };\n")

# weft_mpi_module(NAME PACKAGE): PACKAGE is what pkg-config calls this MPI.
function(weft_mpi_module name package)
    pkg_check_modules(MPI_${name} QUIET IMPORTED_TARGET ${package})
    if(NOT MPI_${name}_FOUND)
        return()
    endif()
    add_library(mpi_${name} MODULE src/kernel/exchange_mpi.c src/base/digits.c src/base/memory.c src/base/status.c src/base/utf8.c)
    target_include_directories(mpi_${name} PRIVATE include src)
    target_compile_definitions(mpi_${name} PRIVATE WEFT_MPI_NAME="${name}")
    target_link_libraries(mpi_${name} PRIVATE PkgConfig::MPI_${name})
    target_link_options(mpi_${name} PRIVATE -Wl,--as-needed -Wl,--no-undefined
        -Wl,--version-script=${PROJECT_BINARY_DIR}/mpi.map)
    set_target_properties(mpi_${name} PROPERTIES PREFIX "" OUTPUT_NAME interweft-mpi-${name}
        LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
    weft_compile_options(mpi_${name})
    install(TARGETS mpi_${name} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/interweft)
endfunction()

if(WEFT_MPI STREQUAL "ON" OR (WEFT_MPI STREQUAL "AUTO" AND NOT WEFT_SANITIZE))
    weft_mpi_module(openmpi ompi-c)
    weft_mpi_module(mpich mpich)
    if(WEFT_MPI STREQUAL "ON" AND NOT TARGET mpi_openmpi AND NOT TARGET mpi_mpich)
        message(FATAL_ERROR "WEFT_MPI is ON, but pkg-config finds neither ompi-c (libopenmpi-dev) "
            "nor mpich (libmpich-dev)")
    endif()
endif()
if(NOT TARGET mpi_openmpi AND NOT TARGET mpi_mpich)
    message(STATUS "Without MPI (Debian: libopenmpi-dev or libmpich-dev): one process, with its threads")
endif()
