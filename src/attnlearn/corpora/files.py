"""Data files, by checksum: from the reader's folders, from the cache, or from where they are published."""

import hashlib
import os
from pathlib import Path

ADDRESS = (
    "https://raw.githubusercontent.com/haoyelyu/On_the_Dynamics_of_Training_Attention_Models/"
    "d1f4cba20b75094ec7b81e55a8a63d3dc9b2aff6/data/sst_data/"
)
CHECKSUM = {
    "sst2/stsa.binary.train": "71c04bcc41291fa47454dd670df701b14ee9249156babeaac404cfe2c8d74338",
    "sst2/stsa.binary.dev": "02fedc82855dbdcabe82c65ed1af6c6570788eaac51073cdb35ee8c7784426d1",
    "sst2/stsa.binary.test": "6a80dc9b9a0db2d3b37f2f809304febad31c90ab67a5b4157b7d9f881c53ef5b",
    "sst5/stsa.fine.train": "9b52b5f686ed438d4d0274c385369251b3d579b578fddd340ba8a9bae2ca4bee",
    "sst5/stsa.fine.dev": "b2f76c62b960f9fda5c6d751edb125abab4f878eb94a8754239b7f4af647f4c3",
    "sst5/stsa.fine.test": "0e2ebb450c231f7b3d67fc932066e7bb26ae7bad8c88488f45ed44ef02eb3c73",
}
RETRIES = 3

_read: dict[str, str] = {}


class CorpusUnavailable(RuntimeError):  # noqa: N818 (a state of the world, named as such)
    """A data file cannot be had, or is not the one with the recorded checksum."""


def files_read() -> dict[str, str]:
    """The data files this process has read.

    Returns:
        File name to SHA-256, in the order of reading.
    """
    return dict(_read)


def read_checked(path: Path, *, name: str, sha256: str) -> bytes:
    """A data file's bytes, after its checksum was compared; `files_read` then lists it.

    Args:
        path: where the file is.
        name: what provenance calls it.
        sha256: the checksum wanted.

    Returns:
        The whole file.

    Raises:
        CorpusUnavailable: the checksum is another one.
    """
    content = path.read_bytes()
    got = hashlib.sha256(content).hexdigest()
    if got != sha256:
        raise CorpusUnavailable(f"{path} is not the expected {name}: wanted sha256 {sha256}, got {got}; replace it")
    _read[name] = got
    return content


def fetch(name: str) -> bytes:
    """A published data file's bytes.

    Looks in the folders that the environment variable ATTNLEARN_DATA names, in their order, then in the
    per-user cache, then downloads into that cache.

    Args:
        name: a key of `CHECKSUM`, which is also the file's path inside such a folder.

    Returns:
        The whole file.

    Raises:
        CorpusUnavailable: the file is nowhere to be had, or its checksum is another one.
    """
    for folder in os.environ.get("ATTNLEARN_DATA", "").split(os.pathsep):
        path = Path(folder, name)
        if folder and path.is_file():
            return read_checked(path, name=name, sha256=CHECKSUM[name])
    return read_checked(_download(name), name=name, sha256=CHECKSUM[name])


def _download(name: str) -> Path:
    import pooch  # only here: it is slow to import, and most readers never download

    cache = pooch.create(path=pooch.os_cache("attnlearn"), base_url=ADDRESS, registry=CHECKSUM, retry_if_failed=RETRIES)
    try:
        return Path(cache.fetch(name, progressbar=True))
    except (OSError, ValueError) as error:  # no connection, a refusal, a full disk; or the wrong checksum
        raise CorpusUnavailable(
            f"cannot get {cache.get_url(name)} ({type(error).__name__}); "
            f"put that file, sha256 {CHECKSUM[name]}, at {Path(cache.path, name)}, "
            f"or at {name} in a folder that ATTNLEARN_DATA names"
        ) from error
