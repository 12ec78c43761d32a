"""Reading tables straight from engine source, in any language.

    readings    the tables that the lists can make, each through the exhaustive verifier
    uses        what the code does with a list after it was made
    lists       the lists of numbers in a source, and their columns of one number a square
    values      what one item of a list comes to
    text        comments out, `#if` alternatives apart, tokens, brackets
    languages   what a language makes of a number

Names help, numbers decide: nothing is called valid because of what it is called. But what a
name, the code or the language contradicts is not called valid for its numbers alone.
"""
