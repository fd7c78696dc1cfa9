"""What descent and flow have in common: their settings, what they train, and the trajectory they leave."""

from dataclasses import dataclass, field

import numpy as np

from attnlearn.corpora import Corpus
from attnlearn.topics.model import CLASSIFIERS, Array, start
from attnlearn.topics.reduction import Batch, Reduced, Words, batch

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


@dataclass(frozen=True)
class Settings:
    """The settings that descent and flow share; see `descend`."""

    classifier: str
    dimension: int
    query_dimension: int
    query_std: float
    embedding_std: float
    step: float
    epochs: int
    patience: int | None
    freeze: str | None
    train_query: bool
    record_every: int
    seed: int

    def __post_init__(self) -> None:
        for name, allowed in {"classifier": CLASSIFIERS, "freeze": FREEZES}.items():
            if getattr(self, name) not in allowed:
                wanted = ", ".join(map(repr, allowed))
                raise ValueError(f"{name} must be one of {wanted}, got {getattr(self, name)!r}")
        for name in ("dimension", "query_dimension", "epochs", "patience", "record_every"):
            number = getattr(self, name)
            if number is not None and number < 1:
                raise ValueError(f"{name} must be at least 1, got {number}")
        for name in ("query_std", "embedding_std"):
            if not 0 <= getattr(self, name) < np.inf:
                raise ValueError(f"{name} must be finite and not negative, got {getattr(self, name)}")
        if not 0 < self.step < np.inf:
            raise ValueError(f"step must be finite and positive, got {self.step}")

    def model(self, corpus: Corpus) -> Reduced:
        """The model of a corpus at its start."""
        begin = start(
            words=len(corpus.words),
            classes=len(corpus.labels),
            classifier=self.classifier,
            dimension=self.dimension,
            query_dimension=self.query_dimension,
            query_std=self.query_std,
            embedding_std=self.embedding_std,
            seed=self.seed,
        )
        return Reduced(begin, classifier=self.classifier, freeze=self.freeze, train_query=self.train_query)


@dataclass
class Log:
    """The trajectory of a run as it grows. It sees the model from epoch 0 on, and says when to stop."""

    model: Reduced
    corpus: Corpus
    settings: Settings
    valid: Batch = field(init=False)
    best: Words = field(init=False)
    best_epoch: int = 0
    least: float = np.inf  # validation loss so far
    rows: list[tuple[int, float, float, Array, Array]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.valid = batch(self.corpus.valid, classes=len(self.corpus.labels))

    def note(self, epoch: int, words: Words, loss: float) -> bool:
        """Judges the model of an epoch and, where one is due, makes a record; true at the end of training."""
        epochs, patience = self.settings.epochs, self.settings.patience
        due = epoch % self.settings.record_every == 0 or epoch == epochs
        if due or patience:
            valid_loss = self.model.loss(words, self.valid)
        if not patience:
            self.best_epoch, self.best = epoch, words
        elif epoch > 0 and valid_loss < self.least:
            self.least, self.best_epoch, self.best = valid_loss, epoch, words
        last = epoch == epochs or (patience is not None and epoch - self.best_epoch >= patience)
        if due or last:
            self.rows.append((epoch, loss, valid_loss, words.score, self.model.norm(words.parts)))
        return last

    def trajectory(self) -> Trajectory:
        """What has been recorded, and the test accuracy of the best model."""
        epoch, loss, valid_loss, score, norm = (np.array(column) for column in zip(*self.rows, strict=True))
        guess = self.model.guess(self.best, self.corpus.test)  # (test sentences,)
        return Trajectory(
            epoch=epoch,
            loss=loss,
            valid_loss=valid_loss,
            score=score,
            norm=norm,
            query_norm=float(self.model.parts(self.model.start).query_norm[0]),
            best_epoch=self.best_epoch,
            test_accuracy=float(np.mean(guess == self.corpus.test.label)),
        )
