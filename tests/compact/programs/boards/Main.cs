using System;
using System.IO;
public static class Program {
    public static void Main() {
        var input = new BinaryReader(Console.OpenStandardInput());
        var output = new BinaryWriter(Console.OpenStandardOutput());
        for (int n = 0; n < @COUNT; n++) { int square = (int)input.ReadUInt64(); ulong occ = input.ReadUInt64(); input.ReadUInt64(); output.Write(@TABLE.@FUNCTION(square, occ)); output.Write(0UL); }
        output.Flush();
    }
}
