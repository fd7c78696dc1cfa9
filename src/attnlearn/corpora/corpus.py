"""A labelled corpus as flat word ids, with sparse counts for the bag-of-words view."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

PAD = "<pad>"


@dataclass(frozen=True)
class Sentences:
    """Labelled sentences laid end to end. N words in S sentences, from a vocabulary of V."""

    word: NDArray[np.int64]  # (N,)    word ids in reading order
    start: NDArray[np.int64]  # (S+1,)  sentence i is word[start[i]:start[i + 1]]
    label: NDArray[np.int64]  # (S,)    class ids
    vocabulary: int  # V

    def __len__(self) -> int:
        return len(self.label)

    @cached_property
    def length(self) -> NDArray[np.int64]:
        """Words in each sentence, repeats counted, (S,)."""
        return np.diff(self.start)

    @cached_property
    def counts(self) -> Any:
        """How often each word occurs in each sentence: a SciPy CSR array of float64, (S, V)."""
        once = np.ones(len(self.word))  # (N,)
        word, start = self.word.astype(np.int32), self.start.astype(np.int32)  # copies: summing is in place
        occurrences = sparse.csr_array((once, word, start), shape=(len(self), self.vocabulary))
        occurrences.sum_duplicates()
        return occurrences


@dataclass(frozen=True)
class Corpus:
    """Sentences to learn from, to stop by and to test on, with the words and the classes they name."""

    name: str
    words: tuple[str, ...]  # V words: words[id] is what the id stands for
    labels: tuple[str, ...]  # C class names
    train: Sentences
    valid: Sentences
    test: Sentences
    topic_words: NDArray[np.int64]  # ids of the topic words; empty for real text

    def text(self, sentences: Sentences, index: int) -> tuple[str, ...]:
        """The words of one sentence in reading order.

        Args:
            sentences: one of this corpus's splits.
            index: which sentence, counted from 0.

        Returns:
            Its words, repeats kept.
        """
        first, last = sentences.start[index], sentences.start[index + 1]
        return tuple(self.words[word] for word in sentences.word[first:last])

    def padded(self) -> "Corpus":
        """The corpus with one more word that fills every sentence up to the longest of all splits.

        The authors' scripts let this pad take part in the attention; a model of the padded corpus does too.

        Returns:
            A corpus of V + 1 words whose sentences all have the same length.

        Source: LMN, the authors' code for SST.
        """
        longest = max(int(split.length.max(initial=0)) for split in (self.train, self.valid, self.test))
        return replace(
            self,
            words=(*self.words, PAD),
            train=_padded(self.train, longest),
            valid=_padded(self.valid, longest),
            test=_padded(self.test, longest),
        )

    def shuffled_labels(self, *, seed: int) -> "Corpus":
        """The corpus with its training labels permuted: words no longer tell the class.

        Args:
            seed: of the permutation.

        Returns:
            The same sentences and class sizes; validation and test labels as they were.
        """
        label = np.random.default_rng(seed).permutation(self.train.label)
        return replace(self, train=replace(self.train, label=label))


def _padded(sentences: Sentences, longest: int) -> Sentences:
    pad = sentences.vocabulary  # the new word's id
    word = np.full((len(sentences), longest), pad)  # (S, longest)
    word[np.arange(longest) < sentences.length[:, None]] = sentences.word
    start = np.arange(len(sentences) + 1) * longest
    return Sentences(word.ravel(), start, sentences.label, vocabulary=pad + 1)


def from_texts(
    name: str,
    labels: tuple[str, ...],
    splits: Sequence[tuple[Sequence[list[str]], Sequence[int]]],
) -> Corpus:
    """A corpus from tokenised texts; words are numbered by first use through train, valid and test.

    Args:
        name: of the corpus.
        labels: class names.
        splits: (texts, class ids) of train, valid and test. Texts without a word are dropped.

    Returns:
        The corpus, without topic words.
    """
    identity: dict[str, int] = {}
    kept: list[tuple[list[int], list[int], list[int]]] = []  # words, lengths, classes of each split
    for texts, classes in splits:
        flat: list[int] = []
        for text in texts:
            flat.extend([identity.setdefault(word, len(identity)) for word in text])
        lengths = [len(text) for text in texts if text]
        kept.append((flat, lengths, [label for text, label in zip(texts, classes, strict=True) if text]))
    train, valid, test = (
        Sentences(
            word=np.array(flat, dtype=np.int64),
            start=np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)]),
            label=np.array(classes, dtype=np.int64),
            vocabulary=len(identity),
        )
        for flat, lengths, classes in kept
    )
    return Corpus(name, tuple(identity), labels, train, valid, test, topic_words=np.array([], dtype=np.int64))
