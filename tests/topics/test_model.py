"""The update rules against automatic differentiation, and attention at the edges of floating point."""

from typing import Any

import numpy as np
import pytest
import torch
from scipy import sparse

from attnlearn.topics import attend, cross_entropy, start, update_rules


def random_counts(rng, *, sentences=30, words=12):
    counts = rng.integers(0, 3, size=(sentences, words)).astype(float)
    counts[:, 0] += 1  # no empty sentence
    return counts


@pytest.mark.parametrize("seed", range(5))
def test_update_rules_are_what_gradient_descent_does(seed):
    rng = np.random.default_rng(seed)
    counts = random_counts(rng)
    key, query = rng.standard_normal((12, 3)), rng.standard_normal(3)
    embedding, weight = rng.standard_normal((12, 4)), rng.standard_normal((4, 3))
    label = rng.integers(3, size=30)
    score = key @ query

    attention = attend(sparse.csr_array(counts), score, embedding)
    _, residual = cross_entropy(attention.context @ weight, np.eye(3)[label])
    dscore, dembedding = update_rules(
        sparse.csr_array(counts),
        attention,
        embedding,
        residual @ weight.T,
        query_norm=float(np.linalg.norm(query)),
    )

    keys, embeddings = (torch.tensor(part, requires_grad=True) for part in (key, embedding))
    strength = torch.exp(keys @ torch.tensor(query)) * torch.tensor(counts)  # (S, V)
    context = strength @ embeddings / strength.sum(1, keepdim=True)
    loss = torch.nn.functional.cross_entropy(context @ torch.tensor(weight), torch.tensor(label))
    dkeys, dembeddings = torch.autograd.grad(loss, [keys, embeddings])
    # rounding only: both sides are float64 sums of some dozens of terms of order 1
    np.testing.assert_allclose(dembedding, -dembeddings.numpy(), rtol=1e-11, atol=1e-14)
    np.testing.assert_allclose(dscore, -(dkeys.numpy() @ query), rtol=1e-11, atol=1e-13)


def test_attention_weights_of_a_sentence_sum_to_one():
    rng = np.random.default_rng(0)
    counts = random_counts(rng)

    attention = attend(sparse.csr_array(counts), rng.standard_normal(12), np.ones((12, 1)))

    np.testing.assert_allclose((counts * attention.weight / attention.mass).sum(1), 1, rtol=1e-14)
    np.testing.assert_allclose(attention.context, 1, rtol=1e-14)


def test_scores_of_several_hundreds_neither_overflow_nor_vanish():
    counts = sparse.csr_array(np.array([[1.0, 1.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]))
    embedding = np.array([[1.0], [2.0], [3.0]])

    context = attend(counts, np.array([600.0, -600.0, 0.0]), embedding).context

    np.testing.assert_allclose(context[:, 0], [1, 2, 3], rtol=1e-12)


def test_cross_entropy_is_torchs_even_for_huge_logits():
    logit = np.array([[900.0, -900.0], [0.2, 0.1]])
    label = np.array([1, 0])

    loss, residual = cross_entropy(logit, np.eye(2)[label])

    assert loss == pytest.approx(torch.nn.functional.cross_entropy(torch.tensor(logit), torch.tensor(label)).item())
    np.testing.assert_allclose(residual[0], [-1, 1])


def test_query_and_classifier_do_not_depend_on_the_vocabulary():
    shape: dict[str, Any] = {
        "classes": 4,
        "classifier": "two-layer",
        "dimension": 6,
        "query_dimension": 5,
        "query_std": 0.3,
    }

    small, large = (start(words=words, embedding_std=0.1, seed=0, **shape) for words in (10, 20))

    np.testing.assert_array_equal(small.query, large.query)
    for layer, other in zip(small.classifier, large.classifier, strict=True):
        np.testing.assert_array_equal(layer, other)


def test_the_fixed_matrix_has_ones_on_its_diagonal():
    begin = start(
        words=1,
        classes=4,
        classifier="fixed",
        dimension=10,
        query_dimension=1,
        query_std=1,
        embedding_std=0,
        seed=0,
    )

    (weight,) = begin.classifier
    np.testing.assert_array_equal(np.diag(weight), 1)
    assert not begin.embedding.any()
