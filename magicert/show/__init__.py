"""How results look. A result becomes one document; text, JSON, SARIF, GitHub's annotations and the
report page render documents. Pictures are SVG, drawn from plain numbers.
"""
