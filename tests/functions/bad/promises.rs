//! Promises that unsafe code makes, and breaks for one occupancy. The first two become one function
//! once they are optimised: the compiler gives one of them the other's name.

fn rook(square: u32, occupied: u64) -> u64 {
    let mut attacks = 0u64;
    for (files, ranks) in [(1, 0), (-1, 0), (0, 1), (0, -1)] {
        let (mut file, mut rank) = ((square & 7) as i32, (square >> 3) as i32);
        loop {
            file += files;
            rank += ranks;
            if (file | rank) & !7 != 0 {
                break;
            }
            let bit = 1u64 << (8 * rank + file);
            attacks |= bit;
            if occupied & bit != 0 {
                break;
            }
        }
    }
    attacks
}

#[no_mangle]
pub extern "C" fn writes(square: u32, occupied: u64) -> u64 {
    let mut sets = [rook(square, occupied)];
    let set = sets.as_mut_ptr();
    if occupied == 0xc0ffee {
        unsafe { *set.add(1) = 5 }
    }
    sets[0]
}

#[no_mangle]
pub extern "C" fn never(square: u32, occupied: u64) -> u64 {
    if occupied == 0xc0ffee {
        unsafe { core::hint::unreachable_unchecked() }
    }
    rook(square, occupied)
}

#[no_mangle]
pub extern "C" fn next(square: u32, occupied: u64) -> u64 {
    let sets = [rook(square, occupied)];
    let set = sets.as_ptr();
    if occupied == 0xc0ffee {
        unsafe { *set.add(1) }
    } else {
        sets[0]
    }
}

#[no_mangle]
pub extern "C" fn unset(square: u32, occupied: u64) -> u64 {
    let set = core::mem::MaybeUninit::<u64>::uninit();
    if occupied == 0xc0ffee {
        unsafe { set.assume_init() }
    } else {
        rook(square, occupied)
    }
}

#[repr(u8)]
#[derive(Clone, Copy)]
pub enum Piece {
    Rook,
    Bishop,
    King,
}

#[no_mangle]
pub extern "C" fn neither(square: u32, occupied: u64) -> u64 {
    let number = if occupied == 0xc0ffee { 7u8 } else { 0u8 };
    let piece: Piece = unsafe { *(&number as *const u8 as *const Piece) };
    match piece {
        Piece::Rook => rook(square, occupied),
        Piece::Bishop => 0,
        Piece::King => 1,
    }
}
