"""The tiny book: whole, built once, and handed out in copies that still hold what was built."""

import hashlib
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from attnlearn.companion.chapters import Book
from attnlearn.companion.command_line import main

REPOSITORY = Path(__file__).parents[1]
COMMAND = Path(sys.executable).with_name("attnlearn")


@dataclass(frozen=True)
class Outcome:
    """What a command did: its exit code and all that it wrote."""

    code: int
    out: str
    err: str

    @property
    def told(self):
        """The lines that say how it ended; progress goes to the same stream."""
        return [line for line in self.err.splitlines() if line.startswith("attnlearn: ")]

    @property
    def reran(self):
        """The chapters that did not stand unchanged."""
        unchanged = set(re.findall(r"(\S+): unchanged", self.err))
        return sorted(set(re.findall(r"\[\d+/\d+\] ([\w/-]+)", self.err)) - unchanged)


class TinyBook:
    """A copy of the tiny book that a test may change, and the command line inside it."""

    def __init__(self, root, capfd):
        self.root = root
        self._capfd = capfd

    @property
    def book(self):
        return Book(self.root)

    @property
    def runs(self):
        return self.root / "_build" / "runs" / "quick"

    def file(self, name):
        return self.root / "book" / name

    def change(self, name, old, new):
        """Put other words in the place of some that are there."""
        text = self.file(name).read_text(encoding="utf-8")
        assert old in text
        self.file(name).write_text(text.replace(old, new), encoding="utf-8")

    def append(self, name, text):
        with self.file(name).open("a", encoding="utf-8") as file:
            file.write(f"\n{text}\n")

    def append_cell(self, chapter, code):
        self.append(f"{chapter}.md", f"```{{code-cell}} ipython3\n{code}\n```")

    def attnlearn(self, *words):
        self._capfd.readouterr()
        code = main(words)
        return Outcome(code, *self._capfd.readouterr())

    def stopped(self):
        """The one line by which a build that must not succeed says why; the site that stood before still stands."""
        before = checksums(self.root / "_build" / "html")
        outcome = self.attnlearn("build")
        assert outcome.code == 1, outcome.err
        assert len(outcome.told) == 1, outcome.err
        assert "Traceback" not in outcome.err, outcome.err
        assert checksums(self.root / "_build" / "html") == before
        assert not list(self.root.rglob("*.partial"))
        return outcome.told[0]


def checksums(folder):
    """Every file under a folder, with its SHA-256."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def pytest_addoption(parser):
    parser.addoption(
        "--site", metavar="DIR", help="the built site that tests/site looks at; the tiny book's by default"
    )


@pytest.fixture(scope="session")
def pristine(tmp_path_factory):
    """The tiny book as committed and built. Tests read it, and change only copies."""
    root = tmp_path_factory.mktemp("book") / "tiny"
    shutil.copytree(REPOSITORY / "tests" / "tiny_book", root)
    shutil.copytree(REPOSITORY / "book" / "_static", root / "book" / "_static")
    for name in ("_config.yml", ".gitignore"):
        shutil.copy(REPOSITORY / name, root)
    git = [
        "git",
        "-C",
        str(root),
        "-c",
        "user.name=A Test",
        "-c",
        "user.email=test@example.org",
        "-c",
        "commit.gpgsign=false",
    ]
    for words in (["init", "--quiet"], ["add", "--all"], ["commit", "--quiet", "--message", "A tiny book"]):
        subprocess.run([*git, *words], check=True)
    done = subprocess.run([COMMAND, "build"], cwd=root, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return root


@pytest.fixture
def tiny(pristine, tmp_path, monkeypatch, capfd):
    """A copy of the built tiny book, with the working directory in it."""
    root, static = tmp_path / "tiny", Path("_build", "html", "_static")
    shutil.copytree(pristine, root, ignore=lambda folder, _: ["_static"] if folder.endswith("_build/html") else [])
    (root / static).symlink_to(pristine / static)  # most of a site's files, and never written in place
    monkeypatch.chdir(root)
    return TinyBook(root, capfd)
