//! Magics of the rook's first rank only: a list of attack sets whose address is kept as a number, as
//! some engines do it, and rays for the rest.

static mut RANK: [u64; 64] = [0; 64];
static mut PLACE: usize = 0;

const fn ray(square: u32, occupied: u64, files: i32, ranks: i32) -> u64 {
    let (mut file, mut rank, mut attacks) = ((square & 7) as i32, (square >> 3) as i32, 0);
    loop {
        file += files;
        rank += ranks;
        if (file | rank) & !7 != 0 {
            return attacks;
        }
        let bit = 1u64 << (8 * rank + file);
        attacks |= bit;
        if occupied & bit != 0 {
            return attacks;
        }
    }
}

#[no_mangle]
pub extern "C" fn init() {
    for inner in 0..64u64 {
        let set = ray(0, inner << 1, 1, 0);
        unsafe { RANK[inner as usize] = set }
    }
    unsafe { PLACE = core::ptr::addr_of!(RANK) as usize }
}

#[no_mangle]
pub extern "C" fn rook_attacks(square: u32, occupied: u64) -> u64 {
    let east = if square == 0 {
        unsafe { *(PLACE as *const u64).add((occupied as usize >> 1) & 63) }
    } else {
        ray(square, occupied, 1, 0)
    };
    let west = ray(square, occupied, -1, 0);
    east | west | ray(square, occupied, 0, 1) | ray(square, occupied, 0, -1)
}
