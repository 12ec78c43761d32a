"""An engine's compiled attack function against the board, for all occupancies."""
