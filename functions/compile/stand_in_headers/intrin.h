/* Stands in for <intrin.h> where the system is not Windows: a few functions, as Microsoft's
   documentation says what they give. What an index holds where no bit is set is not written. */
#ifndef MAGICERT_INTRIN_H
#define MAGICERT_INTRIN_H

#if defined(__x86_64__) || defined(__i386__)
#include <x86intrin.h>
#endif

#define MAGICERT_INLINE static __inline__ __attribute__((__unused__, __always_inline__))

MAGICERT_INLINE unsigned char _BitScanForward(unsigned long *index, unsigned long mask) {
    if (!(unsigned)mask) return 0;
    *index = (unsigned long)__builtin_ctz((unsigned)mask);
    return 1;
}
MAGICERT_INLINE unsigned char _BitScanReverse(unsigned long *index, unsigned long mask) {
    if (!(unsigned)mask) return 0;
    *index = 31ul - (unsigned long)__builtin_clz((unsigned)mask);
    return 1;
}
MAGICERT_INLINE unsigned char _BitScanForward64(unsigned long *index, unsigned long long mask) {
    if (!mask) return 0;
    *index = (unsigned long)__builtin_ctzll(mask);
    return 1;
}
MAGICERT_INLINE unsigned char _BitScanReverse64(unsigned long *index, unsigned long long mask) {
    if (!mask) return 0;
    *index = 63ul - (unsigned long)__builtin_clzll(mask);
    return 1;
}
MAGICERT_INLINE unsigned short _byteswap_ushort(unsigned short value) {
    return __builtin_bswap16(value);
}
MAGICERT_INLINE unsigned long _byteswap_ulong(unsigned long value) {
    return __builtin_bswap32((unsigned)value);
}
MAGICERT_INLINE unsigned long long _byteswap_uint64(unsigned long long value) {
    return __builtin_bswap64(value);
}
/* With -fms-extensions the compiler has these itself, once they are declared. */
#if __has_builtin(__popcnt64) && __has_builtin(__umulh)
#ifdef __cplusplus
extern "C" {
#endif
unsigned short __popcnt16(unsigned short);
unsigned __popcnt(unsigned);
__UINT64_TYPE__ __popcnt64(__UINT64_TYPE__);
unsigned long long __umulh(unsigned long long, unsigned long long);
unsigned long long _umul128(unsigned long long, unsigned long long, unsigned long long *);
#ifdef __cplusplus
}
#endif
#else
MAGICERT_INLINE unsigned short __popcnt16(unsigned short value) {
    return (unsigned short)__builtin_popcount(value);
}
MAGICERT_INLINE unsigned __popcnt(unsigned value) { return (unsigned)__builtin_popcount(value); }
MAGICERT_INLINE unsigned long long __popcnt64(unsigned long long value) {
    return (unsigned long long)__builtin_popcountll(value);
}
#ifdef __SIZEOF_INT128__
MAGICERT_INLINE unsigned long long __umulh(unsigned long long a, unsigned long long b) {
    return (unsigned long long)((unsigned __int128)a * b >> 64);
}
MAGICERT_INLINE unsigned long long
_umul128(unsigned long long a, unsigned long long b, unsigned long long *high) {
    *high = __umulh(a, b);
    return a * b;
}
#endif
#endif

#undef MAGICERT_INLINE
#endif
