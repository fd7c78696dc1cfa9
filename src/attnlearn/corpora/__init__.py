"""What is learned from: generated topic sentences and real text, both as bags of words."""

from collections.abc import Callable

from attnlearn.corpora.corpus import Corpus, Sentences
from attnlearn.corpora.files import CorpusUnavailable, files_read
from attnlearn.corpora.reviews import imdb, rotten_tomatoes
from attnlearn.corpora.sentiment import sst2, sst5
from attnlearn.corpora.topic_sentences import topic_sentences

__all__ = ["CORPORA", "Corpus", "CorpusUnavailable", "Sentences", "files_read", "load", "topic_sentences"]

CORPORA: dict[str, Callable[[], Corpus]] = {
    "rotten-tomatoes": rotten_tomatoes,
    "imdb": imdb,
    "sst2": sst2,
    "sst5": sst5,
}


def load(name: str) -> Corpus:
    """The real-text corpus of that name.

    Args:
        name: one of `CORPORA`.

    Returns:
        The corpus; the same sentences in the same order on every machine.

    Raises:
        ValueError: there is no corpus of that name.
        CorpusUnavailable: its file is missing, or is not the one with the recorded checksum.
    """
    if name not in CORPORA:
        raise ValueError(f"no corpus is called {name!r}; choose from {', '.join(CORPORA)}")
    return CORPORA[name]()
