package main
import ("bufio"; "encoding/binary"; "math/bits"; "os")
HELPERS
func fN(occ uint64, mask uint64) uint64 { return uint64(EXPRESSION) }
var _ = bits.UintSize
func main() {
	in, out := bufio.NewReader(os.Stdin), bufio.NewWriter(os.Stdout)
	defer out.Flush()
	var q [2]uint64
	for binary.Read(in, binary.LittleEndian, &q) == nil {
		binary.Write(out, binary.LittleEndian, fN(q[0], q[1]))
	}
}
