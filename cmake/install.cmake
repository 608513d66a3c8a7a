# What is installed: the program, the library (shared and static), its headers, how to find it, studies and
# examples. `uninstall` removes it again.
add_library(interweft_shared SHARED $<TARGET_OBJECTS:interweft>)
target_link_libraries(interweft_shared PRIVATE ${WEFT_LIBRARIES})
target_link_options(interweft_shared PRIVATE -Wl,--version-script=${PROJECT_SOURCE_DIR}/cmake/interweft.map)
if(NOT WEFT_SANITIZE)
    target_link_options(interweft_shared PRIVATE -Wl,--no-undefined)
endif()
set_target_properties(interweft_shared PROPERTIES OUTPUT_NAME interweft VERSION ${PROJECT_VERSION} SOVERSION 0
    LINK_DEPENDS ${PROJECT_SOURCE_DIR}/cmake/interweft.map)
weft_compile_options(interweft_shared)

# What a program with the static library links besides.
set(private ${OpenMP_C_FLAGS} -ldl -lm)
if(WEFT_HAS_METIS)
    list(PREPEND private -lmetis)
endif()
if(WEFT_HAS_KLU)
    list(PREPEND private -lklu)
endif()
string(REPLACE ";" " " WEFT_PC_PRIVATE "${private}")
string(REPLACE ";" " " WEFT_CONFIG_PRIVATE "${private}")
# From where interweft.pc lies: `cmake --install --prefix` may say another place than was configured. Not under /usr, where
# compilers look by themselves and pkg-config leaves out what they know.
if(CMAKE_INSTALL_PREFIX STREQUAL "/usr" OR IS_ABSOLUTE "${CMAKE_INSTALL_LIBDIR}" OR IS_ABSOLUTE "${CMAKE_INSTALL_INCLUDEDIR}")
    set(WEFT_PC_PREFIX "${CMAKE_INSTALL_PREFIX}")
    set(WEFT_PC_LIBDIR "${CMAKE_INSTALL_FULL_LIBDIR}")
    set(WEFT_PC_INCLUDEDIR "${CMAKE_INSTALL_FULL_INCLUDEDIR}")
else()
    file(RELATIVE_PATH up "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
    string(REGEX REPLACE "/$" "" up "${up}")
    set(WEFT_PC_PREFIX "\${pcfiledir}/${up}")
    set(WEFT_PC_LIBDIR "\${prefix}/${CMAKE_INSTALL_LIBDIR}")
    set(WEFT_PC_INCLUDEDIR "\${prefix}/${CMAKE_INSTALL_INCLUDEDIR}")
endif()
configure_file(cmake/interweft.pc.in interweft.pc @ONLY)
include(CMakePackageConfigHelpers)
configure_package_config_file(cmake/interweft-config.cmake.in interweft-config.cmake
    INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/interweft
    PATH_VARS CMAKE_INSTALL_LIBDIR CMAKE_INSTALL_INCLUDEDIR)
write_basic_package_version_file(interweft-config-version.cmake COMPATIBILITY SameMinorVersion)

# Manual pages and completions, as the program writes them.
add_custom_command(OUTPUT ${PROJECT_BINARY_DIR}/pages/stamp
    COMMAND ${CMAKE_COMMAND} -E env ASAN_OPTIONS=detect_leaks=0
        ${CMAKE_COMMAND} -D "WEFT=${CMAKE_CROSSCOMPILING_EMULATOR};$<TARGET_FILE:weft>" -D FOLDER=${PROJECT_BINARY_DIR}/pages
        -P ${PROJECT_SOURCE_DIR}/cmake/pages.cmake
    DEPENDS weft cmake/pages.cmake COMMENT "Writing manual pages and completions" VERBATIM)
add_custom_target(pages ALL DEPENDS ${PROJECT_BINARY_DIR}/pages/stamp)
install(DIRECTORY ${PROJECT_BINARY_DIR}/pages/man/ DESTINATION ${CMAKE_INSTALL_MANDIR})
install(FILES ${PROJECT_BINARY_DIR}/pages/bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
    RENAME weft)
install(FILES ${PROJECT_BINARY_DIR}/pages/zsh DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions RENAME _weft)
install(FILES ${PROJECT_BINARY_DIR}/pages/fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d
    RENAME weft.fish)

install(TARGETS weft interweft interweft_shared)
install(DIRECTORY include/interweft DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY studies examples DESTINATION ${CMAKE_INSTALL_DATADIR}/interweft
        USE_SOURCE_PERMISSIONS)
set(WEFT_PYTHON_DIR ${CMAKE_INSTALL_DATADIR}/interweft/python CACHE STRING
    "Where the Python package goes; python3 finds it there by PYTHONPATH")
install(DIRECTORY python/interweft DESTINATION ${WEFT_PYTHON_DIR} PATTERN __pycache__ EXCLUDE)
install(FILES ${PROJECT_BINARY_DIR}/interweft.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
install(FILES ${PROJECT_BINARY_DIR}/interweft-config.cmake ${PROJECT_BINARY_DIR}/interweft-config-version.cmake
    DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/interweft)
add_custom_target(uninstall
    COMMAND ${CMAKE_COMMAND} -D MANIFEST=${PROJECT_BINARY_DIR}/install_manifest.txt
        -P ${PROJECT_SOURCE_DIR}/cmake/uninstall.cmake
    VERBATIM)
