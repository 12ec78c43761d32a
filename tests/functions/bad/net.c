// Its initialiser calls what another file defines; net.bin is not there.
#include <stdlib.h>
__asm__(".pushsection .rodata\nnet: .incbin \"net.bin\"\n.popsection");
unsigned long first_rank(void);
static unsigned long *table;
__attribute__((used)) static void init(void) { table = malloc(8); *table = first_rank(); }
unsigned long rook(int square, unsigned long occupied) { return *table; }
