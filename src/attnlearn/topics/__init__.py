"""LMN's topic classifier: the model on sparse counts, gradient descent, and the theory of both."""

from attnlearn.topics.descent import Trajectory, descend
from attnlearn.topics.model import (
    CLASSIFIERS,
    Attention,
    Start,
    attend,
    cross_entropy,
    start,
    update_rules,
)
from attnlearn.topics.theory import others_per_word, sen_error, sen_norm, sen_table

__all__ = [
    "CLASSIFIERS",
    "Attention",
    "Start",
    "Trajectory",
    "attend",
    "cross_entropy",
    "descend",
    "others_per_word",
    "sen_error",
    "sen_norm",
    "sen_table",
    "start",
    "update_rules",
]
