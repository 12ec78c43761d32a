"""Fast finders, which find and never prove; and what every engine of this room needs first.

trial             the engine "trial": random candidates
counting          fewer slots than attack sets
form              which kernel reads a cell's formula
compiled_formula  a formula compiled by numba
wide_arithmetic   128-bit words in compiled code
trial_kernel      the inner loop of trial
trial_arrays      the same in numpy, for those who have no numba
drawing           how candidates are drawn
random_words      random words by number
all_occupancies   the words of a cell with their values
"""
