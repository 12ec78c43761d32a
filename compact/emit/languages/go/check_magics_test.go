$heading
//
// Save it as check_magics_test.go in the package that has the lookups, whose name
// --package gives. Then: go test -run Lookups

package $package

import "testing"

// The engine's. If its own have other names or types, write these two beside them:
//     func rookAttacks(square int, occupied uint64) uint64
//     func bishopAttacks(square int, occupied uint64) uint64
var checkedLookups = map[string]func(int, uint64) uint64{
	"rook":   rookAttacks,
	"bishop": bishopAttacks,
}

var checkSteps = map[string][4][2]int{
	"rook":   {{0, 1}, {1, 0}, {0, -1}, {-1, 0}},
	"bishop": {{1, 1}, {1, -1}, {-1, -1}, {-1, 1}},
}

// checkRay has the squares from a square to the edge, nearest first.
func checkRay(square int, step [2]int) (squares []uint64) {
	file, rank := square&7+step[0], square>>3+step[1]
	for file >= 0 && file < 8 && rank >= 0 && rank < 8 {
		squares = append(squares, 1<<(8*rank+file))
		file += step[0]
		rank += step[1]
	}
	return squares
}

// checkWalk has the attacked squares: each ray up to its first blocker.
func checkWalk(rays [][]uint64, occupied uint64) (reached uint64) {
	for _, ray := range rays {
		for _, bit := range ray {
			reached |= bit
			if occupied&bit != 0 {
				break
			}
		}
	}
	return reached
}

// checkAround has the occupancies with which one occupancy of the mask is looked up.
func checkAround(occ, mask uint64, state *uint64) []uint64 {
	outside := ^mask
	tried := []uint64{occ, occ | outside}
	for rest := outside; rest != 0; rest &= rest - 1 {
		tried = append(tried, occ|rest&-rest)
	}
	for n := 0; n < 4; n++ {
		*state ^= *state << 13
		*state ^= *state >> 7
		*state ^= *state << 17
		tried = append(tried, occ|*state&outside)
	}
	return tried
}

func checkLookups(t *testing.T, piece string) {
	state, count := uint64(88172645463325252), 0
	for square := 0; square < 64; square++ {
		var rays [][]uint64
		var mask, occ uint64
		for _, step := range checkSteps[piece] {
			squares := checkRay(square, step)
			rays = append(rays, squares)
			for n := 0; n < len(squares)-1; n++ {
				mask |= squares[n]
			}
		}
		for {
			expected := checkWalk(rays, occ)
			for _, occupied := range checkAround(occ, mask, &state) {
				count++
				if found := checkedLookups[piece](square, occupied); found != expected {
					t.Fatalf("wrong: %s on square %d, occupied %#016x, of it in the mask %#016x: "+
						"expected %#016x, found %#016x",
						piece, square, occupied, occupied&mask, expected, found)
				}
			}
			occ = (occ - mask) & mask
			if occ == 0 {
				break
			}
		}
	}
	t.Logf("right: %d lookups", count)
}

func TestRookLookups(t *testing.T) { checkLookups(t, "rook") }

func TestBishopLookups(t *testing.T) { checkLookups(t, "bishop") }
