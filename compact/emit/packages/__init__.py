"""Packages to vendor: a source with manifest, licence, a test over all lookups, and a bench.

packages    which there are, by the option that asks for each
crate       a Rust crate
header      a C header with its test
npm         a TypeScript package
parts       what every package has
"""

from magicert.compact.emit.packages.packages import PACKAGES, Made, make_package

__all__ = ["PACKAGES", "Made", "make_package"]
