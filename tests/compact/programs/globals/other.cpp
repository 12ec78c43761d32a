#include "plain.hpp"
extern const uint64_t other;
const uint64_t other = plain::bishop_attacks(0, 0);
