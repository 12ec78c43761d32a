"""What an item between two separators comes to.

    reader        items with their keys
    expression    one item, by precedence climbing
    bodies        what a macro or function of the source makes of its arguments
    calls         what a call, a cast or a record makes of the numbers in it
    definitions   what the source itself says of the names in an item
    leaf          a number, or a row of numbers; what may be wrong with it

A number that the engine may compute otherwise keeps its reason as an objection.
"""
