@HEAD
export function rooks(square, occupied) { @ROOK return attacks; }
