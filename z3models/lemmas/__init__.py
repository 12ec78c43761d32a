"""What holds for all occupancies, all magics, or all squares of a shape."""
