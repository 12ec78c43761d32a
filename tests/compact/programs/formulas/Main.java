import java.nio.*;
public class Main {
    HELPERS
    static long fN(long occ, long mask) { return EXPRESSION; }
    public static void main(String[] arguments) throws Exception {
        ByteBuffer in = ByteBuffer.wrap(System.in.readAllBytes()).order(ByteOrder.LITTLE_ENDIAN);
        ByteBuffer out = ByteBuffer.allocate(in.capacity() / 2 * COUNT);
        out.order(ByteOrder.LITTLE_ENDIAN);
        while (in.hasRemaining()) {
            long x = in.getLong(), y = in.getLong();
            out.putLong(fN(x, y));
        }
        System.out.write(out.array());
        System.out.flush();
    }
}
