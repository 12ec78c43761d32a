package main

import (
	"bufio"
	"encoding/binary"
	"os"
%% for tables
	"boards/${table}"
%% end
)

var in, out, q = bufio.NewReader(os.Stdin), bufio.NewWriter(os.Stdout), [3]uint64{}

func read() {
	binary.Read(in, binary.LittleEndian, &q)
}

func write(low, high uint64) {
	binary.Write(out, binary.LittleEndian, [2]uint64{low, high})
}

func main() {
	defer out.Flush()
%% for pieces
%% if wide
	for n := 0; n < $count; n++ {
		read()
		x := ${table}.$function(int(q[0]), ${table}.Bitboard128{Low: q[1], High: q[2]})
		write(x.Low, x.High)
	}
%% else
	for n := 0; n < $count; n++ { read(); write(${table}.$function(int(q[0]), q[1]), 0) }
%% end
%% end
}
