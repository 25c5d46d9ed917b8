"""What a parser returns."""

from __future__ import annotations

from bunraku.base.errors import Diagnostic, PuppetError
from bunraku.base.lazy_typing import TYPE_CHECKING
from bunraku.base.records import field, record

if TYPE_CHECKING:
    from bunraku.syntax.nodes import Program


@record()
class ParseResult:
    """The tree, complete or partial, and the errors found."""

    program: Program
    diagnostics: list[Diagnostic] = field(default_factory=list)

    @property
    def errors(self) -> list[Diagnostic]:
        """The mistakes, without the warnings."""
        return [item for item in self.diagnostics if item.severity == "error"]

    def checked(self) -> Program:
        """Return the tree; raise a PuppetError with all mistakes."""
        errors = self.errors
        if errors:
            raise PuppetError(errors[0], errors[1:], phase="parse")
        return self.program
