"""Measurements by hand, verdicts at the bound, and what a row of the ledger holds."""

import json
import math

import pytest

from attnlearn.companion.claims import Claim, Measurement, Register, Rule, over_configurations, over_seeds, record_claim
from attnlearn.companion.errors import BookError

FIELDS = {
    *("id", "paper", "statement", "measure", "rule", "profile", "chapter", "figures"),
    *("verdict", "value", "ci", "n", "control"),
}
CONTROL = {"what", "value", "verdict"}

CLAIM = Claim(
    id="lmn-sen",
    paper="LMN",
    statement="SEN holds.",
    measure="relative error",
    rule=Rule("at most", 0.1),
    control="the query trained too",
    chapter="part/sen",
    expected={"quick": "holds", "paper": "holds"},
)
RECORD = {
    "id": "lmn-sen",
    "measured": {"value": 0.05, "low": 0.04, "high": 0.06, "n": 5},
    "control": {"value": 0.8, "low": 0.7, "high": 0.9, "n": 4},
}


def register(tmp_path, text):
    path = tmp_path / "claims.yml"
    path.write_text(text, encoding="utf-8")
    return Register(path)


def test_the_interval_over_seeds_is_students():
    measured = over_seeds([1.0, 2.0, 3.0])

    # mean 2, standard deviation 1, and t = 4.302653 at 97.5 % with 2 degrees of freedom
    half = 4.302653 / math.sqrt(3)
    assert measured.value == 2
    assert measured.low == pytest.approx(2 - half, rel=1e-6)  # the table's t has seven digits
    assert measured.high == pytest.approx(2 + half, rel=1e-6)
    assert measured.n == 3


def test_seeds_that_agree_have_an_interval_without_width():
    measured = over_seeds([0.5, 0.5])

    assert (measured.low, measured.value, measured.high) == (0.5, 0.5, 0.5)


@pytest.mark.parametrize("values", [[], [1.0], [[1.0, 2.0], [3.0, 4.0]]])
def test_an_interval_needs_one_number_from_each_of_two_seeds(values):
    with pytest.raises(ValueError, match="at least 2 seeds, got shape"):
        over_seeds(values)


def test_over_configurations_the_interval_is_the_range_and_the_value_the_median():
    assert over_configurations([4.0, 1.0, 2.0]) == Measurement(value=2.0, low=1.0, high=4.0, n=3)


@pytest.mark.parametrize("values", [[], [[1.0]]])
def test_a_range_needs_a_configuration(values):
    with pytest.raises(ValueError, match="at least one configuration's number, got shape"):
        over_configurations(values)


@pytest.mark.filterwarnings("ignore:invalid value")
@pytest.mark.parametrize("take", [over_seeds, over_configurations])
@pytest.mark.parametrize("bad", [math.nan, math.inf])
def test_a_number_that_is_not_finite_is_no_measurement(take, bad):
    with pytest.raises(ValueError, match="a measurement needs finite low <= value <= high"):
        take([1.0, bad])


@pytest.mark.parametrize(
    ("value", "low", "high"), [(1, 2, 3), (4, 2, 3), (2, 3, 1), (math.nan, 1, 2), (1, 0, math.inf)]
)
def test_a_value_outside_its_interval_is_refused(value, low, high):
    with pytest.raises(ValueError, match="a measurement needs finite low <= value <= high"):
        Measurement(value, low, high, n=1)


def test_a_measurement_of_nothing_is_refused():
    with pytest.raises(ValueError, match="n of at least 1, got 0"):
        Measurement(1, 1, 1, n=0)


@pytest.mark.parametrize(
    ("side", "low", "value", "high", "verdict"),
    [
        ("at most", 0.8, 0.9, 1.0, "holds"),
        ("at most", 0.8, 0.9, 1.000001, "holds in part"),
        ("at most", 0.8, 1.0, 1.2, "holds in part"),
        ("at most", 0.8, 1.000001, 1.2, "does not hold"),
        ("at most", 1.1, 1.2, 1.3, "does not hold"),
        ("at least", 1.0, 1.1, 1.2, "holds"),
        ("at least", 0.999999, 1.1, 1.2, "holds in part"),
        ("at least", 0.8, 1.0, 1.2, "holds in part"),
        ("at least", 0.8, 0.999999, 1.2, "does not hold"),
        ("at least", 0.7, 0.8, 0.9, "does not hold"),
    ],
)
def test_a_claim_holds_where_the_whole_interval_keeps_the_bound(side, low, value, high, verdict):
    assert Rule(side, 1.0).verdict(Measurement(value, low, high, n=2)) == verdict


def test_a_rule_says_itself_in_words():
    assert str(Rule("at most", 1e-9)) == "the whole interval is at most 1e-09; in part where only the value is"


def test_a_judged_row_has_every_field_of_the_contract():
    row = CLAIM.judge(RECORD, profile="quick", figures=["lmn-sen"])

    assert row.keys() >= FIELDS
    assert row["control"].keys() >= CONTROL
    assert (row["verdict"], row["value"], row["ci"], row["n"]) == ("holds", 0.05, [0.04, 0.06], 5)
    assert (row["control"]["what"], row["control"]["value"]) == ("the query trained too", 0.8)
    assert row["control"]["verdict"] == "does not hold"
    assert (row["profile"], row["chapter"], row["figures"]) == ("quick", "part/sen", ["lmn-sen"])
    assert json.loads(json.dumps(row)) == row


def test_a_row_that_was_not_run_has_every_field_and_shows_the_recorded_result():
    recorded = CLAIM.judge(RECORD, profile="paper", figures=[])

    row = CLAIM.not_run(profile="quick", recorded=recorded)

    assert row.keys() >= FIELDS
    assert row["control"].keys() >= CONTROL
    assert (row["verdict"], row["value"], row["ci"], row["n"]) == ("not run", None, None, 0)
    assert row["control"]["verdict"] == "not run"
    assert row["recorded"]["value"] == 0.05


def test_the_ledger_shows_a_recorded_result_beside_not_run(tiny):
    row = json.loads((tiny.root / "_build" / "html" / "claims.json").read_text(encoding="utf-8"))[1]
    measured = {"verdict": "holds", "value": 0.004321, "ci": [0.004, 0.005], "n": 9}
    control = row["control"] | {"verdict": "does not hold", "value": 3.5, "ci": [3, 4], "n": 9}
    recorded = row | measured | {"profile": "paper", "control": control, "provenance": {"commit": "0123456789abcdef"}}
    (tiny.root / "results").mkdir()
    (tiny.root / "results" / "line-long.json").write_text(json.dumps(recorded), encoding="utf-8")

    outcome = tiny.attnlearn("build")

    assert outcome.code == 0
    for page in ("appendix/claims.html", "part/line.html"):
        html = (tiny.root / "_build" / "html" / page).read_text(encoding="utf-8")
        assert "Recorded at paper scale: holds, 0.00432 [0.004, 0.005], n = 9" in html
        assert "at commit 012345678" in html


def test_a_recorded_claim_is_a_file_that_the_register_can_judge(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    record_claim("lmn-sen", over_configurations([0.05]), control=over_configurations([0.8]))

    record = json.loads((tmp_path / "claims" / "lmn-sen.json").read_text(encoding="utf-8"))
    assert CLAIM.judge(record, profile="quick", figures=())["verdict"] == "holds"


def test_the_register_keeps_its_order(tmp_path):
    entry = (
        "{paper: p, statement: s, measure: m, rule: {at least: 2}, control: c, chapter: x, expected: {quick: holds}}"
    )

    claims = register(tmp_path, f"second: {entry}\nfirst: {entry}\n").claims

    assert list(claims) == ["second", "first"]
    assert claims["first"].rule == Rule("at least", 2.0)


def test_a_figures_claim_is_the_longest_id_that_it_starts_with(tmp_path):
    entry = "{paper: p, statement: s, measure: m, rule: {at least: 2}, control: c, chapter: x, expected: {}}"
    own = register(tmp_path, f"lmn-sen: {entry}\nlmn-sen-rt: {entry}\n")

    assert own.figure_claims("lmn-sen-rt-words") == ["lmn-sen-rt"]
    assert own.figure_claims("lmn-sen") == ["lmn-sen"]
    assert own.figure_claims("lmn-sense") == []


def test_a_register_that_is_a_list_cannot_be_read(tmp_path):
    with pytest.raises(BookError, match=r"^claims\.yml cannot be read: it must hold names with their values$"):
        register(tmp_path, "- lmn-sen\n").claims  # noqa: B018
