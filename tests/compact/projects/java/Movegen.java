import engine.magics.*;
class Movegen {
%% for tables
static long bishops${n}(int square, long occupied) { $bishop return attacks; }
%% end
}
