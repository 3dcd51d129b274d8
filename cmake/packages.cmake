# `cpack -G DEB`, `cpack -G RPM` or `cpack -G TGZ` in the build directory. A package is for the series of
# Wireshark that it was built against, which is in its revision and, on Debian, in its dependencies.
foreach(variable WIRESHARK_SERIES PACKAGE)
  get_directory_property(${variable} DIRECTORY "${PROJECT_SOURCE_DIR}/plugin" DEFINITION ${variable})
endforeach()

# The project has no mail address: the contact of a package is the person who makes it, from the variables of
# Debian's tools, or the repository of the workflow. Otherwise, it is an address in a reserved domain.
if(NOT "$ENV{DEBEMAIL}" STREQUAL "")
  set(contact "$ENV{DEBFULLNAME} <$ENV{DEBEMAIL}>")
elseif(NOT "$ENV{GITHUB_REPOSITORY}" STREQUAL "")
  set(contact "$ENV{GITHUB_REPOSITORY} <$ENV{GITHUB_REPOSITORY_OWNER}@users.noreply.github.com>")
  set(CPACK_PACKAGE_HOMEPAGE_URL "$ENV{GITHUB_SERVER_URL}/$ENV{GITHUB_REPOSITORY}")
else()
  set(contact "Whoever built this package <no-address-was-given@example.org>")
endif()
set(PACKAGE_CONTACT "${contact}" CACHE STRING "Who makes the packages: Name <address>")

# What Debian requires in every package, and the manual page.
set(documents "${PROJECT_BINARY_DIR}/documents")
configure_file("${PROJECT_SOURCE_DIR}/packaging/copyright" "${documents}/copyright" COPYONLY)
configure_file("${PROJECT_SOURCE_DIR}/packaging/changelog" "${documents}/changelog.Debian" @ONLY)
configure_file("${PROJECT_SOURCE_DIR}/docs/variant-cat.1" "${documents}/variant-cat.1" COPYONLY)
find_program(GZIP gzip)
foreach(document variant-cat.1 changelog.Debian)
  if(GZIP)
    execute_process(COMMAND "${GZIP}" -9nf "${documents}/${document}")
  endif()
endforeach()

set(CPACK_PACKAGE_NAME ${PACKAGE})
set(CPACK_PACKAGE_VERSION "${PROJECT_VERSION}")
set(CPACK_PACKAGE_VENDOR "godot-wireshark")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Wireshark plugin for games made with Godot, and for ENet")
set(CPACK_PACKAGE_DESCRIPTION "Dissects what the Godot engine puts on the network: ENet, the remote procedure
calls, spawning and synchronization of the multiplayer API, Variants, and the
remote debugger. It is for Wireshark ${WIRESHARK_SERIES}. The program variant-cat prints
binary Variants without Wireshark.")
if(ENET_ONLY)
  set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Wireshark plugin for ENet")
  set(CPACK_PACKAGE_DESCRIPTION "Dissects ENet, a protocol of many games over UDP: commands, fragments,
compression, acknowledgements, losses. It is for Wireshark ${WIRESHARK_SERIES}.
wireshark-plugin-godot has it, too.")
endif()
set(CPACK_PACKAGE_CONTACT "${PACKAGE_CONTACT}")
set(CPACK_RESOURCE_FILE_LICENSE "${PROJECT_SOURCE_DIR}/LICENSE")
set(CPACK_SET_DESTDIR ON) # the global plugin directory need not be below the prefix
set(CPACK_INSTALL_PREFIX "/usr")
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE "${WIRESHARK_SERIES}")
set(CPACK_DEBIAN_PACKAGE_SECTION net)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "wireshark | tshark")
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_RPM_FILE_NAME RPM-DEFAULT)
set(CPACK_RPM_PACKAGE_RELEASE "${WIRESHARK_SERIES}")
set(CPACK_RPM_PACKAGE_LICENSE "GPL-2.0-or-later")
set(CPACK_RPM_PACKAGE_DESCRIPTION "${CPACK_PACKAGE_DESCRIPTION}")
set(CPACK_RPM_EXCLUDE_FROM_AUTO_FILELIST_ADDITION /usr/share/man /usr/share/man/man1) # also of other packages
set(CPACK_PROJECT_CONFIG_FILE "${PROJECT_SOURCE_DIR}/cmake/package-tools.cmake")
if(NOT CPACK_GENERATOR)
  set(CPACK_GENERATOR TGZ)
endif()
include(CPack)
