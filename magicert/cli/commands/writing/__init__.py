"""What is written besides a table's source."""
