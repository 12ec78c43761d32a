@SHARED
export function bishops(square, occupied) { @BISHOP return attacks; }
