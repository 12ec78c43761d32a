using System;
using System.IO;
public static class Program {
    public static void Main() {
        var input = new BinaryReader(Console.OpenStandardInput());
        var output = new BinaryWriter(Console.OpenStandardOutput());
%% for pieces
        for (int n = 0; n < $count; n++) {
            int square = (int)input.ReadUInt64();
            var occ = new ${table}.Bitboard256(input.ReadUInt64(), input.ReadUInt64(), input.ReadUInt64(), input.ReadUInt64());
            var found = ${table}.$function(square, occ);
            foreach (ulong word in new[] {found.Word0, found.Word1, found.Word2, found.Word3}) output.Write(word);
        }
%% end
        output.Flush();
    }
}
