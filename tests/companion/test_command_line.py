"""What the command says and returns: to a reader, to a rerunner, and to one who asks for what there is not."""

import errno
import json
import os
import shutil

import pytest

from attnlearn.companion.command_line import main
from tests.conftest import TinyBook, checksums


def test_list_shows_every_chapter_with_its_parameters(tiny):
    outcome = tiny.attnlearn("list")

    assert outcome.code == 0
    assert outcome.out.splitlines() == [
        "part/line: A line is straight",
        "    points: int = 5 (paper: 50)    3 to 1_000: how many points are drawn",
        "    slope: float = 2.0    -10 to 10: the line's slope",
        "    kinds: list = a    of a, b: what is drawn",
        "    colour: str = topic    of topic, control: the line's colour",
        "part/noise: Noise has no mean",
        "    seeds: int = 3    2 to 100: independent runs",
        "    seed: int = 0    0 to 1_000_000: the first seed",
        "part/plain: Nothing to change",
    ]


def test_help_lists_the_commands(capsys):
    with pytest.raises(SystemExit) as leaving:
        main(["--help"])

    assert leaving.value.code == 0
    shown = capsys.readouterr().out
    for command in ("list", "run", "build"):
        assert f"\n    {command} " in shown


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "the following arguments are required: COMMAND (see attnlearn --help)"),
        (["make"], "argument COMMAND: invalid choice: 'make' (choose from "),
        (["build", "--fast"], "unrecognized arguments: --fast (see attnlearn --help)"),
        (["list", "part/line"], "unrecognized arguments: part/line (see attnlearn --help)"),
        (["build", "--profile"], "argument --profile: expected one argument (see attnlearn build --help)"),
        (["run"], "the following arguments are required: CHAPTER (see attnlearn run --help)"),
        (["run", "part/circle"], "unknown chapter part/circle; there are part/line, part/noise, part/plain"),
        (["run", "line"], "unknown chapter line; there are part/line, part/noise, part/plain"),
        (["run", "part/line", "--profile", "fast"], "unknown profile fast; there are quick, paper"),
        (["build", "--profile", "fast"], "unknown profile fast; there are quick, paper"),
        (["build", "--record"], "--record keeps results at the papers' scale: it goes with --profile paper"),
        (["run", "part/noise", "-p", "seeds"], "-p takes NAME=VALUE, got seeds"),
        (["run", "part/noise", "-p"], "argument -p: expected one argument (see attnlearn run --help)"),
        (["run", "part/noise", "-p", "step=1"], "part/noise has no parameter step; its parameters are seeds, seed"),
        (["run", "part/plain", "-p", "step=1"], "part/plain has no parameter step; its parameters are none"),
        (
            ["run", "part/noise", "-p", "seeds=many"],
            "parameter seeds must be a whole number from 2 to 100, got many",
        ),
        (["run", "part/noise", "-p", "seeds=1"], "parameter seeds must be a whole number from 2 to 100, got 1"),
        (["run", "part/line", "-p", "slope=steep"], "parameter slope must be a number from -10 to 10, got steep"),
        (["run", "part/line", "-p", "colour=red"], "parameter colour must be one of topic, control, got red"),
        (["run", "part/line", "-p", "kinds=a,c"], "parameter kinds must be some of a, b, got a, c"),
        (["run", "part/noise", "-p", "seed=1", "-p", "seeds=0"], "parameter seeds must be"),
    ],
)
def test_asking_for_what_there_is_not_is_one_line_and_runs_nothing(pristine, monkeypatch, capfd, words, said):
    before = checksums(pristine)
    monkeypatch.chdir(pristine)

    outcome = TinyBook(pristine, capfd).attnlearn(*words)

    assert outcome.code == 2
    assert len(outcome.err.splitlines()) == len(outcome.told) == 1
    assert said in outcome.told[0]
    assert outcome.out == ""
    assert checksums(pristine) == before


@pytest.mark.parametrize("words", [["list"], ["run", "part/line"], ["build"]])
def test_outside_a_checkout_every_command_says_where_to_be(tmp_path, monkeypatch, capsys, words):
    monkeypatch.chdir(tmp_path)

    code = main(words)

    assert code == 2
    assert capsys.readouterr().err == (
        "attnlearn: no book here: run attnlearn inside a checkout, a folder that holds _toc.yml and book/\n"
    )


def test_run_shows_the_verdict_and_where_its_files_are(tiny):
    outcome = tiny.attnlearn("run", "part/line")

    assert outcome.code == 0
    verdict, place = outcome.out.splitlines()
    assert verdict.startswith("line-straight: holds: ")
    assert verdict.endswith(", n = 3 (the book: holds)")
    assert place == "notebook, figures and their data: _build/reruns/part/line/quick"
    folder = tiny.root / "_build" / "reruns" / "part" / "line" / "quick"
    assert {"chapter.ipynb", "figures", "claims", "run.json"} <= {path.name for path in folder.iterdir()}


def test_run_works_from_a_folder_inside_the_checkout(tiny, monkeypatch):
    monkeypatch.chdir(tiny.root / "book" / "part")

    outcome = tiny.attnlearn("run", "part/plain")

    assert outcome.code == 0
    assert (tiny.root / "_build" / "reruns" / "part" / "plain" / "quick" / "chapter.ipynb").is_file()


def test_a_verdict_other_than_the_books_fails_a_run_with_the_books_own_settings_only(tiny):
    tiny.change("claims.yml", "{quick: holds, paper: holds}", "{quick: does not hold, paper: holds}")

    own = tiny.attnlearn("run", "part/line")
    changed = tiny.attnlearn("run", "part/line", "-p", "points=4")

    assert own.code == 1
    assert "line-straight: holds: " in own.out
    assert "(the book: does not hold)" in own.out
    assert changed.code == 0
    assert "n = 2 (the book: does not hold)" in changed.out


def test_a_run_whose_claim_the_register_does_not_know_says_so(tiny):
    tiny.change("part/line.md", '    "line-straight",\n    over', '    "line-crooked",\n    over')

    outcome = tiny.attnlearn("run", "part/line")

    assert outcome.code == 1
    assert outcome.told == ["attnlearn: part/line: line-crooked is recorded, but claims.yml has no such claim"]


def test_a_run_that_raises_says_where(tiny):
    tiny.append_cell("part/plain", "largest = 1 / 0")

    outcome = tiny.attnlearn("run", "part/plain")

    assert outcome.code == 1
    assert len(outcome.told) == 1
    assert outcome.told[0].startswith("attnlearn: part/plain, cell ")
    assert not list(tiny.root.rglob("*.partial"))


def test_a_full_disk_is_one_line(tiny, monkeypatch):
    def full(*_, **__):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "chapter.ipynb")

    tiny.append("part/plain.md", "A new ending.")
    monkeypatch.setattr("attnlearn.companion.execution.nbformat.write", full)

    assert tiny.stopped() == "attnlearn: No space left on device: chapter.ipynb"


def test_a_folder_that_cannot_be_written_is_one_line(tiny):
    shutil.rmtree(tiny.root / "_build")
    (tiny.root / "_build").write_text("a file where the folder should be", encoding="utf-8")

    outcome = tiny.attnlearn("build")

    assert outcome.code == 1
    assert len(outcome.told) == 1
    assert str(tiny.root / "_build") in outcome.told[0]


def test_a_register_that_is_missing_is_one_line(tiny):
    tiny.file("claims.yml").unlink()

    assert tiny.stopped() == f"attnlearn: No such file or directory: {tiny.file('claims.yml')}"


def test_build_says_where_to_open_the_book(tiny):
    outcome = tiny.attnlearn("build")

    assert outcome.out.endswith("Open _build/html/index.html in a browser.\n")
    assert (tiny.root / "_build" / "html" / "index.html").is_file()


def test_recording_keeps_the_paper_scale_results_beside_the_book(tiny):
    outcome = tiny.attnlearn("build", "--profile", "paper", "--record")

    assert outcome.code == 0
    kept = {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in (tiny.root / "results").iterdir()}
    assert kept.keys() == {"line-straight", "line-long"}
    assert {row["profile"] for row in kept.values()} == {"paper"}
    assert {row["provenance"]["parameters"]["points"] for row in kept.values()} == {50}
