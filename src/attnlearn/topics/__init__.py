"""LMN's topic classifier: the model on sparse counts, descent and flow, the theory of both, and purity."""

from attnlearn.topics.closed import Closed, closed_theory, closed_trajectory, late_loss, margins, phase_velocity
from attnlearn.topics.descent import descend
from attnlearn.topics.flow import flow
from attnlearn.topics.model import (
    CLASSIFIERS,
    Attention,
    Start,
    attend,
    cross_entropy,
    start,
    update_rules,
)
from attnlearn.topics.purity import Focus, attended, focus, occurrences, topic_purity
from attnlearn.topics.theory import others_per_word, sen_error, sen_norm, sen_table
from attnlearn.topics.training import Trajectory

__all__ = [
    "CLASSIFIERS",
    "Attention",
    "Closed",
    "Focus",
    "Start",
    "Trajectory",
    "attend",
    "attended",
    "closed_theory",
    "closed_trajectory",
    "cross_entropy",
    "descend",
    "flow",
    "focus",
    "late_loss",
    "margins",
    "occurrences",
    "others_per_word",
    "phase_velocity",
    "sen_error",
    "sen_norm",
    "sen_table",
    "start",
    "topic_purity",
    "update_rules",
]
