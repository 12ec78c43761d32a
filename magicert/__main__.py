"""`python -m magicert` is the command `magicert`."""

from magicert.cli import main

main()
