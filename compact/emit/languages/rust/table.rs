$heading
%% if not literal

use std::sync::LazyLock;
%% end
%% for pieces

struct ${Piece}Magic {
%% for columns
    $column: $kind,
%% end
}

static $PIECE: [${Piece}Magic; $squares] = [
$rows
];
%% end
%% for buffers
%% if literal

static $array: [$kind; $length] = [
$items
];
%% end
%% end
%% if not literal

%% if capitals
#[allow(non_snake_case)]
%% end
struct Tables {
%% for buffers
%% if not literal
    $name: Box<[$kind; $length]>,
%% end
%% end
}

static TABLES: LazyLock<Tables> = LazyLock::new(fill);
%% end
%% include helpers.rs
%% for lookups

%% if occ_argument
/// The squares that $a_piece on `square` attacks; the bits of `occ` are the occupied squares.
%% else
/// The squares that $a_piece on `square` attacks.
%% end
%% if capitals
#[allow(non_snake_case)]
%% end
#[inline]
%% if public
pub fn $called(square: usize$occ_parameter) -> $bitboard {
%% else
fn $called(square: usize$occ_parameter) -> $bitboard {
%% end
    $expression
}
%% end
%% if not literal

/// Panics at a write that would change an entry.
fn fill() -> Tables {
    let mut tables = Tables {
%% for buffers
%% if not literal
%% if wide
        $name: vec![$kind::default(); $length].try_into().unwrap(),
%% else
        $name: vec![0; $length].try_into().unwrap(),
%% end
%% end
%% end
    };
%% for pieces
    for (square, magic) in $PIECE.iter().enumerate() {
%% if holes
        if HOLES.contains(&square) {
            continue;
        }
%% end
        for occ in subsets(magic.mask) {
%% if boards
            let reached = walk(square, occ, &${PIECE}_MOVES);
%% else
            let reached = walk(square, occ, [$steps]);
%% end
            let slot = $slot;
%% if not boards
            assert!($array[slot] == 0 || $array[slot] == reached);
%% end
            $array[slot] = reached;
        }
    }
%% end
%% if boards
%% for pieces
    for (square, magic) in $PIECE.iter().enumerate() {
%% if holes
        if HOLES.contains(&square) {
            continue;
        }
%% end
        for occ in subsets(magic.mask) {
            let reached = walk(square, occ, &${PIECE}_MOVES);
            let slot = $slot;
            assert_eq!($array[slot], reached);
        }
    }
%% end
%% end
    tables
}

%% include walk.rs
%% end
