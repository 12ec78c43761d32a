// Each breaks a promise that LLVM believes, or asks what nobody knows: right for most, or by luck.
#include <stdint.h>

static uint64_t rook(int square, uint64_t occupied) {
    static const int files[4] = {1, -1, 0, 0}, ranks[4] = {0, 0, 1, -1};
    uint64_t attacks = 0;
    for (int n = 0; n < 4; n++) {
        int file = square & 7, rank = square >> 3;
        for (;;) {
            file += files[n], rank += ranks[n];
            if ((file | rank) & ~7) break;
            uint64_t bit = UINT64_C(1) << (8 * rank + file);
            attacks |= bit;
            if (occupied & bit) break;
        }
    }
    return attacks;
}

static uint64_t first(uint64_t *restrict a, uint64_t *restrict b, uint64_t set) {
    *a = set;
    *b = 0;
    return *a;
}
uint64_t meets(int square, uint64_t occupied) {
    uint64_t x;
    return first(&x, &x, rook(square, occupied));
}

static uint64_t halves(uint32_t *low, uint64_t *whole, uint64_t set) {
    *whole = set;
    *low = 0;
    return *whole;
}
uint64_t typed(int square, uint64_t occupied) {
    uint64_t x;
    return halves((uint32_t *)&x, &x, rook(square, occupied));
}

uint64_t ends(int square, uint64_t occupied) {
    for (uint64_t n = occupied; n == 7;) n = occupied;
    return rook(square, occupied);
}

uint64_t folded(int square, uint64_t occupied) {
    return rook(square, occupied) ^ !__builtin_constant_p(square + 1);
}

struct set { uint64_t squares; int known; };
uint64_t begun(int square, uint64_t occupied) {
    struct set found;
    found.squares = rook(square, occupied);
    if (occupied == 5) found.known = 1;
    return found.known == 7 ? 0 : found.squares;
}

struct two { unsigned file : 3, rank : 3; };
uint64_t fields(int square, uint64_t occupied) {
    struct two found;
    found.file = square & 7;
    found.rank = square >> 3;
    return rook(8 * found.rank + found.file, occupied);
}

static const uint64_t one[2] = {1, 2}, other[2] = {3, 4};
uint64_t beside(int square, uint64_t occupied) {
    const uint64_t *end = one + (occupied & 1) + (occupied >> 1 & 1);
    return end == other ? 0 : rook(square, occupied);
}

__attribute__((naked)) static uint64_t same(uint64_t set) { __asm__("mov %rdi, %rax\n\tret"); }
uint64_t bare(int square, uint64_t occupied) { return same(rook(square, occupied)); }

static _Thread_local uint64_t all;
void init(void) { all = -1; }
uint64_t here(int square, uint64_t occupied) { return rook(square, occupied) & all; }

uint64_t gone(int square, uint64_t occupied) {
    uint64_t *set;
    {
        uint64_t sets[2] = {0, rook(square, occupied)};
        set = &sets[1];
    }
    return *set;
}

static const uint64_t full[4] = {-1, -1, -1, -1};
uint64_t behind(int square, uint64_t occupied) {
    const uint64_t *set = full + (occupied & 3) + (occupied == 0xc0ffee ? 4 : 0);
    return rook(square, occupied) & *set;
}

static const struct { uint64_t sets[2]; uint32_t count; } pair = {{0, 0}, 2};
uint64_t record(int square, uint64_t occupied) {
    const uint64_t *sets = pair.sets;
    return rook(square, occupied) | sets[occupied == 0xc0ffee ? 9 : 0];
}

static const uint64_t nothing = 0;
uint64_t single(int square, uint64_t occupied) {
    const uint64_t *set = &nothing + (occupied == 0xc0ffee);
    return rook(square, occupied) | *set;
}

uint64_t alone(int square, uint64_t occupied) {
    uint64_t sets[1] = {rook(square, occupied)}, *set = sets;
    return set[occupied == 0xc0ffee];
}

uint64_t next(int square, uint64_t occupied) {
    uint64_t sets[1] = {rook(square, occupied)}, *set = sets;
    if (occupied == 0xc0ffee) return set[1];
    return set[0];
}

uint64_t previous(int square, uint64_t occupied) {
    uint64_t sets[2] = {rook(square, occupied), 0}, *set = sets;
    if (occupied == 0xc0ffee) set--;
    return *set;
}

uint64_t writes(int square, uint64_t occupied) {
    uint64_t sets[1] = {rook(square, occupied)}, *set = sets;
    if (occupied == 0xc0ffee) set[1] = 5;
    return set[0];
}

uint64_t letter(int square, uint64_t occupied) {
    uint8_t zero = 0, *at = &zero;
    at[occupied == 0xc0ffee] = 0;
    return rook(square, occupied) | zero;
}

uint64_t several(int square, uint64_t occupied) {
    uint64_t sets[(square & 7) + 1];
    return rook(square, occupied) | (sets[0] & 0xff00ff);
}

void *malloc(__SIZE_TYPE__);
void free(void *);
uint64_t heap(int square, uint64_t occupied) {
    uint64_t *sets = malloc(32), set;
    for (int n = 0; n < 4; n++) sets[n] = 0;
    set = sets[4 + (occupied & 1)];
    free(sets);
    return rook(square, occupied) | (set & 0xff00ff);
}

typedef uint64_t two_words __attribute__((vector_size(16)));
uint64_t anyhow(int square, uint64_t occupied) {
    two_words words = {occupied, 0};
    words = __builtin_nondeterministic_value(words);
    return rook(square, occupied) | (words[0] & 0xff00ff);
}

__attribute__((noinline)) static uint64_t three(int square, uint64_t occupied, uint64_t other) {
    return rook(square, occupied) | (other & 1);
}
uint64_t fewer(int square, uint64_t occupied) {
    return ((uint64_t(*)(int, uint64_t))(void *)three)(square, occupied);
}

uint64_t known(int square, uint64_t occupied) { return rook(square, occupied); }
uint64_t renamed(int square, uint64_t occupied) __attribute__((alias("known")));

static const uint64_t zero = 0;
uint64_t constant(int square, uint64_t occupied) {
    if (occupied == 0xc0ffee) *(uint64_t *)&zero = 1;
    return rook(square, occupied);
}

uint64_t literal(int square, uint64_t occupied) {
    if (occupied == 0xc0ffee) ((char *)"abc")[1] = 1;
    return rook(square, occupied);
}
