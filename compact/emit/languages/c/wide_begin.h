
#ifndef __SIZEOF_INT128__
#error "$filename needs unsigned __int128: expected GCC or Clang, for a 64-bit machine"
#endif
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"
