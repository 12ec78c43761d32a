"""A C header that is also its source, with what builds and tests it."""

from string import Template

from magicert.compact.emit.harness.c import BODY
from magicert.compact.emit.languages.c import C
from magicert.compact.emit.packages.parts import Files, Parcel

MANIFEST = """cmake_minimum_required(VERSION 3.14)
project($identifier VERSION $version LANGUAGES C)

add_library($identifier INTERFACE)
target_include_directories($identifier INTERFACE $${CMAKE_CURRENT_SOURCE_DIR})

enable_testing()
add_executable(all_lookups EXCLUDE_FROM_ALL test/all_lookups.c)
add_test(NAME all_lookups COMMAND all_lookups)
"""

MAKEFILE = """CFLAGS ?= -O2 -std=c99 -Wall -Wextra -Werror

test: test/all_lookups
	./test/all_lookups

bench: bench/lookups
	./bench/lookups

test/all_lookups bench/lookups: %: %.c $identifier.h
	$$(CC) $$(CFLAGS) $$< -o $$@

clean:
	rm -f test/all_lookups bench/lookups

.PHONY: test bench clean
"""

HOW = """
One C file of the program makes the tables; all others only include the header:

    #define ${IDENTIFIER}_IMPLEMENTATION
    #include "$identifier.h"

Once, before the first lookup: `${identifier}_init();`. Then:

    uint64_t attacks = ${identifier}_rook_attacks(square, occupied);

`make test` looks up every occupancy of every square, `make bench` measures nanoseconds.
"""

TEST = (
    """/* Every occupancy of every mask, and squares outside of it, against a walk along the rays */

#define ${IDENTIFIER}_IMPLEMENTATION
#include "../$identifier.h"
#include <stdio.h>

#define rook_attacks ${identifier}_rook_attacks
#define bishop_attacks ${identifier}_bishop_attacks
#define CHECK_INIT ${identifier}_init
"""
    + BODY
)

BENCH = """/* Nanoseconds a lookup: random squares and occupancies, the best of five turns. */

#define ${IDENTIFIER}_IMPLEMENTATION
#include "../$identifier.h"
#include <stdio.h>
#include <time.h>

enum { PAIRS = 1 << 16, TIMES = 16 };
static unsigned squares[PAIRS];
static uint64_t occupancies[PAIRS];

static uint64_t random_word(void) {
    static uint64_t state = 88172645463325252u;
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

int main(void) {
    double best = 1e9;
    uint64_t sum = 0;
    ${identifier}_init();
    for (int n = 0; n < PAIRS; n++) {
        squares[n] = (unsigned)(random_word() & 63);
        occupancies[n] = random_word() & random_word();
    }
    for (int turn = 0; turn < 5; turn++) {
        clock_t started = clock();
        double seconds;
        for (int n = 0; n < TIMES * PAIRS; n++) {
            unsigned square = squares[n & (PAIRS - 1)];
            uint64_t occ = occupancies[n & (PAIRS - 1)];
            sum += ${identifier}_rook_attacks(square, occ);
            sum += ${identifier}_bishop_attacks(square, occ);
        }
        seconds = (double)(clock() - started) / CLOCKS_PER_SEC;
        if (seconds < best) best = seconds;
    }
    printf("%.2f ns a lookup (%llx)\\n", best * 1e9 / (2.0 * TIMES * PAIRS),
        (unsigned long long)sum);
    return 0;
}
"""


def header(parcel: Parcel) -> Files:
    """The files of a header."""
    name = parcel.identifier
    words = {"identifier": name, "IDENTIFIER": name.upper(), "version": parcel.version}
    texts = {
        "CMakeLists.txt": MANIFEST,
        "Makefile": MAKEFILE,
        "test/all_lookups.c": TEST,
        "bench/lookups.c": BENCH,
    }
    return {
        **{path: Template(text).substitute(words) for path, text in texts.items()},
        f"{name}.h": C(f"{name}_", name).emit(parcel.unit, parcel.literal),
        **parcel.common(Template(HOW).substitute(words)),
    }
