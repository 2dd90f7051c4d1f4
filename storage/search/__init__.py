"""Finding words: what a word is, what a query asks for, and what of a text is shown around a match.

All of it is Python, so that the index, a query and the highlighted match cannot disagree; an engine only stores words.
"""
