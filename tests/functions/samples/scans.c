/* Rays to the first blocker, which the processor's own instructions find. */
#include <stdint.h>

static int lowest(uint64_t set) {
    uint64_t place;
    __asm__(" bsfq %1, %0 \n\t" : "=r"(place) : "rm"(set));
    return (int)place;
}

static int highest(uint64_t set) {
    uint64_t place;
    __asm__("bsrq %1, %0" : "=r"(place) : "r"(set) : "cc");
    return (int)place;
}

static uint64_t turned(uint64_t set) {
    __asm__ volatile("bswap %0" : "+r"(set));
    return set;
}

uint64_t file_attacks(int square, uint64_t occupied) {
    uint64_t file = UINT64_C(0x0101010101010101) << (square & 7), slider = UINT64_C(1) << square;
    uint64_t below = file & (slider - 1), above = file & ~below & ~slider;
    if (below & occupied) below &= ~UINT64_C(0) << highest(below & occupied);
    if (above & occupied) above &= ~UINT64_C(0) >> (63 - lowest(above & occupied));
    return below | turned(turned(above));
}
