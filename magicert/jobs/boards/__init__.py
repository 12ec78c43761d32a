"""A piece on any board: one magic found, the forms of tables measured."""
