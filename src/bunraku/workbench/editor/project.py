"""What the editor knows of a project beside the texts of its files."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property

from bunraku.base.errors import PuppetError
from bunraku.base.lazy_typing import TYPE_CHECKING, Any
from bunraku.base.records import field, record
from bunraku.base.source import Source
from bunraku.limits.limits import Limits
from bunraku.workbench.format.pieces import Style

if TYPE_CHECKING:
    from bunraku.dialects.dialect import Dialect
    from bunraku.engine.request import Request, ResolvedRequest
    from bunraku.engine.resource_types import ResourceTypes
    from bunraku.workbench.editor.node import NodeData
    from bunraku.workbench.lint.run import LintSettings


def default_style(_source: Source) -> Style:
    """Return the layout of a project without a configuration."""
    return Style(2)


@record(eq=False, slots=False)
class EditedProject:
    """A project whose files are edited, with its settings.

    ``is_project`` is false for a directory that is none. ``request`` compiles nothing yet: it names the environment, the modules and the language.
    ``module_directories`` are those of all modules, also outside of the root; ``modulepath`` has the
    directories of modules, and single modules by name. ``settings`` are those of Puppet that are set.
    ``data`` answers what Hiera has for a node.
    ``style_of`` returns the layout that the formatter gives a file.
    """

    root: str
    request: Request
    dialect: Dialect
    lint: LintSettings
    is_project: bool = False
    limits: Limits = field(default_factory=Limits)
    module_directories: list[str] = field(default_factory=list)
    modulepath: list[str | tuple[str, str]] = field(default_factory=list)
    settings: Mapping[str, Any] = field(default_factory=dict)
    data: NodeData | None = None
    style_of: Callable[[Source], Style] = default_style

    @cached_property
    def resolved(self) -> ResolvedRequest | None:
        """The environment with its modules; None if it is invalid, which the findings of the project say."""
        from bunraku.engine.request import resolve

        try:
            return resolve(self.request, lambda _entry: None)
        except PuppetError:
            return None

    @cached_property
    def resource_types(self) -> ResourceTypes | None:
        """The resource types that are not written in Puppet."""
        from bunraku.engine.resource_types import ResourceTypes

        return None if self.resolved is None else ResourceTypes(self.resolved)

    @cached_property
    def modules(self) -> dict[str, str]:
        """The directories of the modules, by name."""
        return {} if self.resolved is None else dict(self.resolved.environment.module_paths)
