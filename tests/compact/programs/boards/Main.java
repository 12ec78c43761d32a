import java.nio.*;
public class Main {
    public static void main(String[] arguments) throws Exception {
        ByteBuffer in = ByteBuffer.wrap(System.in.readAllBytes());
        in.order(ByteOrder.LITTLE_ENDIAN);
        ByteBuffer out = ByteBuffer.allocate(in.capacity() / 3 * 2);
        out.order(ByteOrder.LITTLE_ENDIAN);
%% for pieces
        for (int n = 0; n < $count; n++) {
            int square = (int) in.getLong();
            long low = in.getLong(), high = in.getLong();
%% if wide
            var found = ${table}.$function(square$cut, new ${table}.Bitboard128(low, high)$uncut);
            out.putLong(found.low).putLong(found.high);
%% else
            out.putLong(${table}.$function(square$cut, low$uncut)).putLong(high);
%% end
        }
%% end
        System.out.write(out.array());
        System.out.flush();
    }
}
