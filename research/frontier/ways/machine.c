/* What processor this is: whether it has BMI2 and AVX2, and its name, as it says itself. */

#include <stdio.h>
#if defined(__x86_64__)
#include <cpuid.h>
#endif

int main(void) {
    int bmi2 = 0, avx2 = 0;
    unsigned words[13] = {0};
#if defined(__x86_64__)
    unsigned largest = __get_cpuid_max(0x80000000u, 0);
    bmi2 = __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("bmi");
    avx2 = __builtin_cpu_supports("avx2") != 0;
    for (unsigned n = 0; n < 3 && largest >= 0x80000004u; n++) {
        unsigned *to = words + 4 * n;
        __get_cpuid(0x80000002u + n, to, to + 1, to + 2, to + 3);
    }
#endif
    printf("%d %d %s\n", bmi2, avx2, (const char *)words);
    return 0;
}
