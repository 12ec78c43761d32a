package main

import (
	"bufio"
	"encoding/binary"
	"os"
%% for tables
	"boards/${table}"
%% end
)

func main() {
	in, out, q := bufio.NewReader(os.Stdin), bufio.NewWriter(os.Stdout), [5]uint64{}
	defer out.Flush()
%% for pieces
	for n := 0; n < $count; n++ {
		binary.Read(in, binary.LittleEndian, &q)
		occ := ${table}.Bitboard256{Word0: q[1], Word1: q[2], Word2: q[3], Word3: q[4]}
		binary.Write(out, binary.LittleEndian, ${table}.$function(int(q[0]), occ))
	}
%% end
}
