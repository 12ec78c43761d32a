%% for pieces
for (unsigned square = 0; square < $squares; square++) {
%% if not boards
    static const int steps[4][2] = {$steps};
%% end
%% include occupancies_begin.h
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
%% include occupancies_end.h
}
%% end
%% if boards
%% for pieces
for (unsigned square = 0; square < $squares; square++) {
%% include occupancies_begin.h
        $bitboard reached = ${own}walk(square, occ, &${own}${piece}_moves);
        uint64_t slot = $slot;
%% if by_parts
        ${own}check(${own}equal_256($array[slot], reached));
%% else
        ${own}check(($array[slot]) == reached);
%% end
%% include occupancies_end.h
}
%% end
%% end
