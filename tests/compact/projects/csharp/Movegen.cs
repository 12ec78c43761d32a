public static class Movegen {
%% for tables
 public static ulong Bishops${n}(int square, ulong occupied) { $bishop return attacks; }
%% end
}
