"""The files that other people may rely on."""

import hashlib
import json
from xml.etree import ElementTree

import nbformat
import pandas as pd
import papermill
import pytest
from PIL import Image
from pybtex.database import parse_string

CLAIM = {
    "id",
    "paper",
    "statement",
    "verdict",
    "measure",
    "value",
    "ci",
    "n",
    "rule",
    "control",
    "profile",
    "chapter",
    "figures",
}
FIGURE = {"id", "title", "caption", "alt", "chapter", "claims", "files", "profile", "sha256"}
PROVENANCE = {
    "commit",
    "dirty",
    "profile",
    "parameters",
    "seeds",
    "data",
    "packages",
    "processor",
    "wall_seconds",
    "command",
}


@pytest.fixture(scope="session")
def claims(site):
    return json.loads((site / "claims.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="session")
def figures(site):
    return json.loads((site / "figures.json").read_text(encoding="utf-8"))


def test_the_site_opens_at_its_index(site):
    assert (site / "index.html").is_file()


def test_every_claim_has_its_fields_and_a_control_that_flips(claims):
    assert claims
    for claim in claims:
        assert claim.keys() >= CLAIM
        assert claim["control"].keys() >= {"what", "value", "verdict"}
        if claim["verdict"] == "not run":
            assert (claim["value"], claim["ci"], claim["control"]["verdict"]) == (None, None, "not run")
        else:
            assert claim["verdict"] in ("holds", "holds in part", "does not hold")
            assert claim["ci"][0] <= claim["value"] <= claim["ci"][1]
            assert claim["n"] >= 1
            assert claim["control"]["verdict"] == "does not hold"


def test_every_claim_and_figure_names_the_other(claims, figures):
    by_claim = {claim["id"]: set(claim["figures"]) for claim in claims}

    for figure in figures:
        assert all(figure["id"] in by_claim[claim] for claim in figure["claims"])
        assert all(figure["id"] == claim or figure["id"].startswith(f"{claim}-") for claim in figure["claims"])
    assert set().union(*by_claim.values()) <= {figure["id"] for figure in figures}


def test_every_figures_files_open(site, figures):
    assert figures
    for figure in figures:
        files = {kind: site / path for kind, path in figure["files"].items()}
        assert figure.keys() >= FIGURE
        assert files.keys() == {"svg", "png", "pdf", "csv", "provenance", "bib"}
        assert (site / "figures" / figure["id"] / "index.html").is_file()
        assert {path.parent for path in files.values()} == {site / "figures" / figure["id"]}
        assert ElementTree.parse(files["svg"]).getroot().tag.endswith("svg")
        with Image.open(files["png"]) as picture:
            picture.load()
            assert round(picture.info["dpi"][0]) == 300
        assert files["pdf"].read_bytes().startswith(b"%PDF")
        assert not pd.read_csv(files["csv"]).empty
        assert len(parse_string(files["bib"].read_text(encoding="utf-8"), "bibtex").entries) == 1


def test_every_checksum_is_the_files(site, figures):
    for figure in figures:
        folder = site / "figures" / figure["id"]
        provenance = json.loads((folder / "provenance.json").read_text(encoding="utf-8"))
        sums = {name: hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in provenance["sha256"]}
        assert figure["sha256"] == sums[f"{figure['id']}.svg"]
        assert provenance["sha256"] == sums


def test_provenance_is_enough_to_make_the_figure_again(site, figures):
    for figure in figures:
        provenance = json.loads((site / figure["files"]["provenance"]).read_text(encoding="utf-8"))
        assert provenance.keys() >= PROVENANCE
        assert provenance["command"].startswith(f"attnlearn run {figure['chapter']} --profile {figure['profile']}")


def test_every_executed_notebook_is_valid_and_has_no_error(site):
    notebooks = sorted((site / "notebooks").rglob("*.ipynb"))

    assert notebooks
    for path in notebooks:
        notebook = nbformat.read(path, as_version=4)
        nbformat.validate(notebook)
        outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
        assert not [output for output in outputs if output.output_type == "error"]


def test_an_executed_notebook_reruns_on_its_own(site, figures, tmp_path):
    # The one that took least: the others differ in how long they take, not in what they need.
    times = {
        figure["chapter"]: json.loads((site / figure["files"]["provenance"]).read_text(encoding="utf-8"))[
            "wall_seconds"
        ]
        for figure in figures
    }
    chapter = min(times, key=lambda chapter: times[chapter])

    papermill.execute_notebook(
        site / "notebooks" / f"{chapter}.ipynb",
        tmp_path / "again.ipynb",
        kernel_name="python3",
        cwd=tmp_path,
        progress_bar=False,
    )

    assert {path.stem for path in tmp_path.glob("figures/*.svg")} == {
        figure["id"] for figure in figures if figure["chapter"] == chapter
    }
