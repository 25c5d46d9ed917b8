"""What the editor knows of a project beside the texts of its files."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import cached_property

from bunraku.base.errors import PuppetError
from bunraku.base.lazy_typing import TYPE_CHECKING, Any, Protocol
from bunraku.base.records import field, record
from bunraku.limits.limits import Limits

if TYPE_CHECKING:
    from bunraku.base.source import Source
    from bunraku.dialects.dialect import Dialect
    from bunraku.engine.request import Request, ResolvedRequest
    from bunraku.engine.resource_types import ResourceTypes
    from bunraku.workbench.editor.node import NodeData
    from bunraku.workbench.format.pieces import Style
    from bunraku.workbench.lint.run import LintSettings


class ProjectParts(Protocol):
    """The parts of a project that only some requests need; each is made, with what it imports, when it is."""

    def request(self) -> Request:
        """Return the request that compiles nothing yet: the environment, the modules and the language."""

    def lint(self) -> LintSettings:
        """Return the settings of the lint."""

    def data(self) -> NodeData:
        """Return what answers which data nodes have."""

    def has_nodes(self) -> bool:
        """Return whether the project has facts of nodes."""

    def style_of(self, source: Source) -> Style:
        """Return the layout that the formatter gives a file."""


@record(eq=False, slots=False)
class EditedProject:
    """A project whose files are edited, with its settings.

    ``is_project`` is false for a directory that is none.
    ``modulepath`` has the directories of modules, and single modules by name. ``settings`` are those of Puppet that are set.
    """

    root: str
    dialect: Dialect
    parts: ProjectParts
    is_project: bool = False
    limits: Limits = field(default_factory=Limits)
    modulepath: list[str | tuple[str, str]] = field(default_factory=list)
    settings: Mapping[str, Any] = field(default_factory=dict)

    @cached_property
    def request(self) -> Request:
        """The request without code."""
        return self.parts.request()

    @cached_property
    def dialect_key(self) -> str:
        """A short text that differs between dialects which read a text differently."""
        from hashlib import blake2b

        from bunraku.engine.dialects import stable_text

        return blake2b(stable_text(self.dialect).encode(), digest_size=8).hexdigest()

    @cached_property
    def lint(self) -> LintSettings:
        """The settings of the lint."""
        return self.parts.lint()

    @cached_property
    def data(self) -> NodeData:
        """What answers which data nodes have."""
        return self.parts.data()

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

    @cached_property
    def is_in_git(self) -> bool:
        """Whether the root is in a working tree of git."""
        path = self.root
        while not os.path.lexists(os.path.join(path, ".git")):
            path, before = os.path.dirname(path), path
            if path == before:
                return False
        return True

    @cached_property
    def has_nodes(self) -> bool:
        """Whether the project has facts of nodes."""
        return self.parts.has_nodes()

    @property
    def module_directories(self) -> list[str]:
        """The directories of all modules, also outside of the root."""
        return list(self.modules.values())
