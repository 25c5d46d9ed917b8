"""The module or control repository whose code a test compiles, and the modules that it uses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from bunraku.base.records import field, record
from bunraku.engine.dialects import find_dialect
from bunraku.facts.documents import read_facts
from bunraku.project.config_file import config_file_of
from bunraku.project.detect import find_project
from bunraku.project.fields import request_fields
from bunraku.project.issues import NO_PROJECT
from bunraku.project.model import MODULE, NOTHING, Project
from bunraku.project.module import FIXTURES
from bunraku.project.options import SETTING, CompileOptions, options_in
from bunraku.project.reading import existing
from bunraku.workbench.testing.fixtures import check_fixtures, fixtures_of
from bunraku.world.protocol import World

OF_CODE = [
    name for name, one in options_in(CompileOptions, by=SETTING).items() if one.group != "node"
]
"""The keys of ``bunraku.toml`` that are settings of Puppet; those about nodes do not matter to tests."""


@record(frozen=True)
class CodeUnderTest:
    """A module, a control repository, or nothing but a modulepath.

    ``fields`` are those of an ``engine.Request``; ``manifest`` is the main manifest. ``name`` is the
    module's or the environment's. ``facts`` are those that ``bunraku.toml`` gives every node.
    """

    kind: str
    root: str
    name: str
    fields: dict[str, Any] = field(default_factory=dict)
    manifest: str | None = None
    facts: Mapping[str, Any] = field(default_factory=dict)


def code_under_test(
    start: str,
    world: World,
    modulepath: Sequence[str] = (),
    language: str | None = None,
) -> CodeUnderTest:
    """Return the code under test for the directory of a test.

    ``modulepath`` has further directories of modules; ``bunraku.toml`` may name them, too. Modules of
    this machine, such as Debian's in ``/usr/share/puppet/modules``, count only if they are named.
    Raises PuppetError if there is no Puppet code, or if a module of ``.fixtures.yml`` is missing.
    """
    configured = {key: one.value for key, one in config_file_of(start, world).items()}
    given = {key: configured[key] for key in OF_CODE if key in configured}
    settings = {**given, **configured.get("settings", {})}
    language = language or configured.get("language")
    project = find_project(configured.get("root", start), world, settings)
    further = [*modulepath, *configured.get("modulepath", ())]
    if project.kind == NOTHING and not further:
        raise NO_PROJECT(path=start)
    fields = request_fields(
        project,
        settings,
        language=language,
        hiera_config=configured.get("hiera_config"),
    )
    fields["modulepath"] = folders(project, further, world)
    if project.kind == MODULE:
        fields["modules"] = modules_of(project, further, language, world)
    return CodeUnderTest(
        project.kind,
        project.root,
        project.name,
        fields,
        configured.get("manifest") or project.value("manifest"),
        read_facts(configured["facts"]) if "facts" in configured else {},
    )


def folders(project: Project, further: Sequence[str], world: World) -> list[str]:
    """Return the modulepath: for a module its fixtures and those named, never ``basemodulepath``."""
    if project.kind == MODULE:
        return [*existing(world, project.root, [FIXTURES]), *further]
    return [*(project.value("modulepath") or ()), *further]


def modules_of(
    project: Project, further: Sequence[str], language: str | None, world: World
) -> dict[str, str]:
    """Return the directories of modules that are outside of the modulepath, by name."""
    version = find_dialect(language, "puppet", {}).version
    fixtures = fixtures_of(project.root, version, world)
    found = dict(project.value("modules", {}))
    links = {one.name: one.directory for one in fixtures.links}
    check_fixtures(project.root, fixtures, [*further], found, world)
    return {**found, **links}
