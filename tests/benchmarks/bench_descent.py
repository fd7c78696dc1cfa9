"""Milliseconds an epoch, descent and flow against the padded autograd oracle, all in this run and in one thread.

    python -m tests.benchmarks.bench_descent

Descent and flow are timed as whole runs to the same end, set-up and records included, the flow several times (least
and median); the oracle for a few epochs. The distance is the largest between the scores of descent and flow.
"""

import argparse
import time
from collections.abc import Callable
from statistics import median
from typing import Any

import torch

from attnlearn.corpora import Corpus, CorpusUnavailable, load, topic_sentences
from attnlearn.topics import CLASSIFIERS, descend, flow, start
from tests import oracle

FLOWS = 3
SYNTHETIC = {"epochs": 5_000, "record_every": 50}
SST = {"dimension": 200, "epochs": 20_000, "patience": 2_000, "record_every": 50}
SST_LINEAR = SST | {
    "dimension": 100,
    "classifier": "linear",
    "embedding_std": 0.0,
    "epochs": 10_000,
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
    few, _ = seconds(lambda: plain_epochs(corpus, options, epochs=1))
    many, _ = seconds(lambda: plain_epochs(corpus, options, epochs=plain + 1))
    theirs = 1e3 * (many - few) / plain  # ms an epoch
    took, run = seconds(lambda: descend(corpus, seed=0, **options))
    flows = [seconds(lambda: flow(corpus, seed=0, **options)) for _ in range(FLOWS)]
    spent, stream = [time for time, _ in flows], flows[0][1]
    shared = min(len(run.epoch), len(stream.epoch)) - 1  # records that both made; the last may be at an end of one
    apart = abs(run.score[:shared] - stream.score[:shared]).max()

    epochs = run.epoch[-1]
    print(f"{name}: oracle {theirs:.1f} ms an epoch")
    print(
        f"    descent {took:8.2f} s  {epochs:6,} epochs  {1e3 * took / epochs:6.3f} ms/epoch"
        f"  {theirs * epochs / (1e3 * took):7.0f}×  accuracy {run.test_accuracy:.3f}"
    )
    print(
        f"    flow    {min(spent):8.3f} s  {stream.epoch[-1]:6,} epochs  median {median(spent):.3f} s"
        f"  {theirs * stream.epoch[-1] / (1e3 * min(spent)):7.0f}×  accuracy {stream.test_accuracy:.3f}"
        f"  distance {apart:.4f}"
    )


def main() -> None:
    argparse.ArgumentParser(description=__doc__).parse_args()
    torch.set_num_threads(1)
    synthetic = topic_sentences(seed=0)
    for classifier in CLASSIFIERS:
        compare(f"synthetic {classifier}", synthetic, plain=20, classifier=classifier, **SYNTHETIC)
    try:
        treebank = load("sst2")
    except CorpusUnavailable as reason:
        print(f"SST-2 not timed: {reason}")
        return
    compare("SST-2 fixed", treebank, plain=3, **SST)
    compare("SST-2 linear", treebank, plain=3, **SST_LINEAR)


if __name__ == "__main__":
    main()
