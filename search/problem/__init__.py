"""What is asked: a cell as a list of products, and the order in which bits of m are fixed.

plan     the order in which the window grows
terms    a cell's products with their attack sets
"""
