"""`python -m magicert` is the command `magicert`."""

from magicert.commands import main

main()
