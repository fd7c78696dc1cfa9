"""Milliseconds an epoch, descent against the padded autograd oracle, both in this run and in one thread.

    python -m tests.benchmarks.bench_descent

Each descent is timed as a whole run, set-up included; the oracle for a few epochs.
"""

import argparse
import time
from collections.abc import Callable
from typing import Any

import torch

from attnlearn.corpora import Corpus, CorpusUnavailable, load, topic_sentences
from attnlearn.topics import CLASSIFIERS, descend, start
from tests import oracle

SST = {"dimension": 200, "epochs": 20_000, "patience": 2_000, "record_every": 50}
SST_LINEAR = SST | {
    "dimension": 100,
    "classifier": "linear",
    "embedding_std": 0.0,
    "epochs": 2_000,
    "patience": None,
}


def seconds(work: Callable[[], Any]) -> tuple[float, Any]:
    begin = time.perf_counter()
    result = work()
    return time.perf_counter() - begin, result


def plain_epochs(corpus: Corpus, options: dict[str, Any], *, epochs: int) -> None:
    """The oracle's training steps and nothing else: no validation, no records."""
    classifier = options.get("classifier", "fixed")
    begin = start(
        words=len(corpus.words),
        classes=len(corpus.labels),
        classifier=classifier,
        dimension=options.get("dimension", 10),
        query_dimension=10,
        query_std=0.3,
        embedding_std=options.get("embedding_std", 1e-6),
        seed=0,
    )
    batch = oracle.pad(corpus.train, longest=int(corpus.train.length.max()), pad_word=None)
    label = torch.from_numpy(corpus.train.label)
    model = oracle.Model(begin, classifier=classifier, words=len(corpus.words))
    trained = [model.key, model.embedding, *(model.layers if classifier != "fixed" else [])]
    for _ in range(epochs):
        oracle.update(torch.nn.functional.cross_entropy(model.logit(*batch), label), trained, step=0.1)


def compare(name: str, corpus: Corpus, *, plain: int, **options: Any) -> None:
    took, run = seconds(lambda: descend(corpus, seed=0, **options))
    few, _ = seconds(lambda: plain_epochs(corpus, options, epochs=1))
    many, _ = seconds(lambda: plain_epochs(corpus, options, epochs=plain + 1))
    ours, theirs = 1e3 * took / run.epoch[-1], 1e3 * (many - few) / plain
    print(
        f"{name:<22}{took:>9.2f}{run.epoch[-1]:>9,}{ours:>11.3f}{theirs:>12.1f}{theirs / ours:>9.0f}×"
        f"{run.test_accuracy:>10.3f}"
    )


def main() -> None:
    argparse.ArgumentParser(description=__doc__).parse_args()
    torch.set_num_threads(1)
    print(f"{'':<22}{'seconds':>9}{'epochs':>9}{'ms/epoch':>11}{'oracle ms':>12}{'ratio':>10}{'accuracy':>10}")
    synthetic = topic_sentences(seed=0)
    for classifier in CLASSIFIERS:
        compare(f"synthetic {classifier}", synthetic, plain=20, classifier=classifier)
    try:
        treebank = load("sst2")
    except CorpusUnavailable as reason:
        print(f"SST-2 not timed: {reason}")
        return
    compare("SST-2 fixed", treebank, plain=3, **SST)
    compare("SST-2 linear", treebank, plain=3, **SST_LINEAR)


if __name__ == "__main__":
    main()
