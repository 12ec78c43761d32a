"""The smallest edit of a source that makes its table valid.

fix       which numbers are wrong, what they should be, verified again
repair    another number for one square
edits     numbers in the text of a source, changed in their own notation
"""
