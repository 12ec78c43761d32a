%% if holes
    if (${own}hole(square)) continue;
%% end
%% if by_parts
    $bitboard mask = $mask, occ = {{0, 0, 0, 0}}, none = occ;
%% else
    $bitboard mask = $mask, occ = 0;
%% end
    do {
