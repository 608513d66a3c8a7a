# The report page: npm installs d3 and Observable Plot by name, as pinned in report/package-lock.json,
# into the build tree; report/assemble.mjs makes head.html and tail.html of them and of our own
# sources; report/embed.c takes both into the program. Without npm, or where it can fetch nothing, the
# program has no page and says so (AUTO), or the build is refused (ON). A release archive brings both parts in
# report/built/ and needs neither npm nor node.
set(WEFT_REPORT AUTO CACHE STRING "Build the report page: ON, OFF, or AUTO (if npm is found)")
set_property(CACHE WEFT_REPORT PROPERTY STRINGS AUTO ON OFF)
set(report_source ${PROJECT_SOURCE_DIR}/report)
set(report_folder ${PROJECT_BINARY_DIR}/report)

# weft_report_install(RESULT): once for each change of the lock file.
function(weft_report_install result)
    set(${result} OFF PARENT_SCOPE)
    find_program(NPM npm)
    find_program(NODE NAMES node nodejs)
    if(NOT NPM OR NOT NODE)
        set(why "npm and node are not found (Debian: npm nodejs); a release archive does without")
    else()
        file(SHA256 ${report_source}/package-lock.json lock)
        set(stamp ${report_folder}/installed-${lock})
        set(status 0)
        if(NOT EXISTS ${stamp})
            message(STATUS "Installing the report page's libraries")
            file(REMOVE_RECURSE ${report_folder})
            file(COPY ${report_source}/package.json ${report_source}/package-lock.json
                DESTINATION ${report_folder})
            execute_process(
                COMMAND ${NPM} ci --ignore-scripts --no-audit --no-fund --prefer-offline --fetch-retries=1
                WORKING_DIRECTORY ${report_folder} TIMEOUT 300
                RESULT_VARIABLE status OUTPUT_VARIABLE log ERROR_VARIABLE log)
        endif()
        if(status EQUAL 0)
            file(TOUCH ${stamp})
            set(${result} ON PARENT_SCOPE)
            return()
        endif()
        set(why "npm could not install its libraries:\n${log}")
    endif()
    if(WEFT_REPORT STREQUAL "ON")
        message(FATAL_ERROR "WEFT_REPORT is ON, but ${why}")
    endif()
    message(STATUS "No report page: ${why}")
endfunction()

# A library, not loose objects: generators place those differently in the program.
add_library(report_page STATIC ${report_source}/embed.c)
target_include_directories(report_page PRIVATE ${PROJECT_SOURCE_DIR}/src)
weft_compile_options(report_page)
target_link_libraries(weft PRIVATE report_page)

set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${report_source}/package-lock.json)
set(WEFT_REPORT_PAGE OFF)
set(WEFT_PAGE_FOLDER ${report_folder})
if(WEFT_REPORT STREQUAL "OFF")
    message(STATUS "No report page: WEFT_REPORT is OFF")
elseif(EXISTS ${report_source}/built/head.html) # a release archive brings the page
    set(WEFT_REPORT_PAGE ON)
    set(WEFT_PAGE_FOLDER ${report_source}/built)
else()
    weft_report_install(WEFT_REPORT_PAGE)
endif()
if(WEFT_REPORT_PAGE)
    set_property(SOURCE ${report_source}/embed.c APPEND PROPERTY COMPILE_DEFINITIONS
        WEFT_PAGE_FOLDER="${WEFT_PAGE_FOLDER}")
    set_property(SOURCE ${report_source}/embed.c APPEND PROPERTY OBJECT_DEPENDS
        "${WEFT_PAGE_FOLDER}/head.html;${WEFT_PAGE_FOLDER}/tail.html")
endif()
if(WEFT_REPORT_PAGE AND "${WEFT_PAGE_FOLDER}" STREQUAL "${report_folder}")
    file(GLOB report_files CONFIGURE_DEPENDS ${report_source}/js/*.js ${report_source}/*.css
        ${report_source}/*.html ${report_source}/*.mjs)
    add_custom_command(OUTPUT ${report_folder}/head.html ${report_folder}/tail.html
        COMMAND ${NODE} ${report_source}/assemble.mjs ${report_folder}
        DEPENDS ${report_files} ${report_source}/package-lock.json
        COMMENT "Assembling the report page" VERBATIM)
endif()
