#include "magics.hpp"
#include <cstdio>
#pragma GCC diagnostic ignored "-Wpedantic"
#pragma GCC diagnostic ignored "-Wshift-count-overflow"

using B = magics::Bitboard;
constexpr int half = sizeof(B) > 8 ? 64 : 0;

int main() {
    const magics::Piece *pieces[] = {
%% for pieces
        &magics::${piece}_piece,
%% end
    };
    std::uint64_t q[4];
    while (std::fread(q, 8, 4, stdin) == 4) {
        B set = static_cast<B>((half ? static_cast<B>(q[3]) << half : 0) | q[2]), found;
        if (q[0] == 0) found = magics::construct(set, static_cast<int>(q[1]));
        else if (q[0] == 1) found = magics::init(static_cast<int>(q[1]), static_cast<int>(q[2]));
        else found = pieces[q[0] - 2]->attacks(static_cast<unsigned>(q[1]), set);
        std::uint64_t words[2] = {static_cast<std::uint64_t>(found), static_cast<std::uint64_t>(half ? found >> half : 0)};
        if (std::fwrite(words, 8, 2, stdout) != 2) return 1;
    }
    return 0;
}
