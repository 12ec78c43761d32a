//! Kogge-Stone fills: all sliders of one direction at once, by doubling steps.

const not_a: u64 = 0xfefefefefefefefe;
const not_h: u64 = 0x7f7f7f7f7f7f7f7f;
const all: u64 = 0xffffffffffffffff;

fn moved(comptime by: i8, squares: u64) u64 {
    return if (by > 0) squares << by else squares >> -by;
}

fn fill(comptime by: i8, comptime edge: u64, sliders: u64, occupied: u64) u64 {
    var reached = sliders;
    var open = ~occupied & edge;
    reached |= open & moved(by, reached);
    open &= moved(by, open);
    reached |= open & moved(2 * by, reached);
    open &= moved(2 * by, open);
    reached |= open & moved(4 * by, reached);
    return moved(by, reached) & edge;
}

export fn north(sliders: u64, occupied: u64) u64 {
    return fill(8, all, sliders, occupied);
}

export fn south_east(sliders: u64, occupied: u64) u64 {
    return fill(-7, not_a, sliders, occupied);
}

export fn rooks(sliders: u64, occupied: u64) u64 {
    return fill(8, all, sliders, occupied) | fill(-8, all, sliders, occupied) |
        fill(1, not_a, sliders, occupied) | fill(-1, not_h, sliders, occupied);
}

export fn bishops(sliders: u64, occupied: u64) u64 {
    return fill(9, not_a, sliders, occupied) | fill(7, not_h, sliders, occupied) |
        fill(-7, not_a, sliders, occupied) | fill(-9, not_h, sliders, occupied);
}
