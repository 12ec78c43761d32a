/* Hyperbola quintessence on ARM: both halves of a vector reversed by rbit and rev64. */
#include <arm_neon.h>
#include <stdint.h>

static uint64x2_t reversed(uint64x2_t words) {
    return vreinterpretq_u64_u8(vrev64q_u8(vrbitq_u8(vreinterpretq_u8_u64(words))));
}

static uint64_t line(int square, int files, int ranks) {
    uint64_t squares = 0;
    for (int sign = -1; sign <= 1; sign += 2) {
        int file = square % 8 + sign * files, rank = square / 8 + sign * ranks;
        for (; file >= 0 && file < 8 && rank >= 0 && rank < 8; file += sign * files, rank += sign * ranks)
            squares |= UINT64_C(1) << (8 * rank + file);
    }
    return squares;
}

static uint64_t along(int square, uint64_t occupied, uint64_t one, uint64_t other) {
    uint64x2_t lines = {one, other}, slider = vdupq_n_u64(UINT64_C(1) << square);
    uint64x2_t blockers = vandq_u64(vdupq_n_u64(occupied), lines);
    uint64x2_t up = vsubq_u64(blockers, slider);
    uint64x2_t down = reversed(vsubq_u64(reversed(blockers), reversed(slider)));
    uint64x2_t attacked = vandq_u64(veorq_u64(up, down), lines);
    return vgetq_lane_u64(attacked, 0) | vgetq_lane_u64(attacked, 1);
}

uint64_t rook_attacks(int square, uint64_t occupied) {
    return along(square, occupied, line(square, 1, 0), line(square, 0, 1));
}

uint64_t bishop_attacks(int square, uint64_t occupied) {
    return along(square, occupied, line(square, 1, 1), line(square, -1, 1));
}
