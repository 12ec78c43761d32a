import engine.magics.*;
import java.nio.*;
public class Main {
    enum PieceType { PAWN, BISHOP, ROOK }
    static long rooks@N(int square, long occupied) { @ROOK return attacks; }
    public static void main(String[] arguments) throws Exception {
        ByteBuffer in = ByteBuffer.wrap(System.in.readAllBytes()).order(ByteOrder.LITTLE_ENDIAN);
        ByteBuffer out = ByteBuffer.allocate(in.capacity() / 2 * TABLES);
        out.order(ByteOrder.LITTLE_ENDIAN);
        for (int n = 0; in.hasRemaining(); n++) {
            int square = (int) in.getLong();
            long occ = in.getLong();
            out.putLong(n < 102400 ? rooks@N(square, occ) : Movegen.bishops@N(square, occ));
        }
        System.out.write(out.array());
        System.out.flush();
    }
}
