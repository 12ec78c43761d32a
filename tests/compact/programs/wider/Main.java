import java.nio.*;
public class Main {
$helpers
%% for formulas
    static Object index$n(Bitboard256 occ, Bitboard256 mask, Bitboard256 big, long magic) { return $shown; }
%% end
    static Bitboard256 wide(Object x) {
        if (x instanceof Bitboard256) return (Bitboard256) x;
        return new Bitboard256(x instanceof Integer ? Integer.toUnsignedLong((Integer) x) : (Long) x, 0, 0, 0);
    }
    static Bitboard256 next(ByteBuffer in) { return new Bitboard256(in.getLong(), in.getLong(), in.getLong(), in.getLong()); }
    public static void main(String[] arguments) throws Exception {
        ByteBuffer in = ByteBuffer.wrap(System.in.readAllBytes()).order(ByteOrder.LITTLE_ENDIAN);
        ByteBuffer out = ByteBuffer.allocate(in.capacity() / 4 * $count);
        out.order(ByteOrder.LITTLE_ENDIAN);
        while (in.hasRemaining()) {
            Bitboard256 occ = next(in), mask = next(in), big = next(in), x;
            long magic = next(in).word0;
%% for formulas
            x = wide(index$n(occ, mask, big, magic));
            out.putLong(x.word0).putLong(x.word1).putLong(x.word2).putLong(x.word3);
%% end
        }
        System.out.write(out.array());
        System.out.flush();
    }
}
