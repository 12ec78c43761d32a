"""Making an arrangement shorter.

squeeze         attempts of all kinds
bishops_behind  bishops at the end, closer together
cutting         where the buffer can be pushed together
repair          annealing what overlaps
reseating       annealing one seated square
"""
