// It writes a file, MARK, when its program starts.
#include <stdio.h>
static unsigned long table[64];
__attribute__((constructor)) void start(void) { fclose(fopen(MARK, "w")); table[0] = 1; }
unsigned long rook(int square, unsigned long occupied) { return table[square] | occupied; }
