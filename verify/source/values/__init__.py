"""What an item between two separators comes to.

    reader        items with their keys
    expression    one item, by precedence climbing
    definitions   what the source itself says of the names in an item
    leaf          a number, or a row of numbers; what may be wrong with it

A number that the engine may compute otherwise keeps its reason as an objection.
"""
