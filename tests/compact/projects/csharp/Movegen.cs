public static class Movegen {
 public static ulong Bishops@N(int square, ulong occupied) { @BISHOP return attacks; }
}
