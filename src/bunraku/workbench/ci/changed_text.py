"""Mistakes on changed lines that only a whole site shows: facts, levels of Hiera, plain secrets, scripts."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from bunraku.base.errors import Diagnostic, PuppetError
from bunraku.base.paths import relative
from bunraku.base.records import record, replace
from bunraku.base.source import Place
from bunraku.base.suggestions import did_you_mean
from bunraku.hiera.config import Config, parse_config, uncommented_line
from bunraku.hiera.data import keys_to_text, parse_yaml
from bunraku.workbench.ci.change import Change
from bunraku.workbench.ci.hierarchy import EXTENSIONS, VARIABLE, DataFolders, levels
from bunraku.workbench.ci.issues import (
    CONFLICT_MARKER,
    CONFUSABLE_LETTER,
    DATADIR_MISSING,
    EMPTY_LEVEL,
    INVISIBLE_CHARACTER,
    LINE_ENDS,
    PLAIN_SECRET,
    PRIVATE_KEY,
    SCRIPT_LINE_END,
    SCRIPT_MARK,
    UNKNOWN_FACT,
)
from bunraku.world.protocol import World

Facts = Sequence[Mapping[str, Any]]
LARGEST = 1024 * 1024
"""Larger files are not searched."""
IN_CODE = re.compile(r"[$@]facts((?:\[\s*(?:'[\w-]+'|\"[\w-]+\")\s*\])+)")
QUOTED = re.compile(r"'([\w:-]+)'")
NAME = re.compile(r"[\w-]+")
TRUSTED = frozenset({"authenticated", "certname", "domain", "extensions", "external", "hostname"})
KEY_BEGINS = re.compile(r"-----BEGIN (?:\w+ )*PRIVATE KEY-----")
SECRET = re.compile(
    r"\s*['\"]?(?:[\w.-]+::)*(?:\w+[_-])?(?:password|passwd|passphrase|secret|token|api_key)['\"]?:\s+"
    r"(?P<value>[^\s#].*)"
)
NOT_SECRET = re.compile(r"['\"]?(?:ENC\[|%\{|[>|&*!{\[]|~|null\b|true\b|false\b|undef\b|['\"]\s*$)")
"""Values that are no plain secret: encrypted, interpolated, in other lines, or none."""
CODE = (".pp", ".epp", ".erb")
INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]")
BLANK = "[\u00a0\u2000-\u200a\u202f\u205f\u3000]"
ODD_BLANK = re.compile(
    rf"^[ \t]*{BLANK}|{BLANK}[ \t]*['\",;]*\s*$|{BLANK}[ \t]*(?::(?:\s|$)|[=~-]>)|(?::|[=~-]>)[ \t]*{BLANK}"
)
"""Unicode blanks other than the space, at the ends of lines and values and beside signs, where texts have none."""
BLANK_IN_CODE = re.compile(rf"^[^'\"#]*{BLANK}")
"""The same in a manifest, outside of texts and comments."""
LOOKALIKES = dict(
    zip(
        "\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0456\u0458\u0455\u0410\u0412\u0415\u041a\u041c\u041d\u041e\u0420\u0421\u0422\u0425"
        "\u03bf\u0391\u0392\u0395\u0396\u0397\u0399\u039a\u039c\u039d\u039f\u03a1\u03a4\u03a5\u03a7",
        "aeopcyxijsABEKMHOPCTX" + "oABEZHIKMNOPTYX",
        strict=True,
    )
)
"""Cyrillic and Greek letters that look like Latin ones."""
MIXED = re.compile(
    rf"\b(?=\w*[{''.join(LOOKALIKES)}])(?=\w*[A-Za-z])[A-Za-z0-9_{''.join(LOOKALIKES)}]+\b"
)
"""A word of Latin letters and of others that look like them."""
MARK = b"\xef\xbb\xbf"
COPIED = re.compile(r"(?:^|/)(?:files|templates)/")
FOR_WINDOWS = re.compile(r"(?i)\.(?:bat|cmd|inf|ini|ps1|psd1|psm1|reg|vbs)(?:\.e[pr][pb])?$")
"""Files whose lines may end as those of Windows do."""


@record(frozen=True)
class ChangedLine:
    """A line that a change adds or replaces: the path of its file, its number and its text."""

    path: str
    number: int
    text: bytes

    @property
    def place(self) -> Place:
        """Where it is."""
        return Place(relative(self.path), self.number)


class ChangedText:
    """The lines that a change touches in a control repository; ``facts`` returns those of its nodes."""

    def __init__(self, root: str, change: Change, world: World, facts: Callable[[], Facts]) -> None:
        self.root = root
        self.change = change
        self.world = world
        self.folders = DataFolders(world)
        self.read_facts = facts

    @cached_property
    def facts(self) -> Facts:
        """The facts of the nodes; none if they are not known."""
        return self.read_facts()

    @cached_property
    def configuration(self) -> str:
        """The path of the hierarchy."""
        return os.path.join(self.root, "hiera.yaml")

    @cached_property
    def hierarchy(self) -> Config | None:
        """The hierarchy; None without one, and for one with a mistake, which other checks report."""
        path = self.configuration
        if not self.world.is_file(path):
            return None
        content = self.world.read(path)
        try:
            data = keys_to_text(parse_yaml(content, path))
            known = data if isinstance(data, dict) else {}
            text = content.decode("utf-8", "replace")
            return parse_config(known, path, self.root, "environment", "", text)
        except PuppetError:
            return None

    def findings(self) -> list[Diagnostic]:
        """Return all findings."""
        found = [*self.of_levels(), *self.of_line_ends()]
        for line in self.lines():
            found += self.of_line(line)
        return found

    def lines(self) -> Iterator[ChangedLine]:
        """Yield the lines of new and changed files."""
        for name in sorted({*self.change.lines, *self.change.new}):
            path = os.path.join(self.change.top, name)
            if not path.startswith(f"{os.path.realpath(self.root)}/") or self.is_large(path):
                continue
            for number, text in enumerate(self.world.read(path).split(b"\n"), 1):
                ranges = self.change.lines.get(name, ())
                if name in self.change.new or any(number in one for one in ranges):
                    yield ChangedLine(path, number, text)

    def key_named_by(self, finding: Diagnostic) -> Place | None:
        """Return the one changed line that sets what a finding elsewhere names: in data, or in its file."""
        names = "|".join(map(re.escape, QUOTED.findall(finding.message)))
        if finding in self.change or not names:
            return None
        in_data = re.compile(rf"\s*(?:-\s+)?['\"]?(?:[\w:]+::)?(?:{names})['\"]?:(?:\s|$)".encode())
        in_code = re.compile(rf"(?:^|[\s'\"])(?:{names})['\"]?\s*=>".encode())
        found = []
        for one in self.lines():
            if one.path.endswith(EXTENSIONS) and self.has_data(one.path):
                found += [one] if in_data.match(one.text) else []
            elif one.place.file == finding.file and in_code.search(one.text):
                found.append(one)
        return found[0].place if len(found) == 1 else None

    def name_in_file(self, finding: Diagnostic) -> Place | None:
        """Return the one changed line with the name that a finding on an unchanged line of its file has."""
        name = str(finding.arguments.get("name", ""))
        if not name or not finding.line or finding in self.change:
            return None
        pattern = re.compile(rf"(?<![\w:]){re.escape(name)}(?![\w:])".encode())
        lines = (one for one in self.lines() if one.place.file == finding.file)
        found = [one for one in lines if pattern.search(one.text)]
        return found[0].place if len(found) == 1 else None

    def last_before(self, finding: Diagnostic) -> Place | None:
        """Return the last changed line of a file before the line on which a reader gave up."""
        if not finding.line or finding in self.change:
            return None
        lines = (one for one in self.lines() if one.place.file == finding.file)
        before = [one.place for one in lines if one.number < finding.line]
        return before[-1] if before else None

    def first_line(self, pattern: re.Pattern[bytes]) -> Place | None:
        """Return the first changed line of manifests that has a pattern."""
        lines = (one for one in self.lines() if one.path.endswith(".pp"))
        return next((one.place for one in lines if pattern.search(one.text)), None)

    def first_in_manifests(self, pattern: re.Pattern[bytes]) -> Place | None:
        """Return the first line with a pattern in the manifests that the change touches, changed or not."""
        for name in sorted(self.change.lines):
            path = os.path.join(self.change.top, name)
            if not path.endswith(".pp") or self.is_large(path):
                continue
            for number, line in enumerate(self.world.read(path).split(b"\n"), 1):
                if pattern.search(line):
                    return Place(relative(path), number)
        return None

    def is_large(self, path: str) -> bool:
        """Return whether a file is too large to be searched, or is none."""
        return os.path.islink(path) or not os.path.isfile(path) or os.path.getsize(path) > LARGEST

    def of_line(self, line: ChangedLine) -> Iterator[Diagnostic]:
        """Yield the findings on a line."""
        text = line.text.decode("utf-8", "replace")
        is_data = line.path.endswith(EXTENSIONS) and self.has_data(line.path)
        if KEY_BEGINS.search(text) and not self.is_test(line.path):
            yield PRIVATE_KEY.diagnostic(line.place, "error")
        if text.startswith("<<<<<<< "):
            yield CONFLICT_MARKER.diagnostic(line.place, "error")
        if is_data or line.path.endswith(CODE):
            yield from of_characters(line, text)
        if is_data or line.path == os.path.realpath(self.configuration):
            yield from self.of_variables(line, text)
        if is_data and self.is_encrypted and (found := SECRET.match(text)):
            if not NOT_SECRET.match(found["value"]):
                key = text.partition(": ")[0].strip(" '\"")
                yield PLAIN_SECRET.diagnostic(line.place, "error", key=key)
        if line.path.endswith(CODE):
            yield from self.of_code(line, text)
        if line.number == 1 and line.text.removeprefix(MARK).startswith(b"#!"):
            if line.text.startswith(MARK):
                yield SCRIPT_MARK.diagnostic(line.place, "error")
            elif line.text.endswith(b"\r"):
                yield SCRIPT_LINE_END.diagnostic(line.place, "error")

    def of_line_ends(self) -> Iterator[Diagnostic]:
        """Yield the changed files that agents get with the line ends of Windows, and got without them."""
        for name in sorted(self.change.lines):
            path = os.path.join(self.change.top, name)
            if not COPIED.search(name) or FOR_WINDOWS.search(name) or self.is_large(path):
                continue
            lines = self.world.read(path).split(b"\n")
            first = next((at for at, one in enumerate(lines, 1) if one.endswith(b"\r")), None)
            if first is None or lines[0].startswith(b"#!"):  # reported as a script
                continue
            old = self.change.old_text(name)
            if old and "\r" not in old:
                yield LINE_ENDS.diagnostic(Place(relative(path), first), "error")

    def is_test(self, path: str) -> bool:
        """Return whether a file belongs to tests, whose keys protect nothing."""
        parts = os.path.relpath(path, os.path.realpath(self.root)).split(os.sep)
        return bool({"spec", "test", "tests", "fixtures"} & set(parts))

    def has_data(self, path: str) -> bool:
        """Return whether a file is below a directory of data."""
        folders = {os.path.realpath(folder) for folder, _ in self.levels}
        return any(path.startswith(f"{folder}/") for folder in folders)

    @cached_property
    def levels(self) -> list[tuple[str, str]]:
        """The directory and the path of each level."""
        return [] if self.hierarchy is None else list(levels(self.root, self.hierarchy))

    @cached_property
    def is_encrypted(self) -> bool:
        """Whether a level opens encrypted values."""
        config = self.hierarchy
        return config is not None and any("eyaml" in one.function for one in config.hierarchy)

    def of_variables(self, line: ChangedLine, text: str) -> Iterator[Diagnostic]:
        """Yield the interpolated facts that no node has."""
        for name in VARIABLE.findall(text.partition(" #")[0]):
            first, _, rest = name.partition(".")
            if first == "facts" and rest:
                yield from self.of_fact(line, rest.split("."), guess=True)
            elif first == "trusted" and rest.partition(".")[0] not in TRUSTED:
                yield UNKNOWN_FACT.diagnostic(line.place, "error", kind="trusted fact", name=rest)

    def of_code(self, line: ChangedLine, text: str) -> Iterator[Diagnostic]:
        """Yield the facts in code that no node has, and whose names are nearly known ones."""
        for found in IN_CODE.finditer(text):
            yield from self.of_fact(line, NAME.findall(found[1]), guess=False)

    def of_fact(
        self, line: ChangedLine, names: Sequence[str], *, guess: bool
    ) -> Iterator[Diagnostic]:
        """Yield the finding about a fact that no node has; without ``guess`` only of a misspelt one."""
        parts: list[Any] = list(self.facts)
        for name in names:
            if not parts or not all(isinstance(one, dict) for one in parts):
                return
            below = [one[name] for one in parts if name in one]
            if not below:
                hint = did_you_mean(name, {str(key) for one in parts for key in one})
                if guess or hint:
                    whole = ".".join(names)
                    finding = UNKNOWN_FACT.diagnostic(line.place, "error", kind="fact", name=whole)
                    yield replace(finding, hint=hint)
                return
            parts = below

    def of_levels(self) -> Iterator[Diagnostic]:
        """Yield the levels that no file can be for, if the change touches the hierarchy."""
        if self.hierarchy is None or not self.change.touches(self.configuration):
            return
        text = self.hierarchy.text
        shown = relative(self.configuration)
        missing = set()
        for folder, location in self.levels:
            if folder in missing:
                continue
            if not self.world.is_directory(folder):
                missing.add(folder)
                name = os.path.relpath(folder, self.root)
                line = uncommented_line(text, rf"datadir:.*{re.escape(os.path.basename(folder))}")
                yield DATADIR_MISSING.diagnostic(Place(shown, line), "error", name=name)
                continue
            line = uncommented_line(text, re.escape(location))
            changed = Diagnostic("", "", Place(shown, line)) in self.change
            if changed and self.is_without_files(folder, location):
                yield EMPTY_LEVEL.diagnostic(Place(shown, line), "error", path=location)

    def is_without_files(self, folder: str, location: str) -> bool:
        """Return whether a level reads nothing, although there is data that no level reads."""
        folders = self.folders
        if any(True for _ in folders.files_of_level(folder, location)):
            return False
        read = {one.path for level in self.levels for one in folders.files_of_level(*level)}
        return any(os.path.join(folder, name) not in read for name in folders.below(folder))


def of_characters(line: ChangedLine, text: str) -> Iterator[Diagnostic]:
    """Yield the findings about characters of a line that cannot be seen, or look like others."""
    found = INVISIBLE.search(text, 1) or ODD_BLANK.search(text)
    if not found and line.path.endswith(".pp"):
        found = BLANK_IN_CODE.search(text)
    if found:
        character = re.sub(r"[\x00-\x7f]", "", found[0])[0]
        clean = INVISIBLE.sub("", text)
        code = f"U+{ord(character):04X}"
        yield INVISIBLE_CHARACTER.diagnostic(line.place, "error", character=code, text=clean)
    mixed = MIXED.search(text)
    if mixed:
        character = next(one for one in mixed[0] if one in LOOKALIKES)
        yield CONFUSABLE_LETTER.diagnostic(
            line.place,
            "error",
            word=mixed[0],
            character=f"U+{ord(character):04X}",
            latin=LOOKALIKES[character],
        )
