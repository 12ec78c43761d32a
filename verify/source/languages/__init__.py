"""What a language makes of a number: its literals, its types, its operators, its conversions.

conversions   what a call, a method or a macro does to the number inside
arithmetic    operators by the rules of the language
types         the width that the name of a type stands for
numbers       the forms of integers: radix, separators, suffixes
language      languages by file ending
"""
