
using System;
using System.IO;
public enum PieceType { Pawn, Bishop, Rook }
public static class Program {
%% for tables
    static ulong Rooks${n}(int square, ulong occupied) { $rook return attacks; }
%% end
    public static void Main() {
        var input = new BinaryReader(Console.OpenStandardInput());
        var output = new BinaryWriter(Console.OpenStandardOutput());
        for (int n = 0; n < 107648; n++) {
            int square = (int)input.ReadUInt64();
            ulong occ = input.ReadUInt64();
%% for tables
            output.Write(n < 102400 ? Rooks${n}(square, occ) : Movegen.Bishops${n}(square, occ));
%% end
        }
        output.Flush();
    }
}
