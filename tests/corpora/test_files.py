"""Where data files are looked for, and what a person reads when one is missing or wrong."""

import hashlib
import os

import pytest

from attnlearn.corpora import CorpusUnavailable, files, files_read

NAME = "sst2/stsa.binary.dev"


@pytest.fixture
def published(monkeypatch, tmp_path):
    """A stand-in for the published file; the cache is empty and nothing answers at the address."""
    content = b"1 a fine film .\n"
    monkeypatch.setitem(files.CHECKSUM, NAME, hashlib.sha256(content).hexdigest())
    monkeypatch.setattr(files, "ADDRESS", "http://127.0.0.1:9/sst/")
    monkeypatch.setattr(files, "RETRIES", 0)
    monkeypatch.setattr(files, "_read", {})
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.delenv("ATTNLEARN_DATA", raising=False)
    return content


def put(folder, content):
    path = folder / NAME
    path.parent.mkdir(parents=True)
    path.write_bytes(content)
    return path


def test_a_folder_of_the_readers_is_looked_in_first(published, monkeypatch, tmp_path):
    put(tmp_path / "mine", published)
    monkeypatch.setenv("ATTNLEARN_DATA", str(tmp_path / "mine"))

    assert files.fetch(NAME) == published


def test_folders_are_looked_in_in_their_order(published, monkeypatch, tmp_path):
    wrong = put(tmp_path / "second", b"other")
    put(tmp_path / "first", published)
    folders = [str(tmp_path / name) for name in ("absent", "first", "second")]

    monkeypatch.setenv("ATTNLEARN_DATA", os.pathsep.join(folders))
    assert files.fetch(NAME) == published

    monkeypatch.setenv("ATTNLEARN_DATA", os.pathsep.join(reversed(folders)))
    with pytest.raises(CorpusUnavailable, match=str(wrong)):
        files.fetch(NAME)


def test_wrong_checksum_names_file_and_sums(published, monkeypatch, tmp_path):
    path = put(tmp_path / "mine", b"other")
    monkeypatch.setenv("ATTNLEARN_DATA", str(tmp_path / "mine"))

    with pytest.raises(CorpusUnavailable) as error:
        files.fetch(NAME)

    message = str(error.value)
    assert "\n" not in message
    for part in (str(path), files.CHECKSUM[NAME], hashlib.sha256(b"other").hexdigest()):
        assert part in message
    assert files_read() == {}


def test_a_missing_file_names_address_checksum_and_folder(published, tmp_path):
    with pytest.raises(CorpusUnavailable) as error:
        files.fetch(NAME)

    message = str(error.value)
    assert "\n" not in message
    for part in (files.ADDRESS + NAME, files.CHECKSUM[NAME], str(tmp_path / "cache"), "ATTNLEARN_DATA"):
        assert part in message
    assert [path for path in (tmp_path / "cache").rglob("*") if path.is_file()] == []


def test_the_cache_serves_without_the_network(published, tmp_path):
    put(tmp_path / "cache" / "attnlearn", published)

    assert files.fetch(NAME) == published


def test_files_read_lists_name_and_checksum(published, monkeypatch, tmp_path):
    put(tmp_path / "mine", published)
    monkeypatch.setenv("ATTNLEARN_DATA", str(tmp_path / "mine"))

    files.fetch(NAME)

    assert files_read() == {NAME: files.CHECKSUM[NAME]}
