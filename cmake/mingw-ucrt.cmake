# Builds for 64-bit Windows with MinGW-w64 and the Universal C Runtime, which Wireshark's own programs use: memory,
# files and jmp_buf are then the same for both. Used by script/windows; the variable MINGW of its environment names another
# compiler, to try the sources with.
set(CMAKE_SYSTEM_NAME Windows)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
set(triplet x86_64-w64-mingw32ucrt)
if(DEFINED ENV{MINGW})
  set(triplet $ENV{MINGW})
  set(CMAKE_C_FLAGS_INIT -D__USE_MINGW_ANSI_STDIO) # printf as in C99, also of the older C library of Windows
endif()
set(CMAKE_C_COMPILER ${triplet}-gcc)
set(CMAKE_CXX_COMPILER ${triplet}-g++)
set(CMAKE_RC_COMPILER ${triplet}-windres)
set(CMAKE_EXE_LINKER_FLAGS_INIT "-static -s") # no DLL of MinGW has to be beside what is built
set(CMAKE_MODULE_LINKER_FLAGS_INIT "-static -s")
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
