# cmake --build … --target dist: a release archive of the files that git knows, with the built report page, so
# that building it needs neither node nor a network.
find_program(GIT git)
if(GIT AND EXISTS ${PROJECT_SOURCE_DIR}/.git)
    if(WEFT_REPORT_PAGE)
        add_custom_target(dist
            COMMAND ${PROJECT_SOURCE_DIR}/tools/dist ${PROJECT_VERSION} ${WEFT_PAGE_FOLDER} ${PROJECT_BINARY_DIR}
            DEPENDS ${WEFT_PAGE_FOLDER}/head.html ${WEFT_PAGE_FOLDER}/tail.html
            USES_TERMINAL VERBATIM)
    else()
        add_custom_target(dist
            COMMAND ${CMAKE_COMMAND} -E echo "dist: a release holds the report page; install npm and nodejs first"
            COMMAND ${CMAKE_COMMAND} -E false)
    endif()
endif()

# cmake --build … --target sbom: what the build is made of, as SPDX 2.3, in sbom.spdx.json of the build folder.
find_program(WEFT_SBOM_PYTHON NAMES python3)
if(WEFT_SBOM_PYTHON)
    add_custom_target(sbom
        COMMAND ${WEFT_SBOM_PYTHON} ${PROJECT_SOURCE_DIR}/tools/sbom ${PROJECT_BINARY_DIR}
            ${PROJECT_BINARY_DIR}/sbom.spdx.json
        COMMAND ${CMAKE_COMMAND} -E echo "sbom: ${PROJECT_BINARY_DIR}/sbom.spdx.json"
        DEPENDS weft interweft_shared VERBATIM)
endif()
