package main

import (
	"bufio"
	"encoding/binary"
	"os"

	"engine/magics"
)

%% if wide
func set(lo, hi uint64) magics.Bitboard { return magics.Bitboard{Lo: lo, Hi: hi} }

func words(b magics.Bitboard) [2]uint64 { return [2]uint64{b.Lo, b.Hi} }
%% else
func set(lo, hi uint64) magics.Bitboard { return lo }

func words(b magics.Bitboard) [2]uint64 { return [2]uint64{b, 0} }
%% end

func main() {
	in, out, q := bufio.NewReader(os.Stdin), bufio.NewWriter(os.Stdout), [4]uint64{}
	defer out.Flush()
	var pieces []*magics.Piece
	for binary.Read(in, binary.LittleEndian, &q) == nil {
		var found magics.Bitboard
		switch q[0] {
		case 0:
			found, _ = magics.Construct(set(q[2], q[3]), int(q[1]))
		case 1:
			p, err := magics.NewPieces(int(q[1]), int(q[2]))
			if err == nil {
				found = set(1, 0)
				pieces = []*magics.Piece{
%% for pieces
					p.$Piece,
%% end
				}
			}
		default:
			found = pieces[q[0]-2].Attacks(int(q[1]), set(q[2], q[3]))
		}
		binary.Write(out, binary.LittleEndian, words(found))
	}
}
