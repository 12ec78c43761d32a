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

/* A rider goes on along its step up to the first blocker, which it attacks; a hopper does so
   behind the first blocker; `limit` squares at most, unless that is 0 (a leaper is a rider with
   limit 1). A lame piece makes its step unless a square on the way is occupied; lame_back: on the
   way from its target. x is files to the right, y ranks up. */
enum ${scope}rule { ${own}rider, ${own}hopper, ${own}lame, ${own}lame_back };
struct ${scope}step { int rule, x, y, limit; };

/* One square of one part of a piece: attacks[offset + ((occupied & mask) * magic >> shift)]. */
struct ${scope}lookup { ${scope}bitboard mask, magic; uint32_t offset; int shift; };

/* A piece on a board. It has one part, or one for each line, where the masks of the whole piece
   have more than ${SCOPE}_MOST_BITS squares, or no magic is built for one of them. Lookup n of
   square s is lookups[parts * s + n]. Zeros are a piece that attacks nothing and owns no memory. */
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

/* A magic for a mask: with ((occupied & mask) * magic) >> ($width - bits) different occupancies of
   the mask have different indexes. 0 where it was not built, and with fewer bits than squares. */
${scope}bitboard ${scope}construct(${scope}bitboard mask, int bits);

/* Makes a piece, in place of what it was: 1, or 0 if that is not possible; then it attacks
   nothing. */
int ${scope}make(
    struct ${scope}piece *piece, int files, int ranks, const struct ${scope}step *steps, int count
);
void ${scope}discard(struct ${scope}piece *piece);
%% for pieces
extern struct ${scope}piece ${own}${piece}_piece;
%% end

/* Makes the pieces above for a board of up to $width squares: 1, or 0 if that is not possible. */
int ${scope}init(int files, int ranks);

static inline ${scope}bitboard ${scope}attacks(
    const struct ${scope}piece *piece, unsigned square, ${scope}bitboard occupied
) {
    ${scope}bitboard attacks = 0;
    for (unsigned n = 0; n < piece->parts; n++) {
        const struct ${scope}lookup *at = &piece->lookups[piece->parts * square + n];
        ${scope}bitboard product = (occupied & at->mask) * at->magic;
        attacks |= piece->attacks[at->offset + (uint32_t)(product >> at->shift)];
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

/* Some steps of a piece: all of them, or those on the line of the first. What leaps, and nothing
   bars, has no line, and goes with that of the step `lead`. */
struct ${own}part {
    const struct ${scope}piece *piece;
    const struct ${scope}step *steps;
    int count, first, by_lines, lead;
};

static ${scope}bitboard ${own}bit(int files, int x, int y) {
    return (${scope}bitboard)1 << (files * y + x);
}

/* The squares between two: the longer distance is shortened first, equal ones are gone
   diagonally. */
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

static int ${own}leaps(struct ${scope}step step) {
    return step.rule == ${own}rider && step.limit == 1;
}

static int ${own}in_part(const struct ${own}part *part, int n) {
    struct ${scope}step a = part->steps[part->first], b = part->steps[n];
    if (!part->by_lines) return 1;
    if (${own}leaps(b)) return part->first == part->lead;
    return (a.x == b.x && a.y == b.y) || (a.x == -b.x && a.y == -b.y);
}

/* What a step attacks. On an empty board *mask gets the squares that can change it. */
static ${scope}bitboard ${own}walk(
    const struct ${scope}piece *board, struct ${scope}step step, int square,
    ${scope}bitboard occupied, ${scope}bitboard *mask
) {
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

static ${scope}bitboard ${own}reached(
    const struct ${own}part *part, int square, ${scope}bitboard occupied, ${scope}bitboard *mask
) {
    ${scope}bitboard found = 0;
    for (int n = 0; n < part->count; n++)
        if (${own}in_part(part, n))
            found |= ${own}walk(part->piece, part->steps[n], square, occupied, mask);
    return found;
}

/* How many parts there are; whose number is `number` becomes this one. */
static int ${own}choose(struct ${own}part *part, int number) {
    int parts = 0, chosen = part->lead;
    for (int n = part->lead, m; n < part->count; n++) {
        if (n > part->lead && ${own}leaps(part->steps[n])) continue;
        for (m = part->lead; m < n; m++) {
            part->first = m;
            if (${own}in_part(part, n)) break;
        }
        if (m < n) continue;
        if (parts++ == number) chosen = n;
    }
    part->first = chosen;
    return parts;
}

/* The lookups of a piece: how many entries they need, 0 if it cannot be made so. */
static uint64_t ${own}look(struct ${scope}piece *piece, struct ${own}part *part) {
    uint64_t entries = 0;
    int most = part->by_lines ? ${SCOPE}_MOST_BITS_OF_LINES : ${SCOPE}_MOST_BITS;
    int parts = (int)piece->parts;
    for (int n = 0; n < piece->files * piece->ranks * parts; n++) {
        struct ${scope}lookup *at = &piece->lookups[n];
        ${scope}bitboard mask = 0;
        ${own}choose(part, n % parts);
        ${own}reached(part, n / parts, 0, &mask);
        int bits = mask ? ${own}count(mask) : 1;
        at->mask = mask;
        at->magic = bits > most ? 0 : ${scope}construct(mask, bits);
        at->offset = (uint32_t)entries;
        at->shift = $width - bits;
        entries += mask ? (uint64_t)1 << bits : 1;
        if (!at->magic || entries >> 31) return 0;
    }
    return entries;
}

/* Makes a piece as one part, or as a part for each line. */
static int ${own}make_parts(struct ${scope}piece *piece, struct ${own}part *part) {
    size_t squares = (size_t)(piece->files * piece->ranks);
    piece->parts = (unsigned)${own}choose(part, 0);
    piece->lookups = malloc(sizeof(struct ${scope}lookup) * squares * piece->parts);
    piece->entries = piece->lookups ? (uint32_t)${own}look(piece, part) : 0;
    if (piece->entries) piece->attacks = malloc(sizeof(${scope}bitboard) * piece->entries);
    for (size_t n = 0; piece->attacks && n < squares * piece->parts; n++) {
        struct ${scope}lookup *at = &piece->lookups[n];
        ${scope}bitboard occupied = 0, seen = 0;
        ${own}choose(part, (int)(n % piece->parts));
        do {
            piece->attacks[at->offset + (uint32_t)(occupied * at->magic >> at->shift)] =
                ${own}reached(part, (int)(n / piece->parts), occupied, &seen);
            occupied = (occupied - at->mask) & at->mask;
        } while (occupied);
    }
    if (piece->attacks) return 1;
    ${scope}discard(piece);
    return 0;
}

int ${scope}make(
    struct ${scope}piece *piece, int files, int ranks, const struct ${scope}step *steps, int count
) {
    ${scope}discard(piece);
    if (files < 1 || ranks < 1 || files > $width || ranks > $width / files || count < 1) return 0;
    for (int n = 0; n < count; n++)
        if (!steps[n].x && !steps[n].y) return 0;
    for (int by_lines = 0; by_lines < 2; by_lines++) {
        struct ${own}part part = {piece, steps, count, 0, by_lines, 0};
        while (part.lead < count - 1 && ${own}leaps(steps[part.lead])) part.lead++;
        piece->files = files;
        piece->ranks = ranks;
        if (${own}make_parts(piece, &part)) return 1;
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
