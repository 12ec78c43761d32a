"""What the code of a source does with a list after it was made.

    whole     uses of a list as a whole: worked on item by item, handed to a function
    items     uses that make other numbers of single items
    lookups   statements that multiply, and say another thing than a formula
    loaded    what a loaded word is ANDed with
    counts    sums with a list of shifts or bits
    writes    statements that change a list
    handles   those by an address, a cast, a method or a new value
    spoken    those that name it in a string, or in C's other order
    about     patterns about a list by its name
    buffers   how long the attack tables are that the source declares

Code is not run and not understood: what is found here speaks against a reading, or is said with it.
"""
