
using System;
using System.IO;
public enum PieceType { Pawn, Bishop, Rook }
public static class Program {
    static ulong Rooks@N(int square, ulong occupied) { @ROOK return attacks; }
    public static void Main() {
        var input = new BinaryReader(Console.OpenStandardInput());
        var output = new BinaryWriter(Console.OpenStandardOutput());
        for (int n = 0; n < 107648; n++) {
            int square = (int)input.ReadUInt64();
            ulong occ = input.ReadUInt64();
            output.Write(n < 102400 ? Rooks@N(square, occ) : Movegen.Bishops@N(square, occ));
        }
        output.Flush();
    }
}
