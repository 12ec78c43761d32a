"""A magic for every square.

sets        ask an engine about all squares
known       the atlas's magics of fewer bits than their mask has
magic_list  magics of a scheme in a file
"""
