// Every occupancy of every mask, and squares outside of it: against a walk along the rays.

use $identifier::{bishop_attacks, rook_attacks};

%% include ../../languages/rust/all_lookups.rs
