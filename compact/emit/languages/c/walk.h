%% if boards
/* Square n stands at x = n % $across, y = n / $across. A rider goes on along its step up to the
   first blocker, which it attacks; a hopper does so behind the first blocker; so many squares at
   most, if there is a limit. A lame piece makes its step unless a leg, a square on the way, is
   occupied; rule_lame_back: on the way from its target. Nobody goes where no region holds both
   squares. */
enum { ${own}rule_rider, ${own}rule_hopper, ${own}rule_lame, ${own}rule_lame_back };

struct ${own}moves {
    int steps, regions;
    struct { int rule, x, y, limit; } step[$most_steps];
    struct { int left, low, right, high; } region[$most_regions];
};
%% for pieces

static $moves_type ${own}${piece}_moves = {
    $step_count, $region_count, {$steps}, {$regions}
};
%% end

static int ${own}inside(const struct ${own}moves *moves, int n, int x, int y) {
    return moves->region[n].left <= x && x <= moves->region[n].right
        && moves->region[n].low <= y && y <= moves->region[n].high;
}

%% if holes
/* The squares that are no part of the board. */
static $numbers_type ${own}holes[] = {$holes};

static int ${own}hole(unsigned square) {
    for (unsigned n = 0; n < sizeof ${own}holes; n++)
        if (${own}holes[n] == square) return 1;
    return 0;
}

%% end
static int ${own}allowed(const struct ${own}moves *moves, int from_x, int from_y, int x, int y) {
%% if holes
    if (0 <= x && x < $across && 0 <= y && ${own}hole((unsigned)($across * y + x))) return 0;
%% end
    for (int n = 0; n < moves->regions; n++)
        if (${own}inside(moves, n, from_x, from_y) && ${own}inside(moves, n, x, y)) return 1;
    return 0;
}

static $bitboard ${own}single(int x, int y) {
%% if by_parts
    return ${own}shift_left_256(${own}bitboard_256(1, 0, 0, 0), (unsigned)($across * y + x));
%% else
    return ($bitboard)1 << ($across * y + x);
%% end
}

static int ${own}taken($bitboard occ, int x, int y) {
%% if by_parts
    int square = $across * y + x;
    return (int)(occ.word[square / 64] >> (square & 63) & 1);
%% else
    return (occ & ${own}single(x, y)) != 0;
%% end
}

/* The legs: the longer distance is shortened first; equal ones are gone diagonally. */
static int ${own}leg_taken(int x, int y, int to_x, int to_y, $bitboard occ) {
    for (;;) {
        int across = to_x - x, up = to_y - y;
        int wide = across < 0 ? -across : across, high = up < 0 ? -up : up;
        if (wide >= high) x += (across > 0) - (across < 0);
        if (high >= wide) y += (up > 0) - (up < 0);
        if (x == to_x && y == to_y) return 0;
%% if holes
        if (${own}hole((unsigned)($across * y + x))) return 1;
%% end
        if (${own}taken(occ, x, y)) return 1;
    }
}

static $bitboard ${own}walk(unsigned square, $bitboard occ, const struct ${own}moves *moves) {
%% if by_parts
    $bitboard reached = {{0, 0, 0, 0}};
%% else
    $bitboard reached = 0;
%% end
    int from_x = (int)(square % $across), from_y = (int)(square / $across);
    for (int n = 0; n < moves->steps; n++) {
        int rule = moves->step[n].rule, by_x = moves->step[n].x, by_y = moves->step[n].y;
        int x = from_x + by_x, y = from_y + by_y, gone = 0, attacks = rule == ${own}rule_rider;
        for (; ${own}allowed(moves, from_x, from_y, x, y); x += by_x, y += by_y) {
%% if by_parts
            $bitboard with = ${own}or_256(reached, ${own}single(x, y));
%% else
            $bitboard with = reached | ${own}single(x, y);
%% end
            if (rule == ${own}rule_lame || rule == ${own}rule_lame_back) {
                int taken = rule == ${own}rule_lame ? ${own}leg_taken(from_x, from_y, x, y, occ)
                                      : ${own}leg_taken(x, y, from_x, from_y, occ);
                if (!taken) reached = with;
                break;
            }
            if (attacks) {
                reached = with;
                if (${own}taken(occ, x, y) || ++gone == moves->step[n].limit) break;
            } else if (${own}taken(occ, x, y)) {
                attacks = 1;
            }
        }
    }
    return reached;
}
%% else
static uint64_t ${own}walk(unsigned square, uint64_t occ, const int steps[4][2]) {
    uint64_t reached = 0;
    for (int d = 0; d < 4; d++) {
        int file = (int)(square & 7) + steps[d][0], rank = (int)(square >> 3) + steps[d][1];
        while (file >= 0 && file < 8 && rank >= 0 && rank < 8) {
            uint64_t bit = (uint64_t)1 << (8 * rank + file);
            reached |= bit;
            if (occ & bit) break;
            file += steps[d][0];
            rank += steps[d][1];
        }
    }
    return reached;
}
%% end
