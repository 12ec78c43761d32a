// What is not understood, or is no attack function.
#include <stdint.h>
uint64_t counter;
uint64_t counts(int square, uint64_t occupied) { counter = occupied; return square; }
uint64_t recursive(int s, uint64_t o) { return o & 1 ? recursive(s, o >> 1) * recursive(s, o >> 3) : o; }
double floating(int square, uint64_t occupied) { return square * 1.5 + occupied; }
uint64_t three(uint64_t a, uint64_t b, uint64_t c) { return a ^ b ^ c; }
struct square { uint8_t file, rank; };
uint64_t parts(struct square s, uint64_t o) { return (255ull << 8 * s.rank ^ 0x101010101010101 << s.file) & ~o; }
uint64_t assembly(int s, uint64_t o) { uint64_t r; __asm__("nop" : "=r"(r) : "r"(o)); return r + s; }
uint64_t elsewhere(int square, uint64_t occupied);
uint64_t calls(int square, uint64_t occupied) { return elsewhere(square, occupied); }
uint64_t spins(int s, uint64_t o) { while (o != 1) { o = o & 1 ? 3 * o + 1 : o >> 1; } return o + s; }
uint64_t reversed;
#ifdef __aarch64__
void reverses(void) { __asm__("cls %0, %1" : "=r"(reversed) : "r"(counter)); }
#endif
