"""The errors that a test expects."""

from __future__ import annotations

import re

from bunraku.base.errors import PuppetError


class ExpectedError:
    """An error that a block must raise: the pattern of its message and its code; None for any.

    ``value`` is the error once the block has raised it.
    """

    def __init__(self, match: str | None, code: str | None) -> None:
        self.match = match
        self.code = code
        self.value: PuppetError | None = None

    def __enter__(self) -> ExpectedError:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: object
    ) -> bool:
        __tracebackhide__ = True
        if error is None:
            raise AssertionError(f"the code compiles; expected {self}")
        if not isinstance(error, PuppetError):
            return False
        self.value = error
        wrong = self.match is not None and not re.search(self.match, str(error))
        if wrong or (self.code is not None and error.code != self.code):
            text = f"the compile failed with another error than {self}:\n  {error.code}: {error}"
            raise AssertionError(text) from None
        return True

    def __str__(self) -> str:
        parts = [
            f"the code {self.code}" if self.code else "",
            f"a message that matches {self.match!r}" if self.match else "",
        ]
        wanted = " and ".join(part for part in parts if part)
        return f"an error with {wanted}" if wanted else "an error"
