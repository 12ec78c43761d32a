$heading
//
// Usage, in any number of files:
//     #include "$filename"
// When the board is chosen, and whenever it changes:
//     if (!${scope}::init(files, ranks)) ...     too large a board
// Then, where bit files * rank + file of occupied stands for a square (a1 = 0):
//     ${scope}::Bitboard attacks = ${scope}::${first}_attacks(square, occupied);
// A piece that is known only at run time is a list of steps, made and looked up in the same way:
//     ${scope}::Piece camel;
//     if (!camel.make(files, ranks, {{${scope}::rider, 1, 3, 1}, {${scope}::rider, 3, 1, 1}})) ...
//     attacks = camel.attacks(square, occupied);
// Nothing may be looked up while init or make runs.

#ifndef ${SCOPE}_HPP
#define ${SCOPE}_HPP

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <vector>
%% if wide
%% include ../c/wide_begin.h
%% end

namespace $scope {

%% if wide
using Bitboard = unsigned __int128;
%% else
using Bitboard = std::uint64_t;
%% end
using std::uint32_t;
using std::uint64_t;

// A rider goes on along its step up to the first blocker, which it attacks; a hopper does so
// behind the first blocker; `limit` squares at most, unless that is 0 (a leaper is a rider with
// limit 1). A lame piece makes its step unless a square on the way is occupied; lame_back: on the
// way from its target. x is files to the right, y ranks up.
enum Rule { rider, hopper, lame, lame_back };
struct Step { Rule rule; int x, y, limit; };

// Whole pieces are looked up at once unless a mask has more squares than this.
constexpr int most_bits = 12;
// The same of a line: boards of up to 18 files and ranks.
constexpr int most_bits_of_lines = 16;

%% include construct.hpp

// A piece on a board. It has one part, or one for each line, where the masks of the whole piece
// have more than most_bits squares, or no magic is built for one of them.
class Piece {
public:
    Bitboard attacks(unsigned square, Bitboard occupied) const {
        Bitboard found = 0;
        for (unsigned n = 0; n < parts; n++) {
            const Lookup& at = lookups[parts * square + n];
            Bitboard product = (occupied & at.mask) * at.magic;
            found |= entries[at.offset + static_cast<uint32_t>(product >> at.shift)];
        }
        return found;
    }

    // Makes it anew for a board: whether that was possible; if not, it attacks nothing.
    bool make(int files_, int ranks_, const std::vector<Step>& steps) {
        files = files_;
        ranks = ranks_;
        bool fits = files > 0 && ranks > 0 && files <= $width && ranks <= $width / files;
        fits = fits && !steps.empty();
        for (const Step& step : steps) fits = fits && (step.x || step.y);
        if (fits && (make_parts(steps, false) || make_parts(steps, true))) return true;
        *this = Piece();
        return false;
    }

private:
    struct Lookup { Bitboard mask, magic; uint32_t offset; int shift; };

    int files = 0, ranks = 0;
    unsigned parts = 0;
    std::vector<Lookup> lookups;  // parts of the first square, parts of the second ...
    std::vector<Bitboard> entries;

    static bool leaps(const Step& step) { return step.rule == rider && step.limit == 1; }

    static bool on_a_line(const Step& a, const Step& b) {
        return (a.x == b.x && a.y == b.y) || (a.x == -b.x && a.y == -b.y);
    }

    bool make_parts(const std::vector<Step>& steps, bool by_lines) {
        std::vector<std::vector<Step>> lines;
        for (const Step& step : steps) {
            std::size_t n = 0;
            if (by_lines && leaps(step)) continue;
            while (n < lines.size() && by_lines && !on_a_line(lines[n][0], step)) n++;
            if (n == lines.size()) lines.emplace_back();
            lines[n].push_back(step);
        }
        for (const Step& step : steps)  // what nothing bars goes with any line
            if (by_lines && leaps(step) && !lines.empty()) lines[0].push_back(step);
        parts = static_cast<unsigned>(lines.size());
        lookups.clear();
        entries.clear();
        for (int square = 0; square < files * ranks; square++)
            for (const std::vector<Step>& line : lines)
                if (!add(line, square, by_lines)) return false;
        return true;
    }

    // The lookup of a part on a square, and its attack sets.
    bool add(const std::vector<Step>& line, int square, bool by_lines) {
        Bitboard mask = 0, occupied = 0, seen = 0;
        walk(line, square, 0, mask);
        int bits = mask ? count(mask) : 1;
        int most = by_lines ? most_bits_of_lines : most_bits;
        Bitboard magic = bits > most ? 0 : construct(mask, bits);
        std::size_t offset = entries.size(), length = mask ? std::size_t{1} << bits : 1;
        if (!magic || (offset + length) >> 31) return false;
        lookups.push_back({mask, magic, static_cast<uint32_t>(offset), $width - bits});
        entries.resize(offset + length);
        do {
            auto index = static_cast<uint32_t>(occupied * magic >> ($width - bits));
            entries[offset + index] = walk(line, square, occupied, seen);
            occupied = (occupied - mask) & mask;
        } while (occupied);
        return true;
    }

    Bitboard bit(int x, int y) const { return static_cast<Bitboard>(1) << (files * y + x); }

    // The squares between two: the longer distance is shortened first, equal ones are gone
    // diagonally.
    Bitboard between(int x, int y, int to_x, int to_y) const {
        Bitboard found = 0;
        for (;;) {
            int across = to_x - x, up = to_y - y;
            int wide = std::abs(across), high = std::abs(up);
            if (wide >= high) x += (across > 0) - (across < 0);
            if (high >= wide) y += (up > 0) - (up < 0);
            if (x == to_x && y == to_y) return found;
            found |= bit(x, y);
        }
    }

    // What some steps attack. On an empty board `mask` gets the squares that can change it.
    Bitboard walk(
        const std::vector<Step>& steps, int square, Bitboard occupied, Bitboard& mask
    ) const {
        Bitboard found = 0;
        int from_x = square % files, from_y = square / files;
        for (const Step& step : steps) {
            Bitboard here = 0;
            int x = from_x + step.x, y = from_y + step.y, gone = 0;
            bool hits = step.rule != hopper;
            for (; x >= 0 && x < files && y >= 0 && y < ranks; x += step.x, y += step.y) {
                mask |= here;
                here = bit(x, y);
                if (step.rule == lame || step.rule == lame_back) {
                    Bitboard legs = step.rule == lame ? between(from_x, from_y, x, y)
                                                      : between(x, y, from_x, from_y);
                    mask |= legs;
                    if (!(occupied & legs)) found |= here;
                    break;
                }
                if (hits) found |= here;
                if (hits && ((occupied & here) || ++gone == step.limit)) break;
                if (occupied & here) hits = true;
            }
        }
        return found;
    }
};

inline Piece $pieces_joined;

// Makes the pieces above for a board of up to $width squares; false if that is not possible.
inline bool init(int files, int ranks) {
    bool made = true;
%% for pieces
    made &= ${piece}_piece.make(files, ranks, {
%% for steps
        {$rule, $x, $y, $limit},
%% end
    });
%% end
    return made;
}
%% for pieces

inline Bitboard ${piece}_attacks(unsigned square, Bitboard occupied) {
    return ${piece}_piece.attacks(square, occupied);
}
%% end

}
%% if wide

#pragma GCC diagnostic pop
%% end

#endif
