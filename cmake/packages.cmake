# `cpack -G DEB`, `cpack -G RPM` or `cpack -G TGZ` in the build directory. A package is for the series of Wireshark it was
# built against: its revision and, on Debian, its dependencies say so.
get_directory_property(series DIRECTORY "${PROJECT_SOURCE_DIR}/plugin" DEFINITION WIRESHARK_SERIES)
set(PACKAGE_CONTACT "The authors of godot-wireshark <godot-wireshark@example.org>" CACHE STRING "Who makes the packages")
set(CPACK_PACKAGE_NAME wireshark-plugin-godot)
set(CPACK_PACKAGE_VERSION "${PROJECT_VERSION}")
set(CPACK_PACKAGE_VENDOR "godot-wireshark")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Wireshark plugin for games made with Godot, and for ENet")
set(CPACK_PACKAGE_DESCRIPTION "Dissects what the Godot engine puts on the network: ENet, the remote procedure
calls, spawning and synchronization of the multiplayer API, Variants, and the
remote debugger. It is for Wireshark ${series}. The program variant-cat prints
binary Variants without Wireshark.")
set(CPACK_PACKAGE_CONTACT "${PACKAGE_CONTACT}")
set(CPACK_RESOURCE_FILE_LICENSE "${PROJECT_SOURCE_DIR}/LICENSE")
set(CPACK_SET_DESTDIR ON) # the global plugin directory need not be below the prefix
set(CPACK_INSTALL_PREFIX "/usr")
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE "${series}")
set(CPACK_DEBIAN_PACKAGE_SECTION net)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_RPM_FILE_NAME RPM-DEFAULT)
set(CPACK_RPM_PACKAGE_RELEASE "${series}")
set(CPACK_RPM_PACKAGE_LICENSE "GPL-2.0-or-later")
if(NOT CPACK_GENERATOR)
  set(CPACK_GENERATOR TGZ)
endif()
include(CPack)
