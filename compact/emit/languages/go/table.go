$heading

%% if boards
// Package $scope looks up the squares that the pieces of a board attack.
%% else
// Package $scope looks up the squares that rooks and bishops attack.
%% end
package $scope
%% if by_parts

import "math/bits"
%% else
%% if uses bits.

import "math/bits"
%% end
%% end
%% for pieces

type ${piece}Magic struct {
%% for columns
	$column_padded $kind
%% end
}

var ${piece}Magics = [$squares]${piece}Magic{
$rows
}
%% end
%% if literal
%% for buffers

var $array = [$length]$kind{
$items
}
%% end
%% else

var $arrays = filled()
%% end
%% include helpers.go
%% for lookups

// $called returns the squares that a $piece on square attacks. The bits of occ are the
// occupied squares.
func $called(square int, occ $bitboard) $bitboard {
%% if mirror
	if square < 32 {
		return $lower
	}
	return $upper
%% else
	slot := $slot
	return $by_slot
%% end
}
%% end
%% if not literal

func filled() ($results) {
%% for pieces
	for square := 0; square < $squares; square++ {
		mask, occ := $mask, uint64(0)
		for {
			reached := walk(square, occ, [4][2]int{$steps})
			slot := $slot
			if $array[slot] != 0 && $array[slot] != reached {
				panic("a write would change an entry of the buffer")
			}
			$array[slot] = reached
			if occ = (occ - mask) & mask; occ == 0 {
				break
			}
		}
	}
%% end
	return
}

func walk(square int, occ uint64, steps [4][2]int) uint64 {
	var reached uint64
	for _, step := range steps {
		file, rank := square&7+step[0], square>>3+step[1]
		for file >= 0 && file < 8 && rank >= 0 && rank < 8 {
			bit := uint64(1) << (8*rank + file)
			reached |= bit
			if occ&bit != 0 {
				break
			}
			file += step[0]
			rank += step[1]
		}
	}
	return reached
}
%% end
