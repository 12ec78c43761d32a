package main
import ("bufio"; "encoding/binary"; "math/bits"; "os")
$helpers
%% for formulas
func index$n(occ uint64, mask uint64) uint64 { return uint64($shown) }
%% end
var _ = bits.UintSize
func main() {
	in, out := bufio.NewReader(os.Stdin), bufio.NewWriter(os.Stdout)
	defer out.Flush()
	var q [2]uint64
	for binary.Read(in, binary.LittleEndian, &q) == nil {
%% for formulas
		binary.Write(out, binary.LittleEndian, index$n(q[0], q[1]))
%% end
	}
}
