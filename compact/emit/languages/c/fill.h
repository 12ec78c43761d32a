%% for pieces
for (unsigned square = 0; square < $squares; square++) {
%% if not boards
    static const int steps[4][2] = {$steps};
%% end
%% if holes
    if (${own}hole(square)) continue;
%% end
%% if by_parts
    $bitboard mask = $mask, occ = {{0, 0, 0, 0}}, none = occ;
%% else
    $bitboard mask = $mask, occ = 0;
%% end
    do {
%% if boards
        $bitboard reached = ${own}walk(square, occ, &${own}${piece}_moves);
%% else
        $bitboard reached = ${own}walk(square, occ, steps);
%% end
        uint64_t slot = $slot;
%% if boards
        ${own}check(slot < $length);
%% else
        ${own}check(slot < $length && ($array[slot] == 0 || $array[slot] == reached));
%% end
        $array[slot] = reached;
%% if by_parts
        occ = ${own}and_256(${own}subtract_256(occ, mask), mask);
    } while (!${own}equal_256(occ, none));
%% else
        occ = (occ - mask) & mask;
    } while (occ);
%% end
}
%% end
%% if boards
%% for pieces
for (unsigned square = 0; square < $squares; square++) {
%% if holes
    if (${own}hole(square)) continue;
%% end
%% if by_parts
    $bitboard mask = $mask, occ = {{0, 0, 0, 0}}, none = occ;
%% else
    $bitboard mask = $mask, occ = 0;
%% end
    do {
        $bitboard reached = ${own}walk(square, occ, &${own}${piece}_moves);
        uint64_t slot = $slot;
%% if by_parts
        ${own}check(${own}equal_256($array[slot], reached));
        occ = ${own}and_256(${own}subtract_256(occ, mask), mask);
    } while (!${own}equal_256(occ, none));
%% else
        ${own}check(($array[slot]) == reached);
        occ = (occ - mask) & mask;
    } while (occ);
%% end
}
%% end
%% end
