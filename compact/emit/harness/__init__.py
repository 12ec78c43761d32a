"""Tests to link with an engine that makes its magics at start-up: its own lookups, all of them.

    harnesses   what every harness says, and which languages have one
    go          Go
    rust        Rust
    c           C and C++

Each has a walk of its own, and needs nothing but a compiler.
"""

from magicert.compact.emit.harness.harnesses import HARNESSES, harness

__all__ = ["HARNESSES", "harness"]
