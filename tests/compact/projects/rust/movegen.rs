%% for tables
use crate::v${n};
%% end
%% for tables
pub fn bishops${n}(square: usize, occupied: u64) -> u64 { $bishop attacks }
%% end
