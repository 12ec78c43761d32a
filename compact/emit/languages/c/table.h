$heading

#ifndef ${SCOPE}_H
#define ${SCOPE}_H

#include <stdint.h>
%% if wide
%% include wide_begin.h
%% end

#ifdef __cplusplus
extern "C" {
#endif
%% include helpers.h
%% for pieces

struct ${scope}${piece}_magic { $fields };
extern const struct ${scope}${piece}_magic ${scope}${piece}[$squares];
%% end

%% for buffers
%% if literal
extern const $kind $array[$length];
%% else
extern $kind $array[$length];
%% end
%% end

void ${scope}init(void);
%% for lookups

static inline $bitboard $called(unsigned square$occ_parameter) {
    return $expression;
}
%% end

#ifdef __cplusplus
}
#endif
%% if wide

#pragma GCC diagnostic pop
%% end

#endif

#ifdef ${SCOPE}_IMPLEMENTATION
#undef ${SCOPE}_IMPLEMENTATION
%% if wide
%% include wide_begin.h
%% end
%% for pieces

const struct ${scope}${piece}_magic ${scope}${piece}[$squares] = {
$rows
};
%% end
%% for buffers

%% if literal
const $kind $array[$length] = {
$items
};
%% else
$kind $array[$length];
%% end
%% end
%% if literal

void ${scope}init(void) {}
%% else

#include <stdio.h>
#include <stdlib.h>

static void ${own}check(int right) {
    if (right) return;
    fputs("$filename: a write would change an entry of the buffer\n", stderr);
    abort();
}

%% include walk.h

void ${scope}init(void) {
    %% include fill.h
}
%% end
%% if wide

#pragma GCC diagnostic pop
%% end

#endif
