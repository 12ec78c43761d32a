"""What is asked: a cell as a list of products, and the order in which bits of m are fixed.

mirror     m and ~m together
plans      the two kinds of plan, by their texts
low_plan   m's low bits first
plan       the order in which the window grows
terms      a cell's products with their attack sets
"""
