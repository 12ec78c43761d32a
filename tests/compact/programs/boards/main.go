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

func write(x uint64) {
	binary.Write(out, binary.LittleEndian, [2]uint64{x, 0})
}

func main() {
	defer out.Flush()
%% for pieces
	for n := 0; n < $count; n++ { read(); write(${table}.$function(int(q[0]), q[1])) }
%% end
}
