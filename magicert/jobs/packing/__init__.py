"""The smallest buffer."""
