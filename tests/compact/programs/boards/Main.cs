using System;
using System.IO;
public static class Program {
    public static void Main() {
        var input = new BinaryReader(Console.OpenStandardInput());
        var output = new BinaryWriter(Console.OpenStandardOutput());
%% for pieces
        for (int n = 0; n < $count; n++) {
            int square = (int)input.ReadUInt64();
            ulong low = input.ReadUInt64(), high = input.ReadUInt64();
            GC.KeepAlive(low ^ high);
%% if wide
            var found = ${table}.$function(square$cut, new ${table}.Bitboard128(low, high)$uncut);
            output.Write(found.Low);
            output.Write(found.High);
%% else
            output.Write(${table}.$function(square$cut, low$uncut));
            output.Write(high);
%% end
        }
%% end
        output.Flush();
    }
}
