import engine.magics.*;
class Movegen {
static long bishops@N(int square, long occupied) { @BISHOP return attacks; }
}
