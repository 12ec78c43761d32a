package main

import (
	"bufio"
	"encoding/binary"
	"os"
	"boards/@TABLE"
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
	for n := 0; n < @COUNT; n++ { read(); write(@TABLE.@FUNCTION(int(q[0]), q[1])) }
}
