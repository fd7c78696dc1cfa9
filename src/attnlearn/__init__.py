"""How attention learns: the science behind the book, and the book's own machinery."""

__version__ = "0.1.0"
