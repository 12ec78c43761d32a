"""Making an arrangement shorter."""
