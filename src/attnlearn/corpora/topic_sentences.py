"""LMN's synthetic task: sentences of one topic word among words that say nothing about the topic."""

from string import ascii_lowercase

import numpy as np

from attnlearn.corpora.corpus import Corpus, Sentences


def topic_sentences(
    *,
    topics: int = 4,
    words_per_topic: int = 2,
    sentences: int = 5_000,
    others: int = 20,
    vocabulary: int = 5_000,
    seed: int,
) -> Corpus:
    """Sentences of one topic word and `others` non-topic words; the label is the topic.

    Topic, topic word and non-topic words are drawn uniformly and independently, with replacement. The first
    80 % of the sentences are for training, the next 1 % for validation, the rest for testing.

    Args:
        topics: N, the number of topics and of classes.
        words_per_topic: topic words that each topic has, at most 26.
        sentences: in all three splits together, at least 10.
        others: m, non-topic words in a sentence.
        vocabulary: K, non-topic words to draw from.
        seed: of every draw.

    Returns:
        A corpus of N·words_per_topic + K words; the topic words come first, topic by topic.

    Raises:
        ValueError: a size is out of range.

    Source: LMN, the synthetic experiment.
    """
    least = {"topics": 2, "words_per_topic": 1, "sentences": 10, "others": 1, "vocabulary": 1}
    got = dict(zip(least, (topics, words_per_topic, sentences, others, vocabulary), strict=True))
    for name, size in got.items():
        if size < least[name]:
            raise ValueError(f"{name} must be at least {least[name]}, got {size}")
    if words_per_topic > len(ascii_lowercase):
        raise ValueError(f"words_per_topic must be at most {len(ascii_lowercase)}, got {words_per_topic}")

    rng = np.random.default_rng(seed)
    topic_words = np.arange(topics * words_per_topic)  # (T,)
    topic = rng.integers(topics, size=sentences)  # (S,)
    topic_word = topic * words_per_topic + rng.integers(words_per_topic, size=sentences)  # (S,)
    other = len(topic_words) + rng.integers(vocabulary, size=(sentences, others))  # (S, m)
    word = np.column_stack([topic_word, other])  # (S, m+1)

    def part(first: int, last: int) -> Sentences:
        start = np.arange(last - first + 1) * (others + 1)
        return Sentences(word[first:last].ravel(), start, topic[first:last], len(topic_words) + vocabulary)

    seen = round(0.8 * sentences)
    judged = seen + max(1, round(0.01 * sentences))
    names = [f"topic{t}.{letter}" for t in range(topics) for letter in ascii_lowercase[:words_per_topic]]
    return Corpus(
        name="topic-sentences",
        words=(*names, *(f"other{k}" for k in range(vocabulary))),
        labels=tuple(f"topic{t}" for t in range(topics)),
        train=part(0, seen),
        valid=part(seen, judged),
        test=part(judged, sentences),
        topic_words=topic_words,
    )
