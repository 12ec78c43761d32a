$head
export function rooks(square, occupied) { $rook return attacks; }
