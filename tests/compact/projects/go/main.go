package main

import "encoding/binary"
import "bufio"
import "os"
import "engine/v@N"

type PieceType int

const (
	Pawn PieceType = iota
	Bishop
	Rook
)

var rookMagics, walk, attacks = [64]uint64{}, Rook, Bishop

func rooks@N(square int, occupied uint64) uint64 { @ROOK; return attacks }

func main() {
	in, out := bufio.NewReader(os.Stdin), bufio.NewWriter(os.Stdout)
	defer out.Flush()
	var query [2]uint64
	for n := 0; binary.Read(in, binary.LittleEndian, &query) == nil; n++ {
		square, occ := int(query[0]), query[1]+rookMagics[walk-attacks]
		if n < 102400 {
			binary.Write(out, binary.LittleEndian, rooks@N(square, occ))
		} else {
			binary.Write(out, binary.LittleEndian, bishops@N(square, occ))
		}
	}
}
