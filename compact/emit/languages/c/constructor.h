$heading
//
// Usage: one C file of the program defines the functions,
//     #define ${SCOPE}_IMPLEMENTATION
//     #include "$filename"
// and all others only include the file. When the board is chosen, and whenever it changes:
//     if (!${scope}init(files, ranks)) ...     too large a board, or no memory
// Then, where bit files * rank + file of occupied stands for a square (a1 = 0):
//     ${scope}bitboard attacks = ${own}${first}_attacks(square, occupied);
// A piece that is known only at run time is a list of steps, made and looked up in the same way:
//     struct ${scope}step camel[] = {{${own}rider, 1, 3, 1}, {${own}rider, 3, 1, 1}};
//     struct ${scope}piece piece = {0};
//     if (!${scope}make(&piece, files, ranks, camel, 2)) ...
//     attacks = ${scope}attacks(&piece, square, occupied);
//     ${scope}discard(&piece);
// Nothing may be looked up while init, make or discard runs.

#ifndef ${SCOPE}_H
#define ${SCOPE}_H

#include <stdint.h>
%% if wide
%% include wide_begin.h
%% end

#ifdef __cplusplus
extern "C" {
#endif

typedef $bitboard ${scope}bitboard;

/* A rider goes on along its step up to the first blocker, which it attacks; a hopper does so behind
   the first blocker; `limit` squares at most, unless that is 0 (a leaper is a rider with limit 1). A
   lame piece makes its step unless a square on the way is occupied; lame_back: on the way from
   its target. x is files to the right, y ranks up. */
enum ${scope}rule { ${own}rider, ${own}hopper, ${own}lame, ${own}lame_back };
struct ${scope}step { int rule, x, y, limit; };

/* One square of one part of a piece: attacks[offset + ((occupied & mask) * magic >> shift)]. */
struct ${scope}lookup { ${scope}bitboard mask, magic; uint32_t offset; int shift; };

/* A piece on a board. It has one part, or one for each line, where the masks of the whole piece
   have more than ${SCOPE}_MOST_BITS squares, or have no magic. Lookup n of square s is
   lookups[parts * s + n]. Zeros are a piece that attacks nothing and owns no memory. */
struct ${scope}piece {
    int files, ranks;
    unsigned parts;
    uint32_t entries;
    struct ${scope}lookup *lookups;
    ${scope}bitboard *attacks;
};

#ifndef ${SCOPE}_MOST_BITS
#define ${SCOPE}_MOST_BITS 12
#endif
/* The same of a line: boards of up to 18 files and ranks. */
#define ${SCOPE}_MOST_BITS_OF_LINES 16

/* A magic for a mask: with ((occupied & mask) * magic) >> ($width - bits) different occupancies of the
   mask have different indexes. 0 where it was not built; always so with fewer bits than squares. */
${scope}bitboard ${scope}construct(${scope}bitboard mask, int bits);

/* Makes a piece, in place of what it was: 1 if that was possible, else 0, and it attacks nothing. */
int ${scope}make(struct ${scope}piece *piece, int files, int ranks, const struct ${scope}step *steps, int count);
void ${scope}discard(struct ${scope}piece *piece);
%% for pieces
extern struct ${scope}piece ${own}${piece}_piece;
%% end

/* Makes the pieces above for a board of up to $width squares: 1, or 0 where that is not possible. */
int ${scope}init(int files, int ranks);

static inline ${scope}bitboard ${scope}attacks(const struct ${scope}piece *piece, unsigned square, ${scope}bitboard occupied) {
    ${scope}bitboard attacks = 0;
    for (unsigned n = 0; n < piece->parts; n++) {
        const struct ${scope}lookup *at = &piece->lookups[piece->parts * square + n];
        attacks |= piece->attacks[at->offset + (uint32_t)((occupied & at->mask) * at->magic >> at->shift)];
    }
    return attacks;
}
%% for pieces

static inline ${scope}bitboard ${own}${piece}_attacks(unsigned square, ${scope}bitboard occupied) {
    return ${scope}attacks(&${own}${piece}_piece, square, occupied);
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

#include <stdlib.h>
%% if wide
%% include wide_begin.h
%% end

%% include construct.h

static ${scope}bitboard ${own}bit(int files, int x, int y) {
    return (${scope}bitboard)1 << (files * y + x);
}

/* The squares between two: the longer distance is shortened first, equal ones are gone diagonally. */
static ${scope}bitboard ${own}between(int files, int x, int y, int to_x, int to_y) {
    ${scope}bitboard found = 0;
    for (;;) {
        int across = to_x - x, up = to_y - y;
        int wide = abs(across), high = abs(up);
        if (wide >= high) x += (across > 0) - (across < 0);
        if (high >= wide) y += (up > 0) - (up < 0);
        if (x == to_x && y == to_y) return found;
        found |= ${own}bit(files, x, y);
    }
}

/* What a step attacks. On an empty board *mask gets the squares that can change it. */
static ${scope}bitboard ${own}walk(const struct ${scope}piece *board, struct ${scope}step step, int square, ${scope}bitboard occupied, ${scope}bitboard *mask) {
    ${scope}bitboard attacks = 0, here = 0, legs;
    int files = board->files, from_x = square % files, from_y = square / files;
    int x = from_x + step.x, y = from_y + step.y, gone = 0, hits = step.rule != ${own}hopper;
    for (; x >= 0 && x < files && y >= 0 && y < board->ranks; x += step.x, y += step.y) {
        *mask |= here;
        here = ${own}bit(files, x, y);
        if (step.rule == ${own}lame || step.rule == ${own}lame_back) {
            legs = step.rule == ${own}lame ? ${own}between(files, from_x, from_y, x, y)
                : ${own}between(files, x, y, from_x, from_y);
            *mask |= legs;
            return occupied & legs ? 0 : here;
        }
        if (hits) attacks |= here;
        if (hits && ((occupied & here) || ++gone == step.limit)) break;
        if (occupied & here) hits = 1;
    }
    return attacks;
}

/* Whether a step belongs to the part: that of all steps, or that of the line of the first. */
static int ${own}in_part(struct ${scope}step first, struct ${scope}step step, int lines) {
    return !lines || (step.x == first.x && step.y == first.y) || (step.x == -first.x && step.y == -first.y);
}

static ${scope}bitboard ${own}union(const struct ${scope}piece *piece, const struct ${scope}step *steps, int count, int first, int lines, int square, ${scope}bitboard occupied, ${scope}bitboard *mask) {
    ${scope}bitboard attacks = 0;
    for (int n = first; n < count; n++)
        if (${own}in_part(steps[first], steps[n], lines)) attacks |= ${own}walk(piece, steps[n], square, occupied, mask);
    return attacks;
}

/* Makes a piece as one part, or as a part for each line. */
static int ${own}make_parts(struct ${scope}piece *piece, const struct ${scope}step *steps, int count, int lines) {
    int squares = piece->files * piece->ranks, parts = 0;
    int *first = malloc(sizeof(int) * (size_t)count);
    uint64_t entries = 0;
    int made = first != NULL;
    for (int n = 0, m; made && n < count; n++) {
        for (m = 0; m < n && !${own}in_part(steps[m], steps[n], lines); m++) {}
        if (m == n) first[parts++] = n;
    }
    piece->parts = (unsigned)parts;
    piece->lookups = malloc(sizeof(struct ${scope}lookup) * (size_t)(squares * parts));
    made = made && piece->lookups != NULL;
    for (int n = 0; made && n < squares * parts; n++) {
        struct ${scope}lookup *at = &piece->lookups[n];
        ${scope}bitboard mask = 0;
        ${own}union(piece, steps, count, first[n % parts], lines, n / parts, 0, &mask);
        int bits = ${own}count(mask);
        if (bits > (lines ? ${SCOPE}_MOST_BITS_OF_LINES : ${SCOPE}_MOST_BITS)) made = 0;
        if (bits == 0) bits = 1;
        at->mask = mask;
        at->magic = made ? ${scope}construct(mask, bits) : 0;
        at->offset = (uint32_t)entries;
        at->shift = $width - bits;
        entries += mask ? (uint64_t)1 << bits : 1;
        if (!at->magic || entries >> 31) made = 0;
    }
    piece->entries = (uint32_t)entries;
    piece->attacks = made ? malloc(sizeof(${scope}bitboard) * (size_t)entries) : NULL;
    made = made && piece->attacks != NULL;
    for (int n = 0; made && n < squares * parts; n++) {
        struct ${scope}lookup *at = &piece->lookups[n];
        ${scope}bitboard occupied = 0, seen = 0;
        do {
            piece->attacks[at->offset + (uint32_t)(occupied * at->magic >> at->shift)] =
                ${own}union(piece, steps, count, first[n % parts], lines, n / parts, occupied, &seen);
            occupied = (occupied - at->mask) & at->mask;
        } while (occupied);
    }
    free(first);
    if (!made) ${scope}discard(piece);
    return made;
}

int ${scope}make(struct ${scope}piece *piece, int files, int ranks, const struct ${scope}step *steps, int count) {
    ${scope}discard(piece);
    if (files < 1 || ranks < 1 || files > $width || ranks > $width / files || count < 1) return 0;
    for (int n = 0; n < count; n++)
        if (!steps[n].x && !steps[n].y) return 0;
    for (int lines = 0; lines < 2; lines++) {
        piece->files = files;
        piece->ranks = ranks;
        if (${own}make_parts(piece, steps, count, lines)) return 1;
    }
    return 0;
}

void ${scope}discard(struct ${scope}piece *piece) {
    static const struct ${scope}piece nothing;
    free(piece->lookups);
    free(piece->attacks);
    *piece = nothing;
}
%% for pieces

struct ${scope}piece ${own}${piece}_piece;
static const struct ${scope}step ${own}${piece}_steps[$step_count] = {
%% for steps
    {${own}$rule, $x, $y, $limit},
%% end
};
%% end

int ${scope}init(int files, int ranks) {
    int made = 1;
%% for pieces
    made &= ${scope}make(&${own}${piece}_piece, files, ranks, ${own}${piece}_steps, $step_count);
%% end
    return made;
}
%% if wide

#pragma GCC diagnostic pop
%% end

#endif
