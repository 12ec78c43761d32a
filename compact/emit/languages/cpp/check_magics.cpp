$heading
//
// Compile it with the engine's own files; -DCHECK_INIT=name calls what makes the tables, first:
//     c++ -DCHECK_INIT=init_magics check_magics.cpp magics.cpp -o check_magics && ./check_magics

#include <cstdint>
#include <cstdio>

using std::printf;
using std::uint64_t;

// The engine's two lookups. If yours have other names or types, write these two as wrappers.
uint64_t rook_attacks(unsigned square, uint64_t occupied);
uint64_t bishop_attacks(unsigned square, uint64_t occupied);
#ifdef CHECK_INIT
void CHECK_INIT();
#endif

%% include ../c/all_lookups.c
