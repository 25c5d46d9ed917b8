"""Settings that OpenVox 9 removed or gave another default, in ``environment.conf`` and ``puppet.conf``."""

from __future__ import annotations

from collections.abc import Iterator

from bunraku.base.records import record
from bunraku.base.source import Source, Span
from bunraku.base.text_edits import Edit
from bunraku.dialects.puppet_9 import PUPPET_9
from bunraku.engine.manifests import read_text
from bunraku.migrate import rules
from bunraku.migrate.findings import Finding, Findings
from bunraku.modules.ini import SETTING, setting_value
from bunraku.project.reading import hiera_version
from bunraku.world.protocol import World

LAYERED = 5
"""The version of ``hiera.yaml`` in an environment that is used whatever ``environment_data_provider`` is."""


@record(frozen=True)
class Line:
    """A setting in a file: the span of its line, the name and the value."""

    span: Span
    name: str
    value: str


def environment_findings(
    found: Findings, sources: dict[str, Source], path: str, world: World
) -> None:
    """Add the changes in the ``environment.conf`` of an environment's directory."""
    file = f"{path}/environment.conf"
    if not world.is_file(file):
        return
    hiera = hiera_version(world, f"{path}/hiera.yaml")
    source = sources[file] = Source(read_text(world, file), file, on_disk=True)
    for line in removed_lines(source):
        add_removed(found, line, is_without_effect(line, hiera, in_environment=True))


def puppet_conf_findings(
    found: Findings, sources: dict[str, Source], file: str, world: World
) -> None:
    """Add the changes in a ``puppet.conf``."""
    source = sources[file] = Source(read_text(world, file), file, on_disk=True)
    for line in removed_lines(source):
        add_removed(found, line, is_without_effect(line, None, in_environment=False))
    if not any(line.name == "reports" for line in lines_of(source)):
        span = source.span(0, len(source.line_text(1)))
        found.add(Finding(rules.CHANGED_DEFAULT, span, "reports = store", "reports = none"))


def lines_of(source: Source) -> Iterator[Line]:
    """Yield the settings of a file."""
    start = 0
    for text in source.text.splitlines(keepends=True):
        matched = None if text.lstrip().startswith("#") else SETTING.match(text)
        if matched:
            span = source.span(start, start + len(text.rstrip("\r\n")))
            yield Line(span, matched[1], setting_value(matched[2]))
        start += len(text)


def removed_lines(source: Source) -> Iterator[Line]:
    """Yield the settings of a file that OpenVox 9 does not have."""
    return (line for line in lines_of(source) if line.name in PUPPET_9.removed_settings)


def add_removed(found: Findings, line: Line, without_effect: bool) -> None:
    """Add a removed setting; the edit removes its line if the setting has no effect in Puppet 8."""
    text = line.span.source.text
    end = text.find("\n", line.span.end) + 1 or len(text)
    edits = (Edit(line.span.start, end, ""),) if without_effect else ()
    found.add(Finding(rules.SETTING, line.span, "", "ignored", (), edits))


def is_without_effect(line: Line, hiera: int | None, *, in_environment: bool) -> bool:
    """Return whether Puppet 8 does the same without the setting; ``hiera`` is the version of hiera.yaml.

    The agent of Puppet 8 does not read ``pluginsync``. An environment whose hiera.yaml has version 5 has
    no other data provider; the provider ``hiera`` uses default paths where there is no hiera.yaml.
    """
    if line.name == "configprint":
        return not line.value
    if line.name == "data_binding_terminus":
        return line.value == "hiera"
    if line.name == "environment_data_provider":
        if in_environment and hiera is not None and (hiera >= LAYERED or line.value == "hiera"):
            return True
        return line.value == "none" and (hiera is None or hiera >= LAYERED)
    return True
