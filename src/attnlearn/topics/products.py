"""Sparse counts behind a faster product.

Training spends its time in counts @ words and counts.T @ sentences, with a few dense columns. On those,
Torch's product is about twice as fast as SciPy's, one thread each.
"""

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Counts:
    """Occurrences (S, V) with the two operations training needs: `counts @ x` and `counts.T @ x`."""

    rows: torch.Tensor  # (S, V)
    columns: torch.Tensor  # (V, S)

    @property
    def T(self) -> "Counts":  # noqa: N802 (as arrays call it)
        """The transposed counts (V, S)."""
        return Counts(self.columns, self.rows)

    def __matmul__(self, dense: Array) -> Array:
        product = self.rows @ torch.from_numpy(np.ascontiguousarray(dense))
        return np.asfortranarray(product.numpy())  # column by column, as `model.beside`


def fast(counts: Any) -> Counts:
    """Counts for training from a SciPy CSR array (S, V)."""
    return Counts(_torch(counts), _torch(counts.T.tocsr()))


@contextmanager
def one_thread() -> Iterator[None]:
    """Torch on one thread, then as before: products this small lose more on a busy core than they gain."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def _torch(counts: Any) -> torch.Tensor:
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Sparse")  # beta, and checks that SciPy has made already
        return torch.sparse_csr_tensor(
            torch.from_numpy(counts.indptr),
            torch.from_numpy(counts.indices),
            torch.from_numpy(counts.data),
            counts.shape,
        )
