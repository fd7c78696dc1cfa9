"""From finished runs to a site: stage a copy of the book, check it, and let Jupyter Book build it clean."""

import hashlib
import json
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import nbformat
import yaml

from attnlearn.companion import checks, pages
from attnlearn.companion.chapters import Book
from attnlearn.companion.claims import CLAIM_MIME, Register
from attnlearn.companion.errors import BookError, read_yaml
from attnlearn.companion.execution import Run
from attnlearn.companion.figures import FIGURE_MIME, PICTURES
from attnlearn.companion.provenance import sha256

Rows = list[dict[str, Any]]


def build_site(book: Book, runs: Mapping[str, Run], *, profile: str) -> Path:
    """The site's first page, built from the runs unless the very same site stands already.

    Args:
        runs: every chapter's run under the profile, by chapter.

    Raises:
        BookError: the first fault found, with the chapter and cell, or the page, that has it.
    """
    register = Register(book.source / "claims.yml")
    figures = _figures(runs, register)
    claims = _claims(book, runs, register, figures, profile)
    _check_prose(book, runs)
    _check_verdicts(register, claims, runs)

    stage, extra = book.build / "stage", book.build / "extra"
    _stage_extra(extra, runs, figures, claims)
    _stage_book(book, stage, runs, figures, claims, profile)

    html = book.build / "html"
    key = _checksum(stage, extra)
    stamp = html / ".staged.sha256"
    if stamp.is_file() and stamp.read_text() == key:
        print("site: unchanged", file=sys.stderr)
        return html / "index.html"

    built = _jupyter_book(book, stage)
    shutil.copytree(extra, built, dirs_exist_ok=True)
    try:
        checks.check_site(built)
    except BookError as fault:
        raise BookError(_with_cell(str(fault), runs)) from None
    (built / stamp.name).write_text(key)
    shutil.rmtree(html, ignore_errors=True)
    built.rename(html)
    return html / "index.html"


def record_results(book: Book, runs: Mapping[str, Run], claims: Path) -> None:
    """Keep each measured row of claims.json, with its run's provenance, for builds that do not measure it."""
    for row in json.loads(claims.read_text(encoding="utf-8")):
        if row["verdict"] != "not run":
            kept = book.root / "results" / f"{row['id']}.json"
            kept.parent.mkdir(exist_ok=True)
            partial = kept.with_suffix(".partial")
            partial.write_text(pages.as_json(row | {"provenance": _provenance(runs[row["chapter"]])}), encoding="utf-8")
            partial.replace(kept)


def place(notebook: nbformat.NotebookNode, index: int, chapter: str) -> str:
    """How a message names a cell: its number in the executed notebook, from 1, and its first line."""
    first = notebook.cells[index].source.strip().splitlines() or [""]
    return f"{chapter}, cell {index + 1} ({first[0]})"


def _figures(runs: Mapping[str, Run], register: Register) -> Rows:
    """The rows of figures.json, and in each the caption's chapter and profile."""
    rows: Rows = []
    for name, run in runs.items():
        for figure, words in run.figures.items():
            if any(row["id"] == figure for row in rows):
                cell = _cell_showing(run, FIGURE_MIME, figure)
                raise BookError(f"{cell}: figure {figure} is another chapter's already; an id names one figure")
            home = f"figures/{figure}"
            files = {kind: f"{home}/{figure}.{kind}" for kind in (*PICTURES, "csv")}
            files |= {"provenance": f"{home}/provenance.json", "bib": f"{home}/cite.bib"}
            rows.append(
                {
                    "id": figure,
                    "title": words["title"],
                    "caption": words["caption"],
                    "alt": words["alt"],
                    "chapter": name,
                    "claims": register.figure_claims(figure),
                    "files": files,
                    "profile": run.provenance["profile"],
                    "sha256": sha256(run.folder / "figures" / f"{figure}.svg"),
                }
            )
    return rows


def _claims(book: Book, runs: Mapping[str, Run], register: Register, figures: Rows, profile: str) -> Rows:
    """The rows of claims.json, in the register's order."""
    rows: Rows = []
    for name, claim in register.claims.items():
        if claim.chapter not in runs:
            raise BookError(f"claims.yml: claim {name} names the chapter {claim.chapter}, which does not run")
        record = runs[claim.chapter].claims.get(name)
        own = [figure["id"] for figure in figures if name in figure["claims"]]
        if record is not None:
            rows.append(claim.judge(record, profile=profile, figures=own))
        else:
            kept = book.root / "results" / f"{name}.json"
            recorded = json.loads(kept.read_text(encoding="utf-8")) if kept.is_file() else None
            rows.append(claim.not_run(profile=profile, recorded=recorded))
    for run in runs.values():
        if strange := sorted(claim for claim in run.claims if claim not in register.claims):
            cell = _cell_showing(run, CLAIM_MIME, strange[0])
            raise BookError(f"{cell}: {strange[0]} is recorded, but claims.yml has no such claim")
    return rows


def _check_prose(book: Book, runs: Mapping[str, Run]) -> None:
    values = {name: checks.glued(run.notebook) for name, run in runs.items()}
    for name, run in runs.items():
        for index, cell in enumerate(run.notebook.cells):
            where = place(run.notebook, index, name)
            if cell.cell_type == "markdown":
                checks.check_prose(where, name, cell.source, values)
            else:
                checks.check_pictures(where, cell)
        for figure in run.figures.values():
            for text in (figure["title"], figure["alt"]):
                if "{glue" in text:
                    raise BookError(
                        f"{name}: figure {figure['id']}: format the run's numbers into its words; glue is for prose"
                    )
    for name, path in book.pages.items():
        if name not in runs:
            checks.check_prose(name, name, path.read_text(encoding="utf-8"), values)


def _check_verdicts(register: Register, claims: Rows, runs: Mapping[str, Run]) -> None:
    for row in claims:
        claim = register.claims[row["id"]]
        cell = _cell_showing(runs[row["chapter"]], CLAIM_MIME, row["id"])
        expected = claim.expected.get(row["profile"])
        if row["verdict"] != expected:
            raise BookError(
                f"{cell}: {row['id']} {_said(row['verdict'])}; claims.yml expects that it {_said(expected)}"
            )
        if row["control"]["verdict"] not in ("does not hold", "not run"):
            raise BookError(
                f"{cell}: the control of {row['id']} does not flip: with {row['control']['what']} "
                f"the claim still {row['control']['verdict']}"
            )


def _said(verdict: str | None) -> str:
    return {"not run": "was not run", None: "has no expected verdict for this profile"}.get(verdict, str(verdict))


def _cell_showing(run: Run, mime: str, name: str) -> str:
    for index, cell in enumerate(run.notebook.cells):
        if any(output.get("data", {}).get(mime, {}).get("id") == name for output in cell.get("outputs", [])):
            return place(run.notebook, index, run.chapter.name)
    return run.chapter.name


def _stage_extra(extra: Path, runs: Mapping[str, Run], figures: Rows, claims: Rows) -> None:
    """What the site holds beside its pages: figures' files, executed notebooks, the two contracts."""
    shutil.rmtree(extra, ignore_errors=True)
    for figure in figures:
        run = runs[figure["chapter"]]
        home = extra / "figures" / figure["id"]
        home.mkdir(parents=True)
        for kind in (*PICTURES, "csv"):
            shutil.copy(run.folder / "figures" / f"{figure['id']}.{kind}", home)
        provenance = _provenance(run) | {
            "figure": figure["id"],
            "data": run.figures[figure["id"]]["data"],
            "sha256": {path.name: sha256(path) for path in sorted(home.iterdir())},
        }
        (home / "provenance.json").write_text(pages.as_json(provenance), encoding="utf-8")
        (home / "cite.bib").write_text(pages.bibtex(figure, run.provenance), encoding="utf-8")
    for name, run in runs.items():
        target = extra / "notebooks" / f"{name}.ipynb"
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(run.notebook_path, target)
    (extra / "claims.json").write_text(pages.as_json(claims), encoding="utf-8")
    (extra / "figures.json").write_text(pages.as_json(figures), encoding="utf-8")


def _provenance(run: Run) -> dict[str, Any]:
    """What a reader needs of a run's provenance: not the checksums by which the build knows it."""
    return {key: value for key, value in run.provenance.items() if key != "depends_on"}


def _stage_book(book: Book, stage: Path, runs: Mapping[str, Run], figures: Rows, claims: Rows, profile: str) -> None:
    """A copy of the book in which each chapter is its executed notebook, with figures and verdicts as passages."""
    shutil.rmtree(stage, ignore_errors=True)
    shutil.copytree(
        book.source, stage, ignore=shutil.ignore_patterns("*.ipynb", ".ipynb_checkpoints", "figures", "claims")
    )
    shutil.copy(book.root / "_toc.yml", stage)
    config = read_yaml(book.root / "_config.yml")
    options = config["sphinx"]["config"]["html_theme_options"]
    options["extra_footer"] = f"<p>Made with profile <strong>{profile}</strong>. {options['extra_footer']}</p>"
    (stage / "_config.yml").write_text(yaml.safe_dump(config), encoding="utf-8")

    for figure in figures:
        run = runs[figure["chapter"]]
        home = stage / "figures" / figure["id"]
        home.mkdir(parents=True)
        shutil.copy(run.folder / "figures" / f"{figure['id']}.svg", home)
        page = pages.figure_page(figure, run.chapter.title, run.provenance)
        (home / "index.md").write_text(page, encoding="utf-8")
    for name, run in runs.items():
        (stage / f"{name}.md").unlink()
        nbformat.write(_chapter_page(run, figures, claims), stage / f"{name}.ipynb")
    generated = stage / "generated"
    generated.mkdir()
    (generated / "ledger.txt").write_text(pages.ledger(claims), encoding="utf-8")
    (generated / "gallery.txt").write_text(pages.gallery(figures), encoding="utf-8")


def _chapter_page(run: Run, figures: Rows, claims: Rows) -> nbformat.NotebookNode:
    """The executed notebook as its page shows it: figures and verdicts as passages, what papermill adds folded away."""
    notebook = nbformat.from_dict(run.notebook)
    passages = {
        FIGURE_MIME: {row["id"]: pages.figure_passage(row, run.chapter.name) for row in figures},
        CLAIM_MIME: {row["id"]: pages.verdict_passage(row) for row in claims},
    }
    defaults = {name: parameter.default for name, parameter in run.chapter.parameters.items()}
    cells = []
    for cell in notebook.cells:
        tags = cell.metadata.get("tags", [])
        if "injected-parameters" in tags and run.provenance["parameters"] == defaults:
            cell.metadata["tags"] = [*tags, "remove-cell"]
        if cell.cell_type == "markdown" and cell.source.startswith("# "):
            title, _, rest = cell.source.partition("\n")
            cell.source = f"{title}\n\n{pages.made_by(run.provenance, run.chapter.name)}\n{rest}"
        cells.append(cell)
        shown = [
            passages[mime][output["data"][mime]["id"]]
            for output in cell.get("outputs", [])
            for mime in passages
            if mime in output.get("data", {})
        ]
        if shown:
            cell.outputs = [output for output in cell.outputs if not _is_passage(output)]
            cells += map(nbformat.v4.new_markdown_cell, shown)
    unmeasured = [row for row in claims if row["chapter"] == run.chapter.name and row["verdict"] == "not run"]
    last = max((place for place, cell in enumerate(cells) if ":class: verdict" in cell.source), default=len(cells) - 1)
    cells[last + 1 : last + 1] = [nbformat.v4.new_markdown_cell(pages.verdict_passage(row)) for row in unmeasured]
    for index, cell in enumerate(cells):
        cell.id = f"cell-{index}"  # new cells get random ones, and the same runs must make the same site
    notebook.cells = cells
    return notebook


def _is_passage(output: Any) -> bool:
    data = output.get("data", {})
    return any(kind.startswith("image/") for kind in data) or FIGURE_MIME in data or CLAIM_MIME in data


def _jupyter_book(book: Book, stage: Path) -> Path:
    """Build the staged book from nothing, warnings as errors; return the folder of HTML."""
    output = book.build / "jupyter-book"
    shutil.rmtree(output, ignore_errors=True)
    start = time.perf_counter()
    print("site: building", file=sys.stderr)
    program = Path(sys.executable).with_name("jupyter-book")
    words = ["build", str(stage), "--path-output", str(output), "-W", "-n", "--keep-going", "-q"]
    done = subprocess.run([program, *words], capture_output=True, text=True)
    if done.returncode != 0:
        log = book.build / "jupyter-book.log"
        log.write_text(done.stdout + done.stderr, encoding="utf-8")
        raise BookError(
            f"{_first_warning(done.stdout + done.stderr, stage)} (all that was said: {log.relative_to(book.root)})"
        )
    print(f"site: built in {time.perf_counter() - start:.0f} s", file=sys.stderr)
    return output / "_build" / "html"


def _first_warning(said: str, stage: Path) -> str:
    """Sphinx's first warning, with a staged notebook's line told as its cell."""
    plain = re.sub(r"\x1b\[[\d;]*m", "", said)
    match = re.search(
        r"^(?:(?P<path>[^\n:]+?)(?::(?P<line>\d+))?: )?(?:WARNING|ERROR): (?P<what>.+)$", plain, flags=re.MULTILINE
    )
    if match is None:
        return "Jupyter Book did not build the site"
    if match["path"] is None:
        return match["what"]
    path = Path(match["path"])
    page = path.relative_to(stage) if path.is_relative_to(stage) else path
    name, what = page.with_suffix("").as_posix(), match["what"]
    if match["line"] is None:
        return f"{name}: {what}"
    line = int(match["line"])
    if page.suffix != ".ipynb":
        return f"{name}, line {line}: {what}"
    # MyST-NB numbers the lines of cell i from (i + 1) times 10,000.
    notebook = nbformat.read(path, as_version=4)
    return f"{place(notebook, max(line // 10_000 - 1, 0), name)}: {what}"


def _with_cell(fault: str, runs: Mapping[str, Run]) -> str:
    """A fault found on a page, with the cell that holds the words it quotes, where a cell does."""
    page, _, what = fault.partition(": ")
    run = runs.get(page.removesuffix(".html"))
    if run is None:
        return fault
    quoted = [word.strip("<>:") for word in what.split()]
    for index, cell in enumerate(run.notebook.cells):
        if any(len(word) > 5 and word in cell.source for word in quoted):
            return f"{place(run.notebook, index, run.chapter.name)}: {what}"
    return fault


def _checksum(*folders: Path) -> str:
    """One checksum of all files in the folders, their names and contents."""
    total = hashlib.sha256()
    for folder in folders:
        for path in sorted(path for path in folder.rglob("*") if path.is_file()):
            total.update(f"{path.relative_to(folder)} {sha256(path)}\n".encode())
    return total.hexdigest()
