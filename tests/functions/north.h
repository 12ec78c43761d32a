typedef unsigned long long u64;
static inline u64 north(u64 s, u64 o) {
    u64 p = ~o;
    s |= p & s << 8; p &= p << 8; s |= p & s << 16; p &= p << 16; s |= p & s << 32;
    return s << 8;
}
