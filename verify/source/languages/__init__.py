"""What a language makes of a number: its literals, its types, its operators, its conversions.

    constructors  what the constructor of a type does to its arguments
    altering      whether the code around a value makes another value of it
    conversions   what a call, a method or a macro does to the number inside
    types         the width that the name of a type stands for
    arithmetic    literals and operators by the rules of the language
    numbers       the forms of integers: radix, separators, suffixes
    language      languages by file ending

Where a rule is not plain, the number is not guessed: it is refused with its line.
"""
