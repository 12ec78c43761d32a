"""Methods: how a cell is settled, whichever solver works."""
