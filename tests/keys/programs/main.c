#include "keys.h"
#include <inttypes.h>
#include <stdio.h>
int main(void) {
    uint64_t key, value;
    while (scanf("%" SCNu64, &key) == 1) {
        if (keys_find(key, &value)) printf("%" PRIu64 "\n", value);
        else puts("none");
    }
    return 0;
}
