"""The fixture ``compile``: it compiles the subject of a test, or checks all values of its parameters."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Unpack

from bunraku.base.errors import PuppetError
from bunraku.base.records import record
from bunraku.workbench.testing.keywords import SubjectKeywords
from bunraku.workbench.testing.subject_compiler import SubjectCompiler


@record(slots=False)
class Compiler(SubjectCompiler):
    """Compiles subjects of one test; the fixture ``compile``."""

    def for_every_value(
        self,
        class_: str | None = None,
        /,
        *,
        examples: int = 100,
        only: Sequence[str] | None = None,
        refused: str | None = None,
        **options: Unpack[SubjectKeywords],
    ) -> None:
        """Check that a class or defined type compiles with all values that its parameters accept.

        It is compiled with ``examples`` sets of values, the same in every run; hypothesis makes them from
        the types. Values in ``params`` do not vary, and if ``only`` names parameters, no others do.
        Parameters without a type, and those of whose type no value can be made, keep their defaults. An
        error whose message has a match of the pattern ``refused`` is meant. Raises AssertionError with the
        simplest values that do not compile, PuppetError if no value of a required parameter can be made.
        """
        __tracebackhide__ = True
        from bunraku.workbench.testing.every_value import check_every_value

        given = self.all_options(class_, options)
        try:
            check_every_value(self, given, examples, only, refused)
        except (AssertionError, PuppetError, TypeError) as error:
            raise error.with_traceback(None) from None
