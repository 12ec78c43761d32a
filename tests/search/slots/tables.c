/* The tables of search/slots/count.c against plain products.
 *
 *     cc -O3 -march=native -I search/slots tests/search/slots/tables.c -o tables
 *     ./tables h1 11 600
 *
 * So many nodes at random, 3,000 moves each. With one step of the node, and slots that begin somewhere, the line and
 * the moved line are put down. If they miss each other, the move is feasible. If all that meet have one attack, and
 * the move is feasible, the table allows as many. And the line takes at least the slots that are said. So do all its
 * translates by the sums of some moves that are feasible. Exit status 1 if not.
 */
#define main count_main
#include "count.c"
#undef main

enum { NOBODY = 255 };

static u64 random_word(void)
{
    static u64 s = 88172645463325252ULL;
    s ^= s << 13, s ^= s >> 7, s ^= s << 17;
    return s * 2685821657736338717ULL;
}

/* Put the line down, moved by t: how many slots it takes; 0 if it is in conflict with itself. */
static int put_down(u8 *own, u64 a, u64 t)
{
    int count = 0;
    memset(own, NOBODY, (size_t)slots);
    for (int n = 0; n < patterns; n++) {
        u8 *at = &own[((u64)k_of[n] * a + t) >> shift];
        if (*at != NOBODY && *at != attack_of[n]) return 0;
        count += *at == NOBODY;
        *at = (u8)attack_of[n];
    }
    return count;
}

/* Whether the line and the line moved by y miss each other somewhere: only where one of them begins a slot. */
static int is_feasible(u64 a, u64 y)
{
    static u8 own[2048];
    for (int n = 0; n < 2 * patterns; n++)
        for (int off = -1; off <= 1; off++) {
            u64 t = (u64)0 - (u64)k_of[n % patterns] * a - (n < patterns ? 0 : y) + (u64)(i64)off;
            int free = 1;
            memset(own, 0, (size_t)slots);
            for (int i = 0; i < patterns; i++) own[((u64)k_of[i] * a + t) >> shift] = 1;
            for (int i = 0; i < patterns && free; i++) free = !own[((u64)k_of[i] * a + t + y) >> shift];
            if (free) return 1;
        }
    return 0;
}

static long files, least_met; /* translates that were put down; that took just what is said */

/* Squares of a file, at random: how often all translates by their sums take fewer slots than is said. */
static long few_slots(u64 a)
{
    static u8 own[2048];
    long wrong = 0;
    u64 v[4];
    shared[0] = 0;
    held[0] = least[0] = least_line;
    sum[0] = difference[0][0] = 0;
    times[0][0] = 0;
    for (int k = 0; k < 4; k++) {
        v[k] = random_word() % 3 ? (random_word() % 11 - 5) << shift : (u64)0 - a * (random_word() % 8);
        v[k] += (u64)((i64)random_word() >> (bits + random_word() % 8));
        int f = overlap_of(k, v[k]);
        if (f < 0) break;
        count_in(k, f);
        extend(k, v[k]);
        for (int i = 0; i < 12; i++) {
            u64 t = random_word() - (i & 1 ? 0 : sum[random_word() & 1] + a * (random_word() % 64) + (random_word() >> bits));
            int count = 0, differ = 0;
            memset(own, NOBODY, (size_t)slots);
            for (int n = 0; n < patterns << (k + 1) && !differ; n++) {
                u8 *at = &own[((u64)k_of[n % patterns] * a + sum[n / patterns] + t) >> shift];
                differ = *at != NOBODY && *at != attack_of[n % patterns];
                count += *at == NOBODY;
                *at = (u8)attack_of[n % patterns];
            }
            if (differ) continue;
            files++;
            least_met += count < least[k + 1] + 1;
            int wrong_ = count < least[k + 1] - 1e-6;
            for (int j = 0; wrong_ && j <= k; j++)
                for (int d = 0; wrong_ && d < differences[j]; d++) wrong_ = is_feasible(a, v[j] + difference[j][d]);
            wrong += wrong_;
        }
    }
    return wrong;
}

int main(int argc, char **argv)
{
    static u8 own[2048], moved[2048];
    long missed = 0, met = 0, exactly = 0, wrong = 0;
    if (argc != 4) return 2;
    bits = (int)number_of(argv[2], "BITS", 8, 11);
    begin_square(argv[1][0] - 'a');
    for (long node = 0; node < atol(argv[3]); node++) {
        int known = bits + 8 + (int)(random_word() % 5);
        u64 begin = random_word();
        if (node % 3 == 0) begin = (begin >> shift << shift) - (random_word() % 40 << (shift - 9)); /* whole steps */
        if (node % 7 == 0) begin = random_word() % 6 << shift | random_word() >> bits;              /* small ones */
        build(begin >> (64 - known) << (64 - known), ((u64)1 << (64 - known)) - 1);
        for (int i = 0; i < 1000; i++) wrong += few_slots(line_begin + (random_word() & line_width));
        for (int i = 0; i < 3000; i++) {
            u64 a = line_begin + (random_word() & line_width), y = random_word(), t = random_word();
            int d = (int)(random_word() % (u64)(2 * most_k + 1)) - most_k;
            if (i & 1) y = (u64)0 - (u64)(i64)d * a + (u64)((i64)random_word() >> bits);
            if (i % 5 == 0) t = (u64)0 - a * (random_word() % 64);
            int count = put_down(own, a, t), shared_ = 0, differ = 0;
            wrong += count && count < least_line;
            if (!count || !put_down(moved, a, t + y)) continue;
            for (int slot = 0; slot < slots; slot++)
                if (own[slot] != NOBODY && moved[slot] != NOBODY) *(own[slot] == moved[slot] ? &shared_ : &differ) += 1;
            int c = cell(y), most = *place(overlap, c);
            if (!shared_ && !differ) {
                missed++;
                wrong += !*place(may, c);
            } else if (!differ && *place(may, c)) {
                met++;
                exactly += shared_ == most;
                wrong += shared_ > most && is_feasible(a, y);
            }
        }
    }
    printf("%s, %s bits: %ld moves missed, %ld met with one attack, %ld as often as is allowed; %ld files, %ld of them in as "
           "few slots as is said; %ld wrong\n", argv[1], argv[2], missed, met, exactly, files, least_met, wrong);
    return wrong != 0;
}
