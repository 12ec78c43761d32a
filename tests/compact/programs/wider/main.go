package main

import (
	"bufio"
	"encoding/binary"
	"io"
	"math/bits"
	"os"
)
$helpers
%% for formulas
func index$n(occ, mask, big $bitboard, magic uint64) $bitboard { return $shown }
%% end

func main() {
	in, out := bufio.NewReader(os.Stdin), bufio.NewWriter(os.Stdout)
	defer out.Flush()
	var q [4]$bitboard
	for {
		if err := binary.Read(in, binary.LittleEndian, &q); err == io.EOF {
			return
		}
%% for formulas
		binary.Write(out, binary.LittleEndian, index$n(q[0], q[1], q[2], q[3].Word0))
%% end
	}
}
