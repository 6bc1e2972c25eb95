# The two JavaScript libraries of the report pages, compressed, in the build folder: plotly.js (plots) and the viewer of meshcat
# (three.js and more, the 3-D replay). Both are files of Python wheels: in .deps, or wherever TREAD_PLOTLY_JS and TREAD_MESHCAT_JS
# say. Without them everything is built, and report pages are refused with a message.
file(GLOB site_packages ${PROJECT_SOURCE_DIR}/.deps/lib/python3*/site-packages)
find_file(TREAD_PLOTLY_JS plotly.min.js HINTS ${site_packages}/plotly/package_data NO_DEFAULT_PATH
          DOC "plotly.min.js of the wheel plotly")
find_file(TREAD_MESHCAT_JS main.min.js HINTS ${site_packages}/meshcat/viewer/dist NO_DEFAULT_PATH
          DOC "main.min.js of the wheel meshcat")

set(TREAD_REPORT_LIBRARIES ${PROJECT_BINARY_DIR}/report)
file(MAKE_DIRECTORY ${TREAD_REPORT_LIBRARIES})
foreach(library IN ITEMS plotly meshcat)
  string(TOUPPER TREAD_${library}_JS source)
  set(packed ${TREAD_REPORT_LIBRARIES}/${library}.js.gz)
  if(TREAD_PLOTLY_JS AND TREAD_MESHCAT_JS)
    file(SHA256 "${${source}}" digest)
    if(NOT EXISTS ${packed} OR NOT "${TREAD_PACKED_${library}}" STREQUAL digest)
      file(ARCHIVE_CREATE OUTPUT ${packed} PATHS "${${source}}" FORMAT raw COMPRESSION GZip COMPRESSION_LEVEL 9)
      set(TREAD_PACKED_${library} ${digest} CACHE INTERNAL "what ${library}.js.gz was made from")
    endif()
  else()
    file(WRITE ${packed} "")
    unset(TREAD_PACKED_${library} CACHE)
  endif()
endforeach()
if(NOT TREAD_PLOTLY_JS OR NOT TREAD_MESHCAT_JS)
  message(STATUS "report pages: plotly.min.js or meshcat's main.min.js not found (TREAD_PLOTLY_JS, TREAD_MESHCAT_JS); built without")
endif()
