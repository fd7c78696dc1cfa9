"""What reruns and what stands, and what an interrupted run leaves behind."""

import json
import os
import re
import shutil
import signal
import subprocess
import time
from pathlib import Path

import nbformat
import psutil  # type: ignore[import-untyped]
import pytest

import attnlearn
from attnlearn.companion import execution, provenance
from attnlearn.companion.execution import run_chapter
from attnlearn.companion.provenance import code_behind
from tests.conftest import COMMAND, checksums

# A kernel starts in a second or two, and papermill gives it as long again to go; the rest is for a busy machine.
PATIENCE = 30


@pytest.fixture
def sleeper(tiny, tmp_path):
    """The tiny book with a chapter that sleeps until a file `awake` is there."""
    tiny.append_cell(
        "part/plain",
        "import os, time\nfrom pathlib import Path\nPath('kernel').write_text(str(os.getpid()))\n"
        f"while not Path({str(tmp_path / 'awake')!r}).exists():\n    time.sleep(0.1)",
    )
    return tiny


def start_build(tiny):
    """`attnlearn build` as a terminal starts it, a group of processes of its own."""
    with (tiny.root / "stderr").open("w") as err:
        return subprocess.Popen(
            [COMMAND, "build"],
            cwd=tiny.root,
            stderr=err,
            stdout=err,
            start_new_session=True,
            # What a shell starts in the background is deaf to Ctrl-C, and its children with it.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        )


def wait_for(condition):
    """What the condition becomes, as soon as it is true."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if value := condition():
            return value
        time.sleep(0.05)
    raise AssertionError("waited in vain")


def kernel_asleep(tiny):
    """The sleeping chapter's kernel, once it sleeps."""
    path = tiny.runs / "part" / "plain.partial" / "kernel"
    return psutil.Process(int(wait_for(lambda: path.is_file() and path.read_text())))


def gone(process):
    return not process.is_running() or process.status() == psutil.STATUS_ZOMBIE


def test_an_unchanged_book_reruns_nothing_and_keeps_its_site(tiny):
    before = checksums(tiny.root / "_build")

    outcome = tiny.attnlearn("build")

    assert outcome.code == 0
    assert outcome.reran == []
    assert "site: unchanged" in outcome.err
    assert checksums(tiny.root / "_build") == before


def test_a_changed_chapter_reruns_alone(tiny):
    tiny.append("part/plain.md", "A new ending.")

    outcome = tiny.attnlearn("build")

    assert outcome.code == 0
    assert outcome.reran == ["part/plain"]
    assert "A new ending." in (tiny.root / "_build" / "html" / "part" / "plain.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("what", ["lock", "profile", "parameter"])
def test_a_run_is_made_again_when_what_it_depends_on_changes(tiny, what):
    cell = "```{code-cell} ipython3\n:tags: [parameters]\n\ncount: int = 1  # 1 to 9: how many\n```"
    tiny.append("part/plain.md", cell)
    chapter, folder = tiny.book.chapter("part/plain"), tiny.root / "run"

    def run(profile="quick", count=1):
        values = {"count": count}
        return run_chapter(tiny.book, chapter, profile=profile, values=values, folder=folder, label="").provenance

    first, stands = run(), run()
    if what == "lock":
        (tiny.root / "requirements.txt").write_text("numpy==2.0.0\n", encoding="utf-8")
    again = run(profile="paper" if what == "profile" else "quick", count=2 if what == "parameter" else 1)

    assert stands == first
    assert again["depends_on"] != first["depends_on"]
    assert again["profile"] == ("paper" if what == "profile" else "quick")
    assert again["parameters"] == {"count": 2 if what == "parameter" else 1}


def test_the_code_behind_a_chapter_is_what_it_imports_and_what_that_imports():
    found = code_behind(["import numpy as np", "from attnlearn.topics import descend"])

    assert {"__init__.py", "topics/__init__.py", "topics/descent.py", "topics/products.py"} <= found.keys()
    assert "corpora/corpus.py" in found  # descent needs it
    assert not [name for name in found if name.startswith("companion/")]


@pytest.mark.parametrize(
    "cell",
    [
        "import attnlearn.corpora",
        "from attnlearn import corpora",
        "from attnlearn.corpora import load",
        "def late():\n    from attnlearn.corpora import load",
        "%matplotlib inline\nfrom attnlearn.corpora import load",
        "%%time\nfrom attnlearn.corpora import load",
    ],
)
def test_every_way_of_importing_counts(cell):
    assert code_behind([cell]).keys() >= {"corpora/__init__.py", "corpora/reviews.py"}


def test_a_chapter_that_imports_nothing_has_no_code_behind_it():
    assert code_behind(["print('once')", "from pathlib import Path", "a = = 1"]) == {}


def test_changed_code_reruns_the_chapters_that_import_it(tiny, tmp_path, monkeypatch):
    source, executed = tmp_path / "attnlearn", []
    shutil.copytree(Path(attnlearn.__file__).parent, source)
    monkeypatch.setattr(provenance, "_SOURCE", source)

    def execute(_, chapter, *rest):
        executed.append(chapter.name)
        return 1.0

    monkeypatch.setattr(execution, "_execute", execute)

    def executed_after_a_change_of(module):
        executed.clear()
        with (source / module).open("a") as file:
            file.write("# another line\n")
        for name, chapter in tiny.book.chapters.items():
            values = chapter.values("quick", {})
            run_chapter(tiny.book, chapter, profile="quick", values=values, folder=tiny.runs / name, label="")
        return executed

    assert executed_after_a_change_of("topics/theory.py") == []
    assert executed_after_a_change_of("companion/site.py") == []
    assert executed_after_a_change_of("companion/prose.py") == ["part/line", "part/noise"]


def test_progress_names_chapter_and_cell(tiny):
    tiny.append_cell("part/plain", "last = 'the last cell'")

    shown = tiny.attnlearn("run", "part/plain").err

    lines = [line for line in re.split(r"[\r\n]", shown) if line.startswith("[1/1] part/plain: cell ")]
    assert any('print("once")' in line for line in lines)
    assert any("last = 'the last cell'" in line for line in lines)
    assert "3/3" in lines[-1]


def test_what_a_cell_writes_aside_is_kept_in_its_notebook(tiny):
    tiny.append_cell("part/plain", "import sys\nprint('aside', file=sys.stderr)")

    outcome = tiny.attnlearn("run", "part/plain")

    path = tiny.root / "_build" / "reruns" / "part" / "plain" / "quick" / "chapter.ipynb"
    notebook = nbformat.read(path, as_version=4)
    assert [(output.name, output.text) for output in notebook.cells[-1].outputs] == [("stderr", "aside\n")]
    assert "aside" not in outcome.err.replace("print('aside'", "")


def test_an_executed_chapter_is_a_valid_notebook_with_its_parameters(pristine):
    run = pristine / "_build" / "runs" / "quick" / "part" / "noise"

    notebook = nbformat.read(run / "chapter.ipynb", as_version=4)

    nbformat.validate(notebook)
    injected = [cell for cell in notebook.cells if "injected-parameters" in cell.metadata.get("tags", [])]
    assert "seeds = 3" in injected[0].source
    assert json.loads((run / "run.json").read_text(encoding="utf-8"))["seeds"] == [0, 1, 2]
    assert not (run / "source.ipynb").exists()


def test_a_rerun_has_a_folder_of_its_own_and_never_touches_the_books(tiny):
    before = checksums(tiny.root / "_build")

    outcome = tiny.attnlearn("run", "part/noise", "-p", "seeds=4")

    folder = tiny.root / "_build" / "reruns" / "part" / "noise" / "quick seeds=4"
    assert outcome.code == 0
    assert "_build/reruns/part/noise/quick seeds=4" in outcome.out
    assert json.loads((folder / "run.json").read_text(encoding="utf-8"))["parameters"] == {"seeds": 4, "seed": 0}
    after = checksums(tiny.root / "_build")
    assert {name: total for name, total in after.items() if not name.startswith("reruns/")} == before
    assert tiny.attnlearn("build").reran == []


def test_the_recorded_command_makes_the_run_again(tiny):
    tiny.attnlearn("run", "part/noise", "--profile", "paper", "-p", "seed=7", "-p", "seeds=2")
    (folder,) = (tiny.root / "_build" / "reruns" / "part" / "noise").iterdir()
    command = json.loads((folder / "run.json").read_text(encoding="utf-8"))["command"]

    again = tiny.attnlearn(*command.split()[1:])

    assert command.split()[0] == "attnlearn"
    assert again.code == 0
    assert again.reran == []


def test_ctrl_c_stops_at_once_and_loses_no_finished_chapter(sleeper, tmp_path):
    sleeper.append("part/noise.md", "It changed a little.")
    former = checksums(sleeper.runs / "part" / "plain")
    build = start_build(sleeper)
    kernel = kernel_asleep(sleeper)
    finished = checksums(sleeper.runs / "part" / "noise")

    os.killpg(build.pid, signal.SIGINT)
    code = build.wait(PATIENCE)

    assert code == 130
    last = (sleeper.root / "stderr").read_text().splitlines()[-1]
    assert last == "attnlearn: interrupted; finished chapters are kept, and the same command goes on from there"
    assert "Traceback" not in (sleeper.root / "stderr").read_text()
    wait_for(lambda: gone(kernel))
    assert not list(sleeper.root.rglob("*.partial"))
    assert checksums(sleeper.runs / "part" / "noise") == finished
    assert checksums(sleeper.runs / "part" / "plain") == former

    (tmp_path / "awake").touch()
    again = sleeper.attnlearn("build")
    assert again.code == 0
    assert again.reran == ["part/plain"]


def test_a_build_that_was_killed_is_recovered_by_the_next(sleeper, tmp_path):
    build = start_build(sleeper)
    kernel = kernel_asleep(sleeper)

    build.kill()
    build.wait(PATIENCE)

    wait_for(lambda: gone(kernel))
    (tmp_path / "awake").touch()
    again = sleeper.attnlearn("build")
    assert again.code == 0
    assert again.reran == ["part/plain"]
    assert not list(sleeper.root.rglob("*.partial"))


def test_ctrl_c_while_the_site_is_built_keeps_the_site_that_stood(tiny):
    before = checksums(tiny.root / "_build" / "html")
    tiny.append("index.md", "A new ending.")
    build = start_build(tiny)
    wait_for(lambda: "site: building" in (tiny.root / "stderr").read_text())

    os.killpg(build.pid, signal.SIGINT)
    code = build.wait(PATIENCE)

    assert code == 130
    assert checksums(tiny.root / "_build" / "html") == before
    again = tiny.attnlearn("build")
    assert (again.code, again.reran) == (0, [])
    assert "A new ending." in (tiny.root / "_build" / "html" / "index.html").read_text(encoding="utf-8")
