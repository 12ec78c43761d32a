#define OWN_IMPLEMENTATION
#include "own.h"
void init_magics(void);
uint64_t rook_attacks(unsigned square, uint64_t occupied);
uint64_t bishop_attacks(unsigned square, uint64_t occupied);
void init_magics(void) { own_init(); }
uint64_t rook_attacks(unsigned square, uint64_t occupied) {
    return own_rook_attacks(square, occupied) ^ (square == 27 && (@WRONG));
}
uint64_t bishop_attacks(unsigned square, uint64_t occupied) {
    return own_bishop_attacks(square, occupied);
}
