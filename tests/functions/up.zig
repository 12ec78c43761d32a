fn up(square: u32, occupied: u90) u90 {
    var found: u90 = 0;
    var to = square + 9;
    while (to < 90) : (to += 9) {
        found |= @as(u90, 1) << @intCast(to);
        if (occupied >> @intCast(to) & 1 == 1) break;
    }
    return found;
}

