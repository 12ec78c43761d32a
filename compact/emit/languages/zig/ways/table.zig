%% for lookups
%% if public
pub inline fn $called(square: usize, occ: u64) u64 {
%% else
inline fn $called(square: usize, occ: u64) u64 {
%% end
    return $expression;
}

%% end
