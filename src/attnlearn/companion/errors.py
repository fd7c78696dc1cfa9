"""The two ways in which a command ends badly. Each is told in one line, without a traceback."""


class BookError(Exception):
    """The book does not build: a chapter failed, or says what its run does not bear out. Exit code 1."""


class UsageError(Exception):
    """The command asks for what there is not. Exit code 2, before anything runs."""
