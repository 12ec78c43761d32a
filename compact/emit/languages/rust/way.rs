$heading

%% if several
%% for choices
%% if condition
#[cfg($condition)]
%% else
%% if alone
#[cfg(not($conditions))]
%% else
#[cfg(not(any(
    $conditions
)))]
%% end
%% end
mod way {
$part
}

%% end
pub use way::{bishop_attacks, queen_attacks, rook_attacks};
%% else
%% for choices
$part
%% end
%% end
