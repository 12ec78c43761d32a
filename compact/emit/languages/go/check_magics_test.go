$heading
//
// Save it as check_magics_test.go in the package that has the lookups, whose name
// --package gives. Then: go test -run Lookups

package $package

import (
	"math/bits"
	"testing"
)

// The engine's two lookups. If yours have other names or types, write these two as wrappers:
//
//	func rookAttacks(square int, occupied uint64) uint64
//	func bishopAttacks(square int, occupied uint64) uint64
var checkedLookups = map[string]func(int, uint64) uint64{
	"rook":   rookAttacks,
	"bishop": bishopAttacks,
}

var checkSteps = map[string][4][2]int{
	"rook":   {{0, 1}, {1, 0}, {0, -1}, {-1, 0}},
	"bishop": {{1, 1}, {1, -1}, {-1, -1}, {-1, 1}},
}

// checkReached has each ray up to its first blocker; where less is 1, without its last square.
func checkReached(piece string, square int, occupied uint64, less int) (squares uint64) {
	for _, step := range checkSteps[piece] {
		x, y := step[0], step[1]
		file, rank := square&7+x, square>>3+y
		for (file+less*x)&^7 == 0 && (rank+less*y)&^7 == 0 {
			bit := uint64(1) << (8*rank + file)
			squares |= bit
			if occupied&bit != 0 {
				break
			}
			file += x
			rank += y
		}
	}
	return squares
}

// checkOthers has what is tried outside of the mask: nothing, all, each square, and some at random.
func checkOthers(mask uint64, state *uint64) []uint64 {
	tried := []uint64{0, ^mask}
	for rest := ^mask; rest != 0; rest &= rest - 1 {
		tried = append(tried, rest&-rest)
	}
	for n := 0; n < 4; n++ {
		*state ^= *state << 13
		*state ^= *state >> 7
		*state ^= *state << 17
		tried = append(tried, *state&^mask)
	}
	return tried
}

// checkLookups shows, of the occupancies that are answered wrongly, the one with the fewest squares.
func checkLookups(t *testing.T, piece string) {
	state, count, lookup := uint64(88172645463325252), 0, checkedLookups[piece]
	for square := 0; square < 64; square++ {
		mask := checkReached(piece, square, 0, 1)
		occ, shown, fewest := uint64(0), uint64(0), 65
		for {
			expected := checkReached(piece, square, occ, 0)
			for _, more := range checkOthers(mask, &state) {
				count++
				squares := bits.OnesCount64(occ | more)
				if lookup(square, occ|more) != expected && squares < fewest {
					shown, fewest = occ|more, squares
				}
			}
			occ = (occ - mask) & mask
			if occ == 0 {
				break
			}
		}
		if fewest < 65 {
			t.Fatalf("wrong: %s on square %d, occupied 0x%016x, of it in the mask 0x%016x: "+
				"expected 0x%016x, found 0x%016x", piece, square, shown, shown&mask,
				checkReached(piece, square, shown, 0), lookup(square, shown))
		}
	}
	t.Logf("right: %d lookups", count)
}

func TestRookLookups(t *testing.T) { checkLookups(t, "rook") }

func TestBishopLookups(t *testing.T) { checkLookups(t, "bishop") }
