package main

import "encoding/binary"
import "bufio"
import "os"
%% for tables
import "engine/v${n}"
%% end

type PieceType int

const (
	Pawn PieceType = iota
	Bishop
	Rook
)

var rookMagics, walk, attacks = [64]uint64{}, Rook, Bishop

%% for tables
func rooks${n}(square int, occupied uint64) uint64 { $rook; return attacks }
%% end

func main() {
	in, out := bufio.NewReader(os.Stdin), bufio.NewWriter(os.Stdout)
	defer out.Flush()
	var query [2]uint64
	for n := 0; binary.Read(in, binary.LittleEndian, &query) == nil; n++ {
		square, occ := int(query[0]), query[1]+rookMagics[walk-attacks]
		if n < 102400 {
%% for tables
			binary.Write(out, binary.LittleEndian, rooks${n}(square, occ))
%% end
		} else {
%% for tables
			binary.Write(out, binary.LittleEndian, bishops${n}(square, occ))
%% end
		}
	}
}
