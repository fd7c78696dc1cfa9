"""Full-batch gradient descent on LMN's topic classifier."""

from typing import Literal

import numpy as np

from attnlearn.corpora import Corpus
from attnlearn.topics.products import one_thread
from attnlearn.topics.reduction import batch
from attnlearn.topics.training import Log, Settings, Trajectory


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
    settings = Settings(
        classifier=classifier,
        dimension=dimension,
        query_dimension=query_dimension,
        query_std=query_std,
        embedding_std=embedding_std,
        step=step,
        epochs=epochs,
        patience=patience,
        freeze=freeze,
        train_query=train_query,
        record_every=record_every,
        seed=seed,
    )
    model, train = settings.model(corpus), batch(corpus.train, classes=len(corpus.labels))
    log = Log(model, corpus, settings)
    quiet = np.errstate(over="ignore", invalid="ignore", divide="ignore")  # divergence has its own error
    with one_thread(), quiet:
        state, epoch, ended = model.start, 0, False
        while not ended:
            words = model.words(state)
            loss, velocity = model.velocity(words, train)
            if not np.isfinite(loss):
                raise FloatingPointError(f"loss {loss} at epoch {epoch} with step {step:g}; take a smaller step")
            ended = log.note(epoch, words, loss)
            velocity *= step
            state, epoch = state + velocity, epoch + 1  # a new state: the log may hold on to the old one
    return log.trajectory()
