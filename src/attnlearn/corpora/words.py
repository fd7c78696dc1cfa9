"""Text to words, as LMN's authors do it."""

import re

_NEITHER_WORD_NOR_SPACE = re.compile(r"[^\w\s]")


def split_words(text: str) -> list[str]:
    """The words of a text: punctuation removed (not replaced by a space), lower case, split at white space.

    Args:
        text: any text.

    Returns:
        Its words in reading order; empty where the text is punctuation only.

    Source: LMN, the authors' code for SST.
    """
    return _NEITHER_WORD_NOR_SPACE.sub("", text.lower()).split()
