"""One square at a time, annealed into a buffer in which all others are fixed.

pools         many magics for each square, with few used slots
starts        magics to begin from
kernel        annealing a choice of magic, constant and offset, compiled
walk          simulated annealing, compiled
seat          one square's choice and the slots it uses
squares       the arrays of a square and of a cell
random_words  pseudo-random numbers, compiled
assignment    rows to columns for the least sum, compiled
"""
