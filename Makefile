# make book [PROFILE=paper]   run every chapter and build the book into _build/html
# make test                   run the whole test suite
# make check                  lint and types
# make record                 the paper-scale book, its claims kept in results/
# make lock                   new exact versions in requirements.txt

PYTHON ?= python3
PROFILE ?= quick
VENV := .venv
INSTALLED := $(VENV)/installed

.PHONY: book test check record lock clean

book: $(INSTALLED)
	$(VENV)/bin/attnlearn build --profile $(PROFILE)

test: $(INSTALLED)
	$(VENV)/bin/pytest

check: $(INSTALLED)
	$(VENV)/bin/ruff check . && $(VENV)/bin/ruff format --check . && $(VENV)/bin/mypy

record: $(INSTALLED)
	$(VENV)/bin/attnlearn build --profile paper --record
	cp _build/html/figures/lmn-sen-synthetic/lmn-sen-synthetic.svg results/    # the README's picture

# The stamp comes last, so that an interrupted installation starts again.
$(INSTALLED): requirements.txt pyproject.toml
	$(PYTHON) -c 'import sys; sys.version_info >= (3, 11) or sys.exit("attnlearn needs Python 3.11 or newer; name one with PYTHON=...")'
	$(PYTHON) -m venv $(VENV)
	$(VENV)/bin/pip install --quiet --requirement requirements.txt
	$(VENV)/bin/pip install --quiet --no-deps --no-build-isolation --editable .
	touch $@

lock:
	rm -rf _build/lock && $(PYTHON) -m venv _build/lock
	_build/lock/bin/pip install --quiet "torch==2.13.0" setuptools ".[dev]"
	{ sed -n '/^#/p' requirements.txt; _build/lock/bin/pip freeze --all --exclude attnlearn --exclude pip | sed 's/+cpu//'; } > _build/requirements.txt
	mv _build/requirements.txt requirements.txt

clean:
	rm -rf _build
