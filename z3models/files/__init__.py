"""A cell as a file that any solver reads."""
