import java.nio.*;
public class Main {
$helpers
%% for formulas
    static Object index$n(Bitboard128 occ, Bitboard128 mask, Bitboard128 big, long magic) { return $shown; }
%% end
    static Bitboard128 wide(Object x) {
        if (x instanceof Bitboard128) return (Bitboard128) x;
        return new Bitboard128(x instanceof Integer ? Integer.toUnsignedLong((Integer) x) : (Long) x, 0);
    }
    static Bitboard128 next(ByteBuffer in) { return new Bitboard128(in.getLong(), in.getLong()); }
    public static void main(String[] arguments) throws Exception {
        ByteBuffer in = ByteBuffer.wrap(System.in.readAllBytes()).order(ByteOrder.LITTLE_ENDIAN);
        ByteBuffer out = ByteBuffer.allocate(in.capacity() / 4 * $count);
        out.order(ByteOrder.LITTLE_ENDIAN);
        while (in.hasRemaining()) {
            Bitboard128 occ = next(in), mask = next(in), big = next(in), x;
            long magic = next(in).low;
%% for formulas
            x = wide(index$n(occ, mask, big, magic));
            out.putLong(x.low).putLong(x.high);
%% end
        }
        System.out.write(out.array());
        System.out.flush();
    }
}
