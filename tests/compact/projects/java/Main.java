import engine.magics.*;
import java.nio.*;
public class Main {
    enum PieceType { PAWN, BISHOP, ROOK }
%% for tables
    static long rooks${n}(int square, long occupied) { $rook return attacks; }
%% end
    public static void main(String[] arguments) throws Exception {
        ByteBuffer in = ByteBuffer.wrap(System.in.readAllBytes()).order(ByteOrder.LITTLE_ENDIAN);
        ByteBuffer out = ByteBuffer.allocate(in.capacity() / 2 * $count);
        out.order(ByteOrder.LITTLE_ENDIAN);
        for (int n = 0; in.hasRemaining(); n++) {
            int square = (int) in.getLong();
            long occ = in.getLong();
%% for tables
            out.putLong(n < 102400 ? rooks${n}(square, occ) : Movegen.bishops${n}(square, occ));
%% end
        }
        System.out.write(out.array());
        System.out.flush();
    }
}
