import java.nio.*;
public class Main {
    public static void main(String[] arguments) throws Exception {
        ByteBuffer in = ByteBuffer.wrap(System.in.readAllBytes());
        in.order(ByteOrder.LITTLE_ENDIAN);
        ByteBuffer out = ByteBuffer.allocate(in.capacity() / 5 * 4);
        out.order(ByteOrder.LITTLE_ENDIAN);
%% for pieces
        for (int n = 0; n < $count; n++) {
            int square = (int) in.getLong();
            var occ = new ${table}.Bitboard256(in.getLong(), in.getLong(), in.getLong(), in.getLong());
            var found = ${table}.$function(square, occ);
            out.putLong(found.word0).putLong(found.word1).putLong(found.word2).putLong(found.word3);
        }
%% end
        System.out.write(out.array());
        System.out.flush();
    }
}
