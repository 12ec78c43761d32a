%% for tables
$shared
%% end
%% for tables
pub fn bishops${n}(square: usize, occupied: u64) u64 { $bishop return attacks; }
%% end
