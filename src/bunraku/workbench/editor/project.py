"""What the editor knows of a project beside the texts of its files."""

from __future__ import annotations

from collections.abc import Mapping

from bunraku.base.lazy_typing import TYPE_CHECKING, Any
from bunraku.base.records import field, record
from bunraku.limits.limits import Limits

if TYPE_CHECKING:
    from bunraku.dialects.dialect import Dialect
    from bunraku.engine.request import Request
    from bunraku.workbench.editor.node import NodeData
    from bunraku.workbench.lint.run import LintSettings


@record(eq=False)
class EditedProject:
    """A project whose files are edited, with its settings.

    ``is_project`` is false for a directory that is none. ``request`` compiles nothing yet: it names the environment, the modules and the language.
    ``module_directories`` are those of all modules, also outside of the root; ``modulepath`` has the
    directories of modules, and single modules by name. ``settings`` are those of Puppet that are set.
    ``data`` answers what Hiera has for a node.
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
