fn up(mut square: u32, occupied: u128) -> u128 {
    let mut found = 0;
    square += 9;
    while square < 90 {
        found |= 1 << square;
        if occupied >> square & 1 == 1 {
            break;
        }
        square += 9;
    }
    found
}

