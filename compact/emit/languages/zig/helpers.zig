%% if uses extractBits(

fn extractBits(x: u64, mask: u64) u64 {
    var bits: u64 = 0;
    var bit: u64 = 1;
    var rest = mask;
    while (rest != 0) {
        if (x & rest & -%rest != 0) bits |= bit;
        bit <<= 1;
        rest &= rest - 1;
    }
    return bits;
}
%% end
