"""Fuzz one reader with atheris: any exception but its documented ones is a find.

    python tests/fuzz/fuzz_readers.py TARGET [FOLDER] -dict=tests/fuzz/puppet.dict -max_total_time=600

TARGET is one of those below; ``list`` prints their names. FOLDER collects the inputs that reach new code;
without one, the seeds of the tests stand in. What crashed goes, made small, into
``tests/syntax/crashers.json`` or ``tests/fuzz/regressions.json``, which the tests run for ever.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import atheris

sys.path.insert(0, str(Path(__file__).parents[1]))

with atheris.instrument_imports(include=["bunraku"]):
    from bunraku.base.errors import PuppetError
    from bunraku.base.source import Source
    from bunraku.checks import kinds
    from bunraku.checks.run import check_file
    from bunraku.compiler.code import to_code
    from bunraku.dialects.dialect import Dialect
    from bunraku.dialects.future_parser import FUTURE_PARSER
    from bunraku.dialects.puppet_3_0 import PUPPET_3_0
    from bunraku.dialects.puppet_3_8 import PUPPET_3_8
    from bunraku.dialects.puppet_8 import DIALECTS, PUPPET_8
    from bunraku.formats import yaml as ruby_yaml
    from bunraku.formats.hocon import HoconError, parse_hocon
    from bunraku.functions.core.scanf import read as scan
    from bunraku.puppetdb.queries.reading import read_any_query
    from bunraku.ruby.run.translation import compile_function
    from bunraku.ruby.syntax.erb import Unsupported
    from bunraku.ruby.translate.compile import compile_template
    from bunraku.syntax.pn import to_pn
    from bunraku.types.convert.sprintf import sprintf
    from bunraku.types.parse import parse_type
    from bunraku.values.regexp.regexp import regexp_from_string
    from bunraku.values.time.strftime import Moment, format_moment, format_timespan
    from bunraku.values.time.strptime import parse_timespan, parse_timestamp
    from bunraku.values.uri import URI
    from bunraku.values.version import SemVer, SemVerRange
    from bunraku.world.dictionary import DictionaryWorld
    from support.resource_types import read_resource_types

SLOWEST = 4.0  # processor seconds for an input of a few kilobytes; others may keep the machine busy
WITH_TEMPLATES = (PUPPET_8, DIALECTS["documents"], PUPPET_8.with_syntax(tasks=True), FUTURE_PARSER)
"""The dialects that have EPP templates."""
VALUES = [3, -7, 2.5, "12", "text", None, True, [1, "x"], {"a": 1, "b": "é"}, 10**20]
WORLD = DictionaryWorld({})


def text_of(data: bytes) -> str:
    """Return an input as files are read."""
    return data.decode("utf-8", "surrogateescape")


def parsed(data: bytes, dialect: Dialect, *, epp: bool = False) -> None:
    """Take a text through everything that reads syntax."""
    source = Source(text_of(data), "", is_template=epp)
    result = dialect.parse(source)
    for finding in result.diagnostics:
        str(finding.place)
    if any(finding.severity == "error" for finding in result.diagnostics):
        return
    to_pn(result.program)
    findings = dialect.check(result.program, {"strict": "error"})
    if not any(finding.severity == "error" for finding in findings):
        try:
            to_code(source, result.program, dialect.compiler)
        except PuppetError as error:
            if error.span is None:
                raise


def puppet_8(data: bytes) -> None:
    """Read Puppet 8 and the future parser."""
    if data:
        parsed(data[1:], WITH_TEMPLATES[data[0] % len(WITH_TEMPLATES)])


def old(data: bytes) -> None:
    """Read Puppet 3.8 and 3.0."""
    if data:
        parsed(data[1:], (PUPPET_3_8, PUPPET_3_0)[data[0] % 2])


def epp(data: bytes) -> None:
    """Read EPP templates."""
    if data:
        parsed(data[1:], WITH_TEMPLATES[data[0] % len(WITH_TEMPLATES)], epp=True)


def yaml(data: bytes) -> None:
    """Read YAML as Hiera has it."""
    with suppress(ruby_yaml.YamlError):
        ruby_yaml.load(data)


def checked(kind: str) -> Callable[[bytes], None]:
    """Return a target that checks files of a kind, as validate does."""

    def check(data: bytes) -> None:
        for finding in check_file(Source(text_of(data), "/x"), kind):
            str(finding.place)

    return check


def hocon(data: bytes) -> None:
    """Read HOCON."""
    with suppress(HoconError):
        parse_hocon(text_of(data))


def users_error(function: Callable[[str], object]) -> Callable[[bytes], None]:
    """Return a target that calls a function on text; PuppetError is how it refuses some."""

    def target(data: bytes) -> None:
        with suppress(PuppetError):
            function(text_of(data))

    return target


def regexp(text: str) -> None:
    """Translate a regular expression and use it."""
    pattern, _, subject = text.partition("\n")
    regexp_from_string(pattern).search(subject)


def times(text: str) -> None:
    """Write and read times by a format."""
    pattern, _, subject = text.partition("\n")
    format_moment(Moment(1_475_583_194_500_000_000), pattern)
    for act in (
        lambda: format_timespan(90_061_000_000_001, pattern),
        lambda: parse_timespan(subject, pattern),
        lambda: parse_timestamp(subject, pattern),
        lambda: parse_timespan(subject),
        lambda: parse_timestamp(subject),
    ):
        try:
            act()
        except PuppetError:
            continue


def numbers(text: str) -> None:
    """Read versions, ranges and locations."""
    for act in (SemVer.parse, SemVerRange.parse, URI.parse):
        try:
            str(act(text))
        except PuppetError:
            continue


def formatted(text: str) -> None:
    """Write values by a format of sprintf, and read them by one of scanf."""
    pattern, _, subject = text.partition("\n")
    for values in (VALUES, [VALUES[-2]], [subject]):
        try:
            sprintf(pattern, values)
        except PuppetError:
            continue
    scan(subject, pattern)


def ruby(act: Callable[[str], object]) -> Callable[[bytes], None]:
    """Return a target that translates Ruby; code that only Ruby can run is refused."""

    def target(data: bytes) -> None:
        with suppress(Unsupported, PuppetError):
            act(text_of(data))

    return target


def ruby_function(data: bytes) -> None:
    """Translate a function; only text that is UTF-8 gets this far."""
    with suppress(Unsupported, UnicodeDecodeError):
        compile_function(data.decode(), "x", "m::f")


TARGETS: dict[str, tuple[Callable[[bytes], None], str]] = {
    "puppet_8": (puppet_8, "manifests"),
    "old": (old, "old_manifests"),
    "epp": (epp, "epp"),
    "yaml": (yaml, "hiera_data"),
    "hocon": (hocon, "hocon"),
    "pql": (users_error(read_any_query), "queries"),
    "type": (users_error(parse_type), "formats"),
    "sprintf": (users_error(formatted), "formats"),
    "strftime": (users_error(times), "formats"),
    "regexp": (users_error(regexp), "formats"),
    "versions": (users_error(numbers), "formats"),
    "erb": (ruby(lambda text: compile_template(text, "x", old=False)), "erb"),
    "ruby_function": (ruby_function, "ruby_functions_4"),
    "ruby_type": (ruby(lambda text: read_resource_types(text, "/x", WORLD)), "ruby_types"),
    "check_yaml": (checked(kinds.HIERA_YAML), "hiera_data"),
    "check_json": (checked(kinds.JSON), "json_data"),
    "check_hiera": (checked(kinds.HIERA), "hiera_configuration"),
    "check_metadata": (checked(kinds.METADATA), "metadata"),
}
"""Name → the reader of an input, and the first seeds."""


def main() -> None:
    """Run the fuzzer on a target with libFuzzer's own options."""
    if sys.argv[1:] == ["list"]:
        print(*TARGETS)
        return
    if len(sys.argv) < 2 or sys.argv[1] not in TARGETS:
        sys.exit(f"one of these targets is needed: {' '.join(TARGETS)}")
    read, stock = TARGETS[sys.argv.pop(1)]

    def one_input(data: bytes) -> None:
        started = time.process_time()
        read(data)
        assert time.process_time() - started < SLOWEST, "too slow"

    if not any(not word.startswith("-") for word in sys.argv[1:]):
        from rigs.fuzzing.seeds import seeds

        folder = Path(tempfile.mkdtemp(prefix="bunraku-atheris-"))
        for number, content in enumerate(seeds(stock)):
            (folder / str(number)).write_bytes(content)
        sys.argv.append(str(folder))
    atheris.Setup(sys.argv, one_input)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
