"""The command `attnlearn`, which the Makefile and readers use alike."""

import argparse
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NoReturn

from attnlearn.companion.chapters import PROFILES, Book
from attnlearn.companion.claims import Measurement, Register
from attnlearn.companion.errors import BookError, UsageError
from attnlearn.companion.execution import rerun_folder, run_chapter
from attnlearn.companion.site import build_site, record_results


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message} (see {self.prog} --help)")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return its exit code: 0 success, 1 a claim or build failed, 2 bad usage."""
    try:
        options = _parser().parse_args(arguments)
        code: int = options.command(options)
    except UsageError as fault:
        print(f"attnlearn: {fault}", file=sys.stderr)
        return 2
    except BookError as fault:
        print(f"attnlearn: {fault}", file=sys.stderr)
        return 1
    except OSError as fault:
        print(f"attnlearn: {fault.strerror or fault}: {fault.filename or 'no file named'}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print(
            "attnlearn: interrupted; finished chapters are kept, and the same command goes on from there",
            file=sys.stderr,
        )
        return 130
    return code


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="attnlearn", description="Read, rerun and build How Attention Learns.")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)

    listing = commands.add_parser("list", help="the chapters, and what each lets you change")
    listing.set_defaults(command=_list)

    run = commands.add_parser("run", help="run one chapter into a folder of its own")
    run.add_argument("chapter", metavar="CHAPTER", help="its name, as list shows it")
    run.add_argument("--profile", default="quick", help="quick (the default) or paper")
    run.add_argument(
        "-p",
        dest="changes",
        metavar="NAME=VALUE",
        action="append",
        default=[],
        help="change a parameter; may be repeated",
    )
    run.set_defaults(command=_run)

    build = commands.add_parser("build", help="run every chapter that changed, and build the site")
    build.add_argument("--profile", default="quick", help="quick (the default) or paper")
    build.add_argument("--record", action="store_true", help="keep the claims' results in results/ (paper only)")
    build.set_defaults(command=_build)
    return parser


def _list(options: argparse.Namespace) -> int:
    book = Book.here()
    for name, chapter in book.chapters.items():
        print(f"{name}: {chapter.title}")
        defaults = {profile: chapter.values(profile, {}) for profile in PROFILES}
        for parameter in chapter.parameters.values():
            values = {profile: _written(defaults[profile][parameter.name]) for profile in PROFILES}
            differs = "" if len(set(values.values())) == 1 else f" (paper: {values['paper']})"
            allowed = parameter.allowed if parameter.type in ("int", "float") else f"of {parameter.allowed}"
            print(
                f"    {parameter.name}: {parameter.type} = {values['quick']}{differs}    {allowed}: {parameter.meaning}"
            )
    return 0


def _run(options: argparse.Namespace) -> int:
    book = Book.here()
    chapter = book.chapter(options.chapter)
    changes = {}
    for change in options.changes:
        name, equals, text = change.partition("=")
        if not equals:
            raise UsageError(f"-p takes NAME=VALUE, got {change}")
        changes[name] = chapter.parameter(name).parse(text)
    values = chapter.values(options.profile, changes)
    folder = rerun_folder(book, chapter, options.profile, values)
    run = run_chapter(book, chapter, profile=options.profile, values=values, folder=folder, label="[1/1]")

    register = Register(book.source / "claims.yml")
    surprises = 0
    for name, record in run.claims.items():
        if name not in register.claims:
            raise BookError(f"{chapter.name}: {name} is recorded, but claims.yml has no such claim")
        row = register.claims[name].judge(record, profile=options.profile, figures=())
        expected = register.claims[name].expected.get(options.profile)
        surprises += row["verdict"] != expected
        print(f"{name}: {row['verdict']}: {Measurement(**record['measured'])} (the book: {expected})")
    print(f"notebook, figures and their data: {run.folder.relative_to(book.root)}")
    # With other parameters another verdict is a finding; with the book's own it is a failure.
    return 1 if surprises and not changes else 0


def _build(options: argparse.Namespace) -> int:
    start = time.perf_counter()
    book = Book.here()
    if options.record and options.profile != "paper":
        raise UsageError("--record keeps results at the papers' scale: it goes with --profile paper")
    values = {name: chapter.values(options.profile, {}) for name, chapter in book.chapters.items()}
    runs = {}
    for number, (name, chapter) in enumerate(book.chapters.items(), start=1):
        folder = book.build / "runs" / options.profile / name
        label = f"[{number}/{len(values)}]"
        runs[name] = run_chapter(
            book, chapter, profile=options.profile, values=values[name], folder=folder, label=label
        )
    page = build_site(book, runs, profile=options.profile)
    if options.record:
        record_results(book, runs, page.parent / "claims.json")
    print(f"The book was made in {time.perf_counter() - start:.0f} s. Open {_shown(page)} in a browser.")
    return 0


def _written(value: Any) -> str:
    return ",".join(value) if isinstance(value, list) else str(value)


def _shown(path: Path) -> str:
    return path.relative_to(Path.cwd()).as_posix() if path.is_relative_to(Path.cwd()) else path.as_posix()
