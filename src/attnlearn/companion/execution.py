"""Running a chapter with papermill, once for each thing that it depends on."""

import hashlib
import json
import os
import shutil
import sys
import threading
import time
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import nbformat
import papermill
from nbclient.exceptions import DeadKernelError
from papermill.engines import NBClientEngine, papermill_engines
from papermill.exceptions import PapermillExecutionError
from traitlets.config import Config

from attnlearn.companion.chapters import Book, Chapter
from attnlearn.companion.claims import FOLDER as CLAIMS
from attnlearn.companion.errors import BookError
from attnlearn.companion.figures import FOLDER as FIGURES
from attnlearn.companion.provenance import checkout, code_behind, machine, sha256

_BAR = "{desc}: cell {n_fmt}/{total_fmt} {elapsed}{postfix}"

# Talk to the kernel through files of this user, not through ports that others on the machine could open.
_KERNEL = Config({"KernelManager": {"transport": "ipc"}})

# What a kernel logs about its own end is no reader's business; what cells write goes into the notebook all the same.
_QUIET = ["--IPKernelApp.log_level=50", "--IPKernelApp.no_stderr=True"]


@dataclass(frozen=True)
class Run:
    """A chapter's finished run, in a folder of its own."""

    chapter: Chapter
    folder: Path

    @property
    def notebook_path(self) -> Path:
        return self.folder / "chapter.ipynb"

    @cached_property
    def notebook(self) -> nbformat.NotebookNode:
        return nbformat.read(self.notebook_path, as_version=4)

    @cached_property
    def provenance(self) -> dict[str, Any]:
        """Commit, profile, parameters, machine, wall time: what run.json keeps."""
        return _read(self.folder / "run.json")

    @cached_property
    def claims(self) -> dict[str, dict[str, Any]]:
        """What the chapter recorded, by claim."""
        return {path.stem: _read(path) for path in sorted(self.folder.glob(f"{CLAIMS}/*.json"))}

    @cached_property
    def figures(self) -> dict[str, dict[str, Any]]:
        """The words of the chapter's figures, by id."""
        return {path.stem: _read(path) for path in sorted(self.folder.glob(f"{FIGURES}/*.json"))}


def run_chapter(book: Book, chapter: Chapter, *, profile: str, values: dict[str, Any], folder: Path, label: str) -> Run:
    """The chapter's run with these parameters, from `folder` where it stands there, else made now.

    A run that stands depends on the chapter's text, the code behind it, the lock file, the interpreter, the profile and
    the parameters; when one of them is another, it is made again. A new run takes the folder's place when it is
    whole: an interrupted one leaves nothing behind.

    Args:
        label: what the progress bar says in front, such as "[2/5]".

    Raises:
        BookError: the chapter raised; the notebook is kept for reading.
    """
    depends = _depends_on(book, chapter, profile, values)
    run = Run(chapter, folder)
    if (folder / "run.json").is_file() and run.provenance["depends_on"] == depends:
        print(f"{label} {chapter.name}: unchanged", file=sys.stderr)
        return run

    partial = folder.with_name(f"{folder.name}.partial")
    shutil.rmtree(partial, ignore_errors=True)
    partial.mkdir(parents=True)
    try:
        seconds = _execute(book, chapter, values, partial, label)
        record = {
            "chapter": chapter.name,
            "profile": profile,
            "parameters": values,
            "seeds": _seeds(values),
            "wall_seconds": round(seconds, 1),
            "command": command(chapter, profile, values),
            **checkout(book.root),
            **machine(),
            "depends_on": depends,
        }
        (partial / "run.json").write_text(json.dumps(record, indent=1), encoding="utf-8")
        shutil.rmtree(folder, ignore_errors=True)
        partial.rename(folder)
    finally:
        shutil.rmtree(partial, ignore_errors=True)
    return Run(chapter, folder)


def command(chapter: Chapter, profile: str, values: dict[str, Any]) -> str:
    """The command line that makes the run again."""
    own = chapter.values(profile, {})
    changes = [f"-p {name}={_written(value)}" for name, value in values.items() if value != own[name]]
    return " ".join(["attnlearn run", chapter.name, f"--profile {profile}", *changes])


def rerun_folder(book: Book, chapter: Chapter, profile: str, values: dict[str, Any]) -> Path:
    """Where a rerun goes: named by its profile and what it changes, apart from the book's own runs."""
    own = chapter.values(profile, {})
    changes = [f"{name}={_written(value)}" for name, value in values.items() if value != own[name]]
    return book.build / "reruns" / chapter.name / " ".join([profile, *changes])


def _execute(book: Book, chapter: Chapter, values: dict[str, Any], folder: Path, label: str) -> float:
    """Run the chapter in `folder`; return its wall time in seconds."""
    source, executed = folder / "source.ipynb", folder / "chapter.ipynb"
    nbformat.write(chapter.notebook(), source)
    # Small models run fastest with one thread a process, and chapters run their seeds in several processes.
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    # A picture that a cell shows must come out in its notebook, whatever backend the caller's shell prefers.
    os.environ["MPLBACKEND"] = "module://matplotlib_inline.backend_inline"
    start = time.perf_counter()
    try:
        papermill.execute_notebook(
            source,
            executed,
            parameters=values,
            kernel_name="python3",
            cwd=folder,
            config=_KERNEL,
            progress_bar={"desc": f"{label} {chapter.name}", "unit": "cell", "bar_format": _BAR},
            engine_name=_Shown.NAME,
            extra_arguments=_QUIET,
        )
    except PapermillExecutionError as fault:
        kept = book.build / "failed" / f"{chapter.name}.ipynb"
        kept.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(executed, kept)
        what = f"{fault.ename}: {fault.evalue}".splitlines()[0]
        raise BookError(
            f"{chapter.name}, {_cell_that_raised(kept)}: {what} (the notebook is kept: {kept.relative_to(book.root)})"
        ) from None
    except DeadKernelError:
        raise BookError(
            f"{chapter.name}: its kernel died, most often for want of memory; the chapter can be run again"
        ) from None
    source.unlink()
    return time.perf_counter() - start


class _Shown(NBClientEngine):
    """Papermill's engine with a progress line that says which cell runs, and whose clock goes on while it does."""

    NAME = "shown"

    @classmethod
    def execute_managed_notebook(cls, nb_man: Any, kernel_name: str, **options: Any) -> None:
        start, bar = nb_man.cell_start, nb_man.pbar

        def cell_start(cell: Any, *place: Any, **named: Any) -> None:
            if cell.cell_type == "code":
                bar.set_postfix_str(_first_line(cell)[:50])
            start(cell, *place, **named)

        nb_man.cell_start = cell_start
        over = threading.Event()
        # A log needs no clock: there only what runs next is worth a line.
        clock = threading.Thread(target=lambda: _tick(bar, over) if sys.stderr.isatty() else None, daemon=True)
        clock.start()
        try:
            super().execute_managed_notebook(nb_man, kernel_name, **options)
        finally:
            over.set()
            clock.join()


papermill_engines.register(_Shown.NAME, _Shown)


def _tick(bar: Any, over: threading.Event) -> None:
    while not over.wait(1):
        bar.refresh()


def _first_line(cell: Any) -> str:
    return (cell.source.strip().splitlines() or [""])[0]


def _cell_that_raised(path: Path) -> str:
    """The failed cell by its place in the kept notebook, as a reader counts from 1, and its first line."""
    for number, cell in enumerate(nbformat.read(path, as_version=4).cells, start=1):
        if any(output.output_type == "error" for output in cell.get("outputs", [])):
            return f"cell {number} ({_first_line(cell)})"
    return "before its first cell"


def _depends_on(book: Book, chapter: Chapter, profile: str, values: dict[str, Any]) -> dict[str, Any]:
    cells = [cell.source for cell in chapter.notebook().cells if cell.cell_type == "code"]
    lock = book.root / "requirements.txt"
    return {
        "chapter": hashlib.sha256(chapter.text.encode()).hexdigest(),
        "code": code_behind(cells),
        "lock": sha256(lock) if lock.is_file() else None,
        "python": sys.version,
        "profile": profile,
        "parameters": values,
    }


def _seeds(values: dict[str, Any]) -> list[int]:
    """The seeds of a chapter that has parameters `seed`, the first, and `seeds`, how many."""
    return list(range(values["seed"], values["seed"] + values["seeds"])) if {"seed", "seeds"} <= values.keys() else []


def _written(value: Any) -> str:
    return ",".join(value) if isinstance(value, list) else str(value)


def _read(path: Path) -> dict[str, Any]:
    content: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return content
