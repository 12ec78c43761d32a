"""A Rust crate, without dependencies."""

from string import Template

from magicert.compact.emit.harness.rust import BODY
from magicert.compact.emit.languages.rust import Rust
from magicert.compact.emit.packages.parts import Files, Parcel

MANIFEST = """[package]
name = "$name"
version = "$version"
edition = "2021"
rust-version = "1.80"
license = "MIT"
description = "$description"
keywords = ["chess", "bitboard", "magic"]
categories = ["game-engines"]

[[bench]]
name = "lookups"
harness = false
"""

HOW = """
    let attacks: u64 = $identifier::rook_attacks(square, occupied);

`cargo test` looks up every occupancy of every square, `cargo bench` measures nanoseconds.
"""

TEST = (
    """// Every occupancy of every mask, and squares outside of it: against a walk along the rays.

use $identifier::{bishop_attacks, rook_attacks};
"""
    + BODY
)

BENCH = """// Nanoseconds a lookup: random squares and occupancies, the best of five turns.

use std::hint::black_box;
use std::time::Instant;

use $identifier::{bishop_attacks, rook_attacks};

fn main() {
    let mut state = 88172645463325252u64;
    let mut word = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    let pairs: Vec<(usize, u64)> = (0..1 << 16)
        .map(|_| ((word() & 63) as usize, word() & word()))
        .collect();
    let mut best = f64::INFINITY;
    for _ in 0..5 {
        let started = Instant::now();
        let mut sum = 0u64;
        for _ in 0..16 {
            for &(square, occ) in &pairs {
                sum = sum.wrapping_add(rook_attacks(square, occ) ^ bishop_attacks(square, occ));
            }
        }
        black_box(sum);
        best = best.min(started.elapsed().as_secs_f64());
    }
    println!("{:.2} ns a lookup", best * 1e9 / (32.0 * pairs.len() as f64));
}
"""


class _Library(Rust):
    """The root of a crate."""

    usage = """
Usage, where the bits of occupied are the occupied squares:
    let attacks: u64 = $stem::$called(square, occupied);
"""


def crate(parcel: Parcel) -> Files:
    """The files of a crate."""
    words = {
        "name": parcel.name,
        "identifier": parcel.identifier,
        "version": parcel.version,
        "description": parcel.description,
    }
    texts = {"Cargo.toml": MANIFEST, "tests/all_lookups.rs": TEST, "benches/lookups.rs": BENCH}
    library = _Library(stem=parcel.identifier).emit(parcel.unit, parcel.literal)
    return {
        **{path: Template(text).substitute(words) for path, text in texts.items()},
        "src/lib.rs": library,
        **parcel.common(Template(HOW).substitute(words)),
    }
