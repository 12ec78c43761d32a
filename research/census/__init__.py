"""Which engines use which tables: README.md."""
