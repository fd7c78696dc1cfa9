"""LMN's model as the paper defines it: padded sentences, keys and queries as vectors, autograd.

Slow and plain on purpose. It shares only the starting numbers with the library.
"""

from dataclasses import dataclass

import numpy as np
import torch

from attnlearn.corpora import Corpus, Sentences
from attnlearn.topics import Start
from attnlearn.topics.products import one_thread


@dataclass(frozen=True)
class Oracle:
    """What training did after every update, from epoch 0 on."""

    loss: np.ndarray  # (T,)
    valid_loss: np.ndarray  # (T,)
    score: np.ndarray  # (T, V)
    norm: np.ndarray  # (T, V)
    test_accuracy: np.ndarray  # (T,)


class Model:
    """Parameters as leaves; `words` counts the pad where it is a word."""

    def __init__(self, begin: Start, *, classifier: str, words: int) -> None:
        def leaf(values):
            return torch.tensor(values, dtype=torch.float64, requires_grad=True)

        self.key = leaf(np.zeros((words, len(begin.query))))  # (V, d')
        self.query = leaf(begin.query)  # (d',)
        self.embedding = leaf(begin.embedding)  # (V, d)
        self.layers = [leaf(layer) for layer in begin.classifier]
        self.classifier = classifier

    def logit(self, word: torch.Tensor, real: torch.Tensor) -> torch.Tensor:
        score = (self.key[word] @ self.query).masked_fill(~real, -torch.inf)  # (S, L)
        attention = torch.softmax(score, dim=1)  # (S, L)
        context = (attention[:, :, None] * self.embedding[word]).sum(1)  # (S, d)
        if self.classifier != "two-layer":
            return torch.matmul(context, self.layers[0])
        inner, bias, outer, class_bias = self.layers
        return torch.relu(context @ inner + bias).matmul(outer).add(class_bias)


def pad(sentences: Sentences, *, longest: int, pad_word: int | None) -> tuple[torch.Tensor, torch.Tensor]:
    """Word ids (S, L) and which of them take part (S, L): all of them where the pad is a word."""
    word = torch.full((len(sentences), longest), 0 if pad_word is None else pad_word)
    real = torch.full((len(sentences), longest), pad_word is not None)
    for i, (first, last) in enumerate(zip(sentences.start, sentences.start[1:], strict=False)):
        word[i, : last - first] = torch.from_numpy(sentences.word[first:last])
        real[i, : last - first] = True
    return word, real


def update(loss: torch.Tensor, trained: list[torch.Tensor], *, step: float) -> None:
    """One step of gradient descent."""
    gradients = torch.autograd.grad(loss, trained)
    with torch.no_grad():
        for parameter, gradient in zip(trained, gradients, strict=True):
            parameter -= step * gradient


@one_thread()
def train(
    corpus: Corpus,
    begin: Start,
    *,
    classifier: str,
    step: float,
    epochs: int,
    freeze: str | None = None,
    train_query: bool = False,
    pad_as_word: bool = False,
) -> Oracle:
    """Full-batch gradient descent, everything recorded after every update."""
    splits = (corpus.train, corpus.valid, corpus.test)
    longest = max(int(np.diff(split.start).max()) for split in splits)
    pad_word = len(corpus.words) if pad_as_word else None
    batches = [(pad(s, longest=longest, pad_word=pad_word), torch.from_numpy(s.label)) for s in splits]
    model = Model(begin, classifier=classifier, words=len(corpus.words) + pad_as_word)

    trained = [model.key] if freeze != "keys" else []
    trained += [model.embedding] if freeze != "embeddings" else []
    trained += [model.query] if train_query else []
    trained += model.layers if classifier != "fixed" else []
    rows = []
    for epoch in range(epochs + 1):
        losses = [torch.nn.functional.cross_entropy(model.logit(*batch), label) for batch, label in batches]
        with torch.no_grad():
            (word, real), label = batches[2]
            rows.append(
                (
                    losses[0].item(),
                    losses[1].item(),
                    (model.key @ model.query).numpy().copy(),
                    model.embedding.norm(dim=1).numpy().copy(),
                    (model.logit(word, real).argmax(1) == label).double().mean().item(),
                )
            )
        if epoch < epochs:
            update(losses[0], trained, step=step)
    return Oracle(*(np.array(column) for column in zip(*rows, strict=True)))
