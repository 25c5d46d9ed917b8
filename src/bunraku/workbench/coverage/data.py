"""The data of coverage: which probes of which files ran in which runs.

Processes write records (:mod:`bunraku.engine.coverage`); they are combined to one document, which is the
same whatever the order and number of the processes. Its names of files are relative to the project,
so that documents of several machines can be combined.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from bunraku.base.file_reading import read_whole
from bunraku.base.records import field, record
from bunraku.compiler.probes import FORMAT as PROBES
from bunraku.dialects.languages import LANGUAGES
from bunraku.engine.coverage import FORMAT as RECORDS
from bunraku.engine.coverage import SUFFIX
from bunraku.formats.failure import FormatError
from bunraku.formats.json import parse_json
from bunraku.formats.shape import TEXT, TEXTS, WHOLE, Array, AtLeast, Choice, Fields, Filled

FORMAT = 1
LARGEST = 1 << 30
"""The limit of a file of records in bytes."""
Probes = tuple[int, ...]
Runs = dict[Probes, set[str]]
"""The probes that ran together in a file → the names of these runs: nodes or tests."""


NUMBERS = Array(AtLeast(0), "an Array of numbers")
VERSIONED = Fields({"bunraku_coverage": WHOLE, "probes": WHOLE}, ("bunraku_coverage", "probes"))
FILE = Fields(
    {
        "path": Filled(),
        "digest": TEXT,
        "language": Choice(tuple(LANGUAGES)),
        "runs": Array(Array(NUMBERS)),
    },
    ("path", "digest", "language", "runs"),
)
DOCUMENT = Fields({"runs": TEXTS, "files": Array(FILE)}, ("runs", "files"))


class BadData(Exception):
    """A file that is not one of coverage data, or one of another version."""


@record(frozen=True)
class Version:
    """A file of a project as a process compiled it: name, digest of the content, language."""

    path: str
    digest: str
    language: str


@record()
class CoverageData:
    """The records of some runs: by file, and the names of all runs.

    >>> data = CoverageData()
    >>> data.add(Version("manifests/init.pp", "0c", "8"), (0, 1), ["web1", "web2"])
    >>> data_from_text(data_text(data)) == data
    True
    """

    files: dict[Version, Runs] = field(default_factory=dict)
    runs: set[str] = field(default_factory=set)

    def add(self, version: Version, probes: Probes, runs: Iterable[str]) -> None:
        """Add the runs in which some probes of a file ran together."""
        found = self.files.setdefault(version, {}).setdefault(probes, set())
        found.update(runs)
        self.runs |= found

    def update(self, other: CoverageData) -> None:
        """Add all that other data has."""
        self.runs |= other.runs
        for version, runs in other.files.items():
            for probes, names in runs.items():
                self.add(version, probes, names)


# -- records of processes --------------------------------------------------------------------------


def read_records(folder: str) -> CoverageData:
    """Return what the processes of a command wrote to a folder."""
    data = CoverageData()
    for name in sorted(os.listdir(folder)):
        if name.endswith(SUFFIX):
            content = read_whole(f"{folder}/{name}", LARGEST).decode(errors="surrogatepass")
            add_records(data, content)
    return data


def add_records(data: CoverageData, text: str) -> None:
    """Add the records of one process; the last line is incomplete if the process was killed.

    >>> data = CoverageData()
    >>> add_records(data, '{"format":1}\\n{"run":"web1","ran":[]}\\n{"run":"we')
    >>> data.runs
    {'web1'}
    """
    versions: dict[int, Version] = {}
    hits: dict[int, tuple[Version, Probes]] = {}
    for line in complete_lines(text):
        if "run" in line:
            data.runs.add(line["run"])
            for number in line["ran"]:
                version, probes = hits[number]
                data.add(version, probes, [line["run"]])
        elif "path" in line:
            version = Version(line["path"], line["digest"], line["language"])
            versions[line["number"]] = version
        elif "probes" in line:
            hits[line["number"]] = versions[line["file"]], tuple(line["probes"])
        elif line.get("format") != RECORDS:
            raise BadData("the records of coverage are of another version of bunraku")


def complete_lines(text: str) -> Iterator[dict[str, Any]]:
    """Yield the lines of records that were written completely."""
    for line in text.split("\n")[:-1]:
        yield json.loads(line)


# -- documents -------------------------------------------------------------------------------------


def data_text(data: CoverageData) -> str:
    """Return data as a document: JSON, the same for the same data."""
    runs = sorted(data.runs)
    numbers = {name: number for number, name in enumerate(runs)}
    files = [
        {
            "path": version.path,
            "digest": version.digest,
            "language": version.language,
            "runs": [
                [list(probes), sorted(numbers[name] for name in names)]
                for probes, names in sorted(found.items())
            ],
        }
        for version, found in sorted(
            data.files.items(), key=lambda pair: (pair[0].path, pair[0].digest, pair[0].language)
        )
    ]
    document = {"bunraku_coverage": FORMAT, "probes": PROBES, "runs": runs, "files": files}
    return json.dumps(document, separators=(",", ":")) + "\n"


def data_from_text(text: str) -> CoverageData:
    """Return the data of a document; raise BadData for another text."""
    try:
        document = parse_json(text)
    except FormatError:
        raise BadData("it does not have coverage data of bunraku") from None
    if VERSIONED.mismatch(document) is not None:
        raise BadData("it does not have coverage data of bunraku")
    if (document["bunraku_coverage"], document["probes"]) != (FORMAT, PROBES):
        raise BadData("another version of bunraku wrote it: record the coverage again")
    if (found := DOCUMENT.mismatch(document)) is not None:
        raise BadData(f"its coverage data is damaged: {found}")
    return data_from_document(document)


def data_from_document(document: Mapping[str, Any]) -> CoverageData:
    """Return the data of a document of this version; raise BadData for an unknown run."""
    names: list[str] = document["runs"]
    data = CoverageData(runs=set(names))
    for one in document["files"]:
        version = Version(one["path"], one["digest"], one["language"])
        data.files[version] = {}
        for entry in one["runs"]:
            if len(entry) != 2:
                raise BadData("its coverage data is damaged: expected probes and their runs")
            probes, numbers = entry
            if max(numbers, default=-1) >= len(names):
                raise BadData("its coverage data is damaged: a run has no name")
            data.add(version, tuple(probes), [names[number] for number in numbers])
    return data


def read_data(path: str) -> CoverageData:
    """Return the data of a file; raise BadData, or OSError if it cannot be read."""
    return data_from_text(read_whole(path, LARGEST).decode("utf-8", "replace"))
