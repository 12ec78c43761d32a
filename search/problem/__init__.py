"""What is asked: a cell as a list of products, and the order in which bits of m are fixed."""
