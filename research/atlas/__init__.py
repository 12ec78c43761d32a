"""How the atlas of magics was made: README.md."""
