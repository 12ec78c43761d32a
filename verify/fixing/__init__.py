"""The smallest edit of a source that makes its table valid."""
