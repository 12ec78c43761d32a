import java.nio.*;
public class Main {
$helpers
%% for formulas
    static long index$n(long occ, long mask) { return $shown; }
%% end
    public static void main(String[] arguments) throws Exception {
        ByteBuffer in = ByteBuffer.wrap(System.in.readAllBytes()).order(ByteOrder.LITTLE_ENDIAN);
        ByteBuffer out = ByteBuffer.allocate(in.capacity() / 2 * $count);
        out.order(ByteOrder.LITTLE_ENDIAN);
        while (in.hasRemaining()) {
            long x = in.getLong(), y = in.getLong();
%% for formulas
            out.putLong(index$n(x, y));
%% end
        }
        System.out.write(out.array());
        System.out.flush();
    }
}
