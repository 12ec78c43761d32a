using System;
using System.IO;
public static class Program {
    public static void Main() {
        var input = new BinaryReader(Console.OpenStandardInput());
        var output = new BinaryWriter(Console.OpenStandardOutput());
%% for pieces
        for (int n = 0; n < $count; n++) { int square = (int)input.ReadUInt64(); ulong occ = input.ReadUInt64(); input.ReadUInt64(); output.Write(${table}.$function(square, occ)); output.Write(0UL); }
%% end
        output.Flush();
    }
}
