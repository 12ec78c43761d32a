$heading
%% include helpers.rs

static KEYS: [u64; $length] = [
$keys
];

static VALUES: [u64; $length] = [
$values
];

/// What is found for a key; None if it is not one of the keys.
#[inline]
pub fn find(key: u64) -> Option<u64> {
    let slot = ($expression) as usize;
%% if bounded
    if slot < $length && KEYS[slot] == key { Some(VALUES[slot]) } else { None }
%% else
    if KEYS[slot] == key { Some(VALUES[slot]) } else { None }
%% end
}
%% if is_text

/// The same for a string.
#[inline]
pub fn find_text(text: &[u8]) -> Option<u64> {
    if text.len() > 8 || text.last() == Some(&0) {
        return None;
    }
    let mut key = [0; 8];
    key[..text.len()].copy_from_slice(text);
    find(u64::from_le_bytes(key))
}
%% end
