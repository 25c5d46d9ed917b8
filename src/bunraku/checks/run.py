"""Check a file according to its kind."""

from __future__ import annotations

from collections.abc import Callable

from bunraku.base.errors import Diagnostic, PuppetError
from bunraku.base.source import Place, Source
from bunraku.checks import data, hiera_config, kinds, metadata, puppetfile, ruby, settings_files
from bunraku.checks.issues import NOT_UTF_8, UNREADABLE_FILE
from bunraku.checks.source import finding, found_by

Check = Callable[[Source], list[Diagnostic]]


def check_unreadable(source: Source) -> list[Diagnostic]:
    """Return why a file cannot be read, which is its text here."""
    return [UNREADABLE_FILE.diagnostic(Place(source.path), reason=source.text)]


CHECKS: dict[str, Check] = {
    kinds.UNREADABLE: check_unreadable,
    kinds.ERB: ruby.check_erb,
    kinds.RUBY: ruby.check_ruby,
    kinds.HIERA: hiera_config.check_hiera_config,
    kinds.METADATA: metadata.check_metadata,
    kinds.ENVIRONMENT_CONF: settings_files.check_environment_conf,
    kinds.PUPPET_CONF: settings_files.check_puppet_conf,
    kinds.PUPPETFILE: puppetfile.check_puppetfile,
    kinds.BUNRAKU: settings_files.check_bunraku,
    kinds.YAML: data.check_yaml,
    kinds.JSON: data.check_json,
    kinds.HIERA_YAML: data.check_hiera_yaml,
    kinds.HIERA_JSON: data.check_hiera_json,
    kinds.HIERA_HOCON: data.check_hiera_hocon,
}
"""Kind of file → its check. Manifests and EPP templates are checked by the syntax alone."""
MAY_BE_BINARY = frozenset({kinds.ERB, kinds.RUBY})


def check_file(source: Source, kind: str) -> list[Diagnostic]:
    """Return the findings of a file that is not a manifest."""
    if kind not in MAY_BE_BINARY and not source.text.isascii():
        try:
            source.text.encode()
        except UnicodeEncodeError as error:
            line = source.text.count("\n", 0, error.start) + 1
            return [finding(NOT_UTF_8, source, line)]
    try:
        return CHECKS[kind](source)
    except PuppetError as error:  # a reader that is not installed
        return [found_by(error, source)]
