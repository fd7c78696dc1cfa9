"""Claims: a chapter states what it measured, `book/claims.yml` says what that is worth."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, get_args

import numpy as np
from IPython.display import display
from numpy.typing import ArrayLike
from scipy.special import stdtrit

from attnlearn.companion.errors import BookError, read_yaml

Verdict = Literal["holds", "holds in part", "does not hold", "not run"]
VERDICTS: tuple[Verdict, ...] = get_args(Verdict)

CLAIM_MIME = "application/vnd.attnlearn.claim+json"
FOLDER = "claims"


@dataclass(frozen=True)
class Measurement:
    """One number with what is known of its spread.

    Raises:
        ValueError: not finite, not inside its interval, or n < 1.
    """

    value: float
    low: float
    high: float
    n: int

    def __post_init__(self) -> None:
        if not (np.isfinite([self.low, self.value, self.high]).all() and self.low <= self.value <= self.high):
            raise ValueError(
                f"a measurement needs finite low <= value <= high, got {self.low}, {self.value}, {self.high}"
            )
        if self.n < 1:
            raise ValueError(f"a measurement needs n of at least 1, got {self.n}")

    def __str__(self) -> str:
        return f"{_short(self.value)} [{_short(self.low)}, {_short(self.high)}], n = {self.n}"


def over_seeds(values: ArrayLike) -> Measurement:
    """The mean of one number per seed, with its 95 % Student t interval.

    Args:
        values: (n,) with n > 1.

    Raises:
        ValueError: fewer than two values, which have no spread.
    """
    sample = np.asarray(values, dtype=float)  # (n,)
    if sample.ndim != 1 or len(sample) < 2:
        raise ValueError(
            f"an interval over seeds needs one number from each of at least 2 seeds, got shape {sample.shape}"
        )
    mean = float(sample.mean())
    half = float(stdtrit(len(sample) - 1, 0.975) * sample.std(ddof=1) / np.sqrt(len(sample)))
    return Measurement(mean, mean - half, mean + half, len(sample))


def over_configurations(values: ArrayLike) -> Measurement:
    """The median of a number without randomness over the configurations tried, with its range as interval.

    Args:
        values: (n,) with n > 0.
    """
    sample = np.asarray(values, dtype=float)  # (n,)
    if sample.ndim != 1 or len(sample) < 1:
        raise ValueError(f"a range needs at least one configuration's number, got shape {sample.shape}")
    return Measurement(float(np.median(sample)), float(sample.min()), float(sample.max()), len(sample))


def record_claim(claim: str, measured: Measurement, *, control: Measurement) -> None:
    """State what this chapter measured for a claim, and the same for its broken mechanism.

    Writes claims/<claim>.json in the working directory. The verdicts are the build's to give: the rule in
    book/claims.yml is applied to both measurements.

    Args:
        claim: the claim's id, such as "lmn-gradients".
        measured: the claim's measure.
        control: the same measure where the mechanism is broken.
    """
    record = {"id": claim, "measured": asdict(measured), "control": asdict(control)}
    Path(FOLDER).mkdir(exist_ok=True)
    Path(FOLDER, f"{claim}.json").write_text(json.dumps(record, indent=1), encoding="utf-8")
    words = f"`{claim}`: {measured}; control: {control}"
    display({"text/markdown": words, "text/plain": words, CLAIM_MIME: {"id": claim}}, raw=True)


@dataclass(frozen=True)
class Rule:
    """A bound that a measure must keep: `{at most: 0.05}` or `{at least: 0.9}` in book/claims.yml."""

    side: Literal["at most", "at least"]
    bound: float

    def verdict(self, measured: Measurement) -> Verdict:
        """*holds* where the whole interval keeps the bound, *holds in part* where only the value does."""
        if self._keeps(measured.low) and self._keeps(measured.high):
            return "holds"
        return "holds in part" if self._keeps(measured.value) else "does not hold"

    def _keeps(self, number: float) -> bool:
        return number <= self.bound if self.side == "at most" else number >= self.bound

    def __str__(self) -> str:
        return f"the whole interval is {self.side} {self.bound:g}; in part where only the value is"


@dataclass(frozen=True)
class Claim:
    """One entry of book/claims.yml."""

    id: str
    paper: str
    statement: str
    measure: str
    rule: Rule
    control: str
    chapter: str
    expected: Mapping[str, Verdict]

    def judge(self, record: Mapping[str, Any], *, profile: str, figures: Iterable[str]) -> dict[str, Any]:
        """The claim's row of claims.json, from what a chapter recorded."""
        measured, control = Measurement(**record["measured"]), Measurement(**record["control"])
        return self._row(profile, figures) | {
            "verdict": self.rule.verdict(measured),
            "value": measured.value,
            "ci": [measured.low, measured.high],
            "n": measured.n,
            "control": {
                "what": self.control,
                "value": control.value,
                "ci": [control.low, control.high],
                "n": control.n,
                "verdict": self.rule.verdict(control),
            },
        }

    def not_run(self, *, profile: str, recorded: Mapping[str, Any] | None) -> dict[str, Any]:
        """The claim's row where this profile does not measure it; `recorded` is its row at paper scale, if kept."""
        return self._row(profile, ()) | {
            "verdict": "not run",
            "value": None,
            "ci": None,
            "n": 0,
            "control": {"what": self.control, "value": None, "ci": None, "n": 0, "verdict": "not run"},
            "recorded": recorded,
        }

    def _row(self, profile: str, figures: Iterable[str]) -> dict[str, Any]:
        return {
            "id": self.id,
            "paper": self.paper,
            "statement": self.statement,
            "measure": self.measure,
            "rule": str(self.rule),
            "profile": profile,
            "chapter": self.chapter,
            "figures": list(figures),
        }


@dataclass(frozen=True)
class Register:
    """The claims of book/claims.yml, in its order."""

    path: Path

    @cached_property
    def claims(self) -> dict[str, Claim]:
        """By id.

        Raises:
            BookError: an entry lacks a field, has one too many, or has no rule that can be read.
        """
        entries = read_yaml(self.path)
        return {name: self._claim(name, entry) for name, entry in entries.items()}

    def _claim(self, name: str, entry: Mapping[str, Any]) -> Claim:
        try:
            ((side, bound),) = entry["rule"].items()
            if side not in ("at most", "at least"):
                raise ValueError(f"a rule is 'at most' or 'at least' a number, got '{side}'")
            if strange := [verdict for verdict in entry["expected"].values() if verdict not in VERDICTS]:
                raise ValueError(f"a verdict is one of {', '.join(VERDICTS)}, got {strange[0]}")
            return Claim(id=name, **{**entry, "rule": Rule(side, float(bound))})
        except (KeyError, TypeError, ValueError, AttributeError) as fault:
            raise BookError(f"{self.path.name}: claim {name} cannot be read: {fault}") from None

    def figure_claims(self, figure: str) -> list[str]:
        """The claim that a figure's id starts with, as a list of one, or of none."""
        owners = [name for name in self.claims if figure == name or figure.startswith(f"{name}-")]
        return [max(owners, key=len)] if owners else []


def _short(number: float) -> str:
    return f"{number:.3g}"
