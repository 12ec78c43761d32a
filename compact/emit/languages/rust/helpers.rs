%% if by_parts
%% include bitboard.rs
%% end
%% if uses extract_bits(

#[inline]
fn extract_bits(x: u64, mask: u64) -> u64 {
    let (mut bits, mut bit, mut rest) = (0u64, 1u64, mask);
    while rest != 0 {
        if x & rest & rest.wrapping_neg() != 0 {
            bits |= bit;
        }
        bit <<= 1;
        rest &= rest - 1;
    }
    bits
}
%% end
