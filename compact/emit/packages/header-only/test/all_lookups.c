/* Every occupancy of every mask, and squares outside of it, against a walk along the rays */

#define ${IDENTIFIER}_IMPLEMENTATION
#include "../$identifier.h"
#include <stdio.h>

#define rook_attacks ${identifier}_rook_attacks
#define bishop_attacks ${identifier}_bishop_attacks
#define CHECK_INIT ${identifier}_init

%% include ../../../languages/c/all_lookups.c
