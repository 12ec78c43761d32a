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
func index$n(occ, mask, big Bitboard128, magic uint64) any { return $shown }
%% end

func wide(x any) Bitboard128 {
	switch x := x.(type) {
	case uint32:
		return Bitboard128{Low: uint64(x)}
	case uint64:
		return Bitboard128{Low: x}
	}
	return x.(Bitboard128)
}

func main() {
	in, out := bufio.NewReader(os.Stdin), bufio.NewWriter(os.Stdout)
	defer out.Flush()
	var q [4]Bitboard128
	for {
		if err := binary.Read(in, binary.LittleEndian, &q); err == io.EOF {
			return
		}
%% for formulas
		binary.Write(out, binary.LittleEndian, wide(index$n(q[0], q[1], q[2], q[3].Low)))
%% end
	}
}
