# `cmake --install build --prefix P`, then in another project:
#   find_package(tread REQUIRED)
#   target_link_libraries(mine PRIVATE tread::sim)     # also tread::robots, experiments
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

foreach(part IN ITEMS robots sim control experiments)
  set_target_properties(tread_${part} PROPERTIES EXPORT_NAME ${part})
  target_compile_features(tread_${part} PUBLIC cxx_std_20)
  add_library(tread::${part} ALIAS tread_${part})
  install(TARGETS tread_${part} EXPORT tread ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/${part} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/tread
          FILES_MATCHING PATTERN "*.h" PATTERN cli EXCLUDE PATTERN benchmarks EXCLUDE)
endforeach()
install(TARGETS tread_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/tread)
install(EXPORT tread NAMESPACE tread:: FILE treadTargets.cmake DESTINATION ${package_folder})
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/treadConfig.cmake.in
  ${PROJECT_BINARY_DIR}/treadConfig.cmake INSTALL_DESTINATION ${package_folder})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/treadConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/treadConfig.cmake ${PROJECT_BINARY_DIR}/treadConfigVersion.cmake
        DESTINATION ${package_folder})
