"""Where a run comes from: enough to make it again and to tell whether it was."""

import ast
import hashlib
import importlib.metadata
import platform
import re
import subprocess
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import attnlearn

PACKAGES = ("jupyter-book", "matplotlib", "numpy", "papermill", "pandas", "scipy", "seaborn", "torch")

_SOURCE = Path(attnlearn.__file__).parent
_MAGIC = re.compile(r"^[%!].*$", flags=re.MULTILINE)  # a notebook's own commands, which are not Python


def sha256(path: Path) -> str:
    """The file's SHA-256 in hexadecimal."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def machine() -> dict[str, Any]:
    """What a number may depend on besides the code: versions and processor, nothing that names a host."""
    return {
        "python": platform.python_version(),
        "packages": {name: importlib.metadata.version(name) for name in PACKAGES},
        "processor": _processor(),
        "system": f"{platform.system()} {platform.machine()}",
    }


def checkout(root: Path) -> dict[str, Any]:
    """The commit checked out at `root`, its date, and whether files differ from it; None where git cannot say."""

    def git(*words: str) -> str | None:
        try:
            done = subprocess.run(["git", "-C", str(root), *words], capture_output=True, text=True, check=True)
        except (OSError, subprocess.CalledProcessError):
            return None
        return done.stdout.strip()

    status = git("status", "--porcelain")
    return {
        "commit": git("rev-parse", "--verify", "HEAD"),
        "date": git("show", "--no-patch", "--format=%cs", "HEAD"),
        "dirty": None if status is None else status != "",
    }


def code_behind(cells: Iterable[str]) -> dict[str, str]:
    """The files of this package that a chapter's cells need, directly or through each other, with their checksums."""
    found: dict[str, str] = {}
    waiting = [module for cell in cells for module in _imports(_MAGIC.sub("", cell))]
    while waiting:
        module = waiting.pop()
        for path in _files(module):
            name = path.relative_to(_SOURCE).as_posix()
            if name not in found:
                found[name] = sha256(path)
                waiting += _imports(path.read_text(encoding="utf-8"))
    return dict(sorted(found.items()))


def _imports(source: str) -> Iterable[str]:
    """Dotted names of this package that the source imports; `from a import b` may name a module a.b."""
    try:
        tree = ast.parse(source)
    except SyntaxError:  # running the cell will tell
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            names = [node.module or "", *(f"{node.module}.{alias.name}" for alias in node.names)]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        else:
            continue
        yield from (name for name in names if name.split(".")[0] == "attnlearn")


def _files(module: str) -> Iterable[Path]:
    """The module's own file, where it has one, and the `__init__` of each package on the way to it."""
    parts = module.split(".")[1:]
    packages = [_SOURCE.joinpath(*parts[:depth], "__init__.py") for depth in range(len(parts) + 1)]
    own = _SOURCE.joinpath(*parts).with_suffix(".py")
    return (path for path in (*packages, own) if path.is_file())


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor() or "unknown"
    names = [line.split(":")[1].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else "unknown"
