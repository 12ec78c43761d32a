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
%% if literal
%% for buffers

static $array: [$kind; $length] = [
$items
];
%% end
%% else

struct Tables {
%% for buffers
    $name: Box<[$kind; $length]>,
%% end
}

static TABLES: LazyLock<Tables> = LazyLock::new(fill);
%% end
%% include helpers.rs
%% for lookups

/// The squares that a $piece on `square` attacks; the bits of `occ` are the occupied squares.
#[inline]
%% if public
pub fn $called(square: usize, occ: $bitboard) -> $bitboard {
%% else
fn $called(square: usize, occ: $bitboard) -> $bitboard {
%% end
    $expression
}
%% end
%% if not literal

/// Panics at a write that would change an entry.
fn fill() -> Tables {
    let mut tables = Tables {
%% for buffers
%% if wide
        $name: vec![$kind::default(); $length].try_into().unwrap(),
%% else
        $name: vec![0; $length].try_into().unwrap(),
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
