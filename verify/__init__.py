"""The verifier: exhaustive verification of tables, and the certificates that come of it."""
