$shared
export function bishops(square, occupied) { $bishop return attacks; }
