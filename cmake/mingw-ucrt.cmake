# Builds for 64-bit Windows with MinGW-w64 and the Universal C Runtime, which Wireshark's own programs use, so
# that both have the same memory, files and jmp_buf. Used by script/windows; the environment variable MINGW
# selects another compiler.
set(CMAKE_SYSTEM_NAME Windows)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
set(triplet x86_64-w64-mingw32ucrt)
if(DEFINED ENV{MINGW})
  set(triplet $ENV{MINGW})
  set(CMAKE_C_FLAGS_INIT -D__USE_MINGW_ANSI_STDIO) # printf as in C99, also with the older C library of Windows
endif()
set(CMAKE_C_COMPILER ${triplet}-gcc)
set(CMAKE_CXX_COMPILER ${triplet}-g++)
set(CMAKE_RC_COMPILER ${triplet}-windres)
set(CMAKE_EXE_LINKER_FLAGS_INIT "-static -s") # so that the modules need no DLL of MinGW
set(CMAKE_MODULE_LINKER_FLAGS_INIT "-static -s")
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
