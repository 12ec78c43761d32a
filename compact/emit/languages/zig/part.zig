%% for pieces
const ${Piece}Magic = struct { $fields };

const $piece = [$squares]${Piece}Magic{
$rows
};

%% end
%% for lists
%% if across
%% if aligned
const $name = [$length]@Vector($across, $kind){
%% else
const $name = [$length][$across]$kind{
%% end
%% else
const $name = [$length]$kind{
%% end
$items
};

%% end
%% include helpers.zig
$body
%% if uses queenAttacks(
%% else

pub inline fn queenAttacks(square: usize, occ: u64) u64 {
    return @This().rookAttacks(square, occ) | @This().bishopAttacks(square, occ);
}
%% end
