"""The Stanford Sentiment Treebank with two and with five classes, in the files LMN's authors published."""

from attnlearn.corpora.corpus import Corpus, from_texts
from attnlearn.corpora.files import fetch
from attnlearn.corpora.words import split_words


def sst2() -> Corpus:
    """SST-2: sentences of film reviews, negative or positive.

    Returns:
        6,920 training, 872 validation and 1,821 test sentences.

    Raises:
        CorpusUnavailable: a file cannot be had.

    Source: LMN, the real-data experiment; Socher et al. 2013.
    """
    return _treebank("sst2", "binary", ("negative", "positive"))


def sst5() -> Corpus:
    """SST-5: sentences of film reviews in five classes.

    Returns:
        8,544 training, 1,101 validation and 2,210 test sentences.

    Raises:
        CorpusUnavailable: a file cannot be had.

    Source: LMN, the real-data experiment; Socher et al. 2013.
    """
    return _treebank("sst5", "fine", ("very negative", "negative", "neutral", "positive", "very positive"))


def _treebank(name: str, kind: str, labels: tuple[str, ...]) -> Corpus:
    splits = []
    for part in ("train", "dev", "test"):
        lines = fetch(f"{name}/stsa.{kind}.{part}").decode().rstrip("\n").split("\n")  # "1 a fine film ."
        numbers, texts = zip(*(line.split(" ", 1) for line in lines), strict=True)
        splits.append(([split_words(text) for text in texts], [int(number) for number in numbers]))
    return from_texts(name, labels, splits)
