// The shortest of several runs, in milliseconds: a magic for each mask of the file; all attack tables.
package main

import (
	"encoding/binary"
	"fmt"
	"io"
	"math/bits"
	"os"
	"strconv"
	"syscall"

	"engine/magics"
)

func now() float64 {
	var used syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &used)
	return float64(used.Utime.Nano()+used.Stime.Nano()) / 1e6
}

func main() {
	input, _ := io.ReadAll(os.Stdin)
	var masks []magics.Bitboard
	for ; len(input) >= 16; input = input[16:] {
		lo, hi := binary.LittleEndian.Uint64(input), binary.LittleEndian.Uint64(input[8:])
		masks = append(masks, magics.Bitboard{Lo: lo, Hi: hi})
	}
	runs, _ := strconv.Atoi(os.Args[1])
	best, sum := [2]float64{1e9, 1e9}, uint64(0)
	for ; runs > 0; runs-- {
		start := now()
		for _, mask := range masks {
			magic, _ := magics.Construct(mask, bits.OnesCount64(mask.Lo)+bits.OnesCount64(mask.Hi))
			sum += magic.Lo
		}
		middle := now()
		if _, err := magics.NewPieces(12, 10); err != nil {
			panic(err)
		}
		for n, took := range []float64{middle - start, now() - middle} {
			if took < best[n] {
				best[n] = took
			}
		}
	}
	fmt.Printf("%.2f %.2f %x\n", best[0], best[1], sum)
}
