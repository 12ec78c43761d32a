"""Tables and the atlas as pages and pictures."""
