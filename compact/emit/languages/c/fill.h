%% for pieces
for (unsigned square = 0; square < $squares; square++) {
%% if not boards
    static const int steps[4][2] = {$steps};
%% end
    $bitboard mask = $mask, occ = 0;
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
        occ = (occ - mask) & mask;
    } while (occ);
}
%% end
%% if boards
%% for pieces
for (unsigned square = 0; square < $squares; square++) {
    $bitboard mask = $mask, occ = 0;
    do {
        $bitboard reached = ${own}walk(square, occ, &${own}${piece}_moves);
        uint64_t slot = $slot;
        ${own}check(($array[slot]) == reached);
        occ = (occ - mask) & mask;
    } while (occ);
}
%% end
%% end
