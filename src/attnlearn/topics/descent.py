"""Full-batch gradient descent on LMN's topic classifier."""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from attnlearn.corpora import Corpus, Sentences
from attnlearn.topics.model import (
    CLASSIFIERS,
    Array,
    Attention,
    beside,
    cross_entropy,
    pool,
    start,
    update_rules,
    weigh,
)
from attnlearn.topics.products import fast, one_thread
from attnlearn.topics.reduction import Reduced

FREEZES = (None, "keys", "embeddings")


@dataclass(frozen=True)
class Trajectory:
    """What training did, at the recorded epochs. T epochs, V words."""

    epoch: Array  # (T,)    updates made so far: the first is 0, the last is the end of training
    loss: Array  # (T,)    mean cross entropy over the training sentences, nats
    valid_loss: Array  # (T,)    the same over the validation sentences
    score: Array  # (T, V)  s
    norm: Array  # (T, V)  ‖ν‖
    query_norm: float  # ‖q‖ at the start
    best_epoch: int  # with patience, the epoch of least validation loss; else the last
    test_accuracy: float  # of the model at best_epoch


def descend(
    corpus: Corpus,
    *,
    classifier: Literal["fixed", "linear", "two-layer"] = "fixed",
    dimension: int = 10,
    query_dimension: int = 10,
    query_std: float = 0.3,
    embedding_std: float = 1e-6,
    step: float = 0.1,
    epochs: int = 5_000,
    patience: int | None = None,
    freeze: Literal["keys", "embeddings"] | None = None,
    train_query: bool = False,
    record_every: int = 10,
    seed: int,
) -> Trajectory:
    """Trains LMN's model on a corpus by full-batch gradient descent on the mean cross entropy.

    Args:
        corpus: what to learn from.
        classifier: "fixed" (FC), "linear" (TC) or "two-layer" (TL).
        dimension: d, of embeddings.
        query_dimension: d', of keys and query.
        query_std: of the query's entries at the start.
        embedding_std: of the embeddings' entries at the start.
        step: of gradient descent.
        epochs: updates to make; with `patience`, at most.
        patience: stop after so many epochs without a better validation loss; None never stops early.
        freeze: "keys" or "embeddings" to leave those at their start.
        train_query: train the query as well, which LMN's theory forbids.
        record_every: epochs from one record to the next.
        seed: of the start.

    Returns:
        The trajectory. Epoch 0 and the last one are always recorded.

    Raises:
        ValueError: a parameter is out of range.
        FloatingPointError: the loss stopped being finite.

    Source: LMN, the model and the authors' settings for synthetic data.
    """
    _check(
        choices={
            "classifier": (classifier, CLASSIFIERS),
            "freeze": (freeze, FREEZES),
        },
        counted={
            "dimension": dimension,
            "query_dimension": query_dimension,
            "epochs": epochs,
            "patience": patience,
            "record_every": record_every,
        },
        scaled={"query_std": query_std, "embedding_std": embedding_std},
        step=step,
    )
    begin = start(
        words=len(corpus.words),
        classes=len(corpus.labels),
        classifier=classifier,
        dimension=dimension,
        query_dimension=query_dimension,
        query_std=query_std,
        embedding_std=embedding_std,
        seed=seed,
    )
    model = Reduced(begin, classifier=classifier)
    counts, valid_counts = fast(corpus.train.counts), fast(corpus.valid.counts)
    classes = len(corpus.labels)
    target, valid_target = _one_hot(corpus.train, classes), _one_hot(corpus.valid, classes)  # (S, C)

    query_norm = float(np.linalg.norm(begin.query))  # ‖q‖
    key = np.zeros(len(corpus.words))  # (V,)  keys start at 0 and move along q: κ = key q/‖q‖
    least, best_epoch = np.inf, 0
    record: list[tuple[int, float, float, Array, Array]] = []
    quiet = np.errstate(over="ignore", invalid="ignore", divide="ignore")  # divergence has its own error
    with one_thread(), quiet:
        for epoch in range(epochs + 1):
            score = query_norm * key  # (V,)
            weight, column = weigh(score), model.column()  # (V,), (V, c)  eˢ and ν·Ũ
            weighted = beside(weight[:, None] * column, weight)  # (V, c+1)
            context, mass = pool(counts, weighted)  # (S, c), (S, 1)  ν̄·Ũ and Z
            hidden = model.head.hidden(context)  # (S, ·)  what the classifier's last layer sees
            loss, residual = cross_entropy(model.head.logit(hidden), target)
            if not np.isfinite(loss):
                raise FloatingPointError(f"loss {loss} at epoch {epoch} with step {step:g}; take a smaller step")

            due = epoch % record_every == 0 or epoch == epochs
            if due or patience:
                valid_hidden = model.head.hidden(pool(valid_counts, weighted)[0])
                valid_loss, _ = cross_entropy(model.head.logit(valid_hidden), valid_target)
            if not patience:
                best_epoch, best = epoch, (model.head, weighted)
            elif epoch > 0 and valid_loss < least:
                least, best_epoch, best = valid_loss, epoch, (model.head, weighted)
            last = epoch == epochs or (patience is not None and epoch - best_epoch >= patience)
            if due or last:
                record.append((epoch, loss, valid_loss, score, model.norm()))
            if last:
                break

            pull, model.head = model.head.learn(hidden, residual, step)
            attention = Attention(context, mass, weight)
            dscore, dcolumn = update_rules(counts, attention, column, pull, query_norm=1)
            model.learn(dcolumn, step, embeddings=freeze != "embeddings")
            if freeze != "keys":
                old, key = key, key + step * query_norm * dscore
                if train_query:
                    query_norm += step * float(old @ dscore)

    head, weighted = best
    guess = head.logit(head.hidden(pool(corpus.test.counts, weighted)[0])).argmax(1)  # (test sentences,)
    epoch_, loss_, valid_loss_, score_, norm_ = (np.array(column) for column in zip(*record, strict=True))
    return Trajectory(
        epoch=epoch_,
        loss=loss_,
        valid_loss=valid_loss_,
        score=score_,
        norm=norm_,
        query_norm=float(np.linalg.norm(begin.query)),
        best_epoch=best_epoch,
        test_accuracy=float(np.mean(guess == corpus.test.label)),
    )


def _one_hot(sentences: Sentences, classes: int) -> Array:
    return np.asfortranarray(sentences.label[:, None] == np.arange(classes), dtype=np.float64)  # (S, C)


def _check(
    *,
    choices: dict[str, tuple[object, tuple[object, ...]]],
    counted: dict[str, int | None],
    scaled: dict[str, float],
    step: float,
) -> None:
    for name, (got, allowed) in choices.items():
        if got not in allowed:
            raise ValueError(f"{name} must be one of {', '.join(map(repr, allowed))}, got {got!r}")
    for name, number in counted.items():
        if number is not None and number < 1:
            raise ValueError(f"{name} must be at least 1, got {number}")
    for name, scale in scaled.items():
        if not 0 <= scale < np.inf:
            raise ValueError(f"{name} must be finite and not negative, got {scale}")
    if not 0 < step < np.inf:
        raise ValueError(f"step must be finite and positive, got {step}")
