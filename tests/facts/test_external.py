"""External facts, compared with Facter 4 if it is installed."""

from __future__ import annotations

import json
import math
import os
from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.support import facter

from bunraku.cli.main import main
from bunraku.facts.external import external_facts, variable_facts
from bunraku.facts.values import fault_of
from bunraku.world.dictionary import DictionaryWorld
from bunraku.world.machine import Machine

TEXTS: list[bytes] = [
    b"a=1\nb=2\n", b"a=1\r\nb=2\r\n", b"a=1\rb=2", b"a= 1 \n b =2", b"a=1=2\n=3\nc=\nd", b"a=1\na=2",
    b"A=1\na=2", b"\xef\xbb\xbfa=1\nb=2", b"a=caf\xe9\nb=ok", b"a=x\x00y\nb=1", b"caf\xe9=1\nb=2", b"",
    b"#c=1\n# d\n", b"a=\xc3\xa9", b"a==", b"a\t=\tb", b"a.b=1", b"kernel=mine", b"a=\x85b\nc=1", b"=x=y",
    b"a=b\x0bc\nc=1", b"a=true\nb=1.5\nc=~", b"a=1\r\r\n",
]  # fmt: skip
YAML: list[bytes] = [
    b"a: 1\nb: [1,{c: d}]\n", b"ab: [", b"", b"---\n", b"# c\n", b"a: 2020-01-01\nb: 2020-1-5",
    b"a: 2020-01-01 10:00:00\n\nb: 1", b"a: [2020-01-01 10:00:00]", b"a: 2020-02-31", b"a: 12:00:00",
    b"a: !ruby/object:Object {}", b"a: :sym", b":b: c", b"a: &x 1\nb: *x", b"a: 1\na: 2", b"a: ~\nb: 1",
    b"1: x\ntrue: y\nnull: z\n1.5: w", b"a: !!binary aGVsbG8=", b"a: !!binary /w==", b"a: 0x1f\nb: 010",
    b"a: yes\nb: No", b"--- \na: 1\n--- \nb: 2", b'a: "x\\x00y"', b"a: caf\xe9", b"\xef\xbb\xbfa: 1",
    b"a: x\x00y", b"a: !!set {x, y}", b"a: !foo bar", b"x: &x {a: 1}\ny:\n  <<: *x\n  b: 2", b"A: 1\na: 2",
    b"a: {b: {1: x, true: y}}", b'"": x\nb: 1', b'a: "\\ud800"', b"a: |\n  text\n", b"\xff\xfea\x00:\x00",
    b"a: !ruby/regexp /x/", b"@a: 1", b"a: 123456789012345678901234567890", b"a: ''\nb: {}\nc: []",
]  # fmt: skip
JSON: list[bytes] = [
    b'{"a": 1, "b": [1, {"c": null}]}', b"not json", b"", b"null", b'{"a": 1, "a": 2}', b'{"a": NaN}',
    b'{"a": 1,}', b'// c\n{"a":1}', b'/* c */ {"a": 1}', b'\xef\xbb\xbf{"a":1}', b'{"a": "caf\xe9", "b": 1}',
    b'{"a": "x\\u0000y"}', b'{"a": 1.0}', b"{'a': 1}", b'{"A": 1}', b'{"": 1, "b": 2}', b'{"a": "x\x00y"}',
    b'{"a": "tab\there"}', b'{"a": 1} x', b'{"a": 01}', b'{"a": ' + b"[" * 101 + b"]" * 101 + b"}",
]  # fmt: skip
PROGRAMS: list[str] = [
    "echo a=1", "echo a=1; echo oops >&2", "echo a=1; exit 3", "exit 3", "echo err >&2; exit 3", ":",
    'echo "a: 1"', """echo '{"a": {"b": 1}}'""", 'printf "a=1\\nb: 2\\n"', 'printf "\\377\\376"',
    'printf "a=caf\\351\\nb=1\\n"', 'printf "a=x\\000y\\n"', 'echo "a: 2020-01-01 10:00:00"',
    'echo "a: 2020-01-01 10:00:00 Z"', 'echo "a: 2020-01-01 10:00:00.5 -0330"', 'echo "a: 2020-01-01"',
    'echo "a: :sym"', 'printf "x: &x 1\\na: *x\\n"', 'echo "- 1"', "echo 42", 'echo "a: ["; echo b=2',
    'printf "a=1\\r\\nb=2\\r\\n"', 'printf "  a=1  \\n\\n"', "echo a=1; kill -9 $$", 'echo a="$LANG$LC_ALL"',
    'echo "a: !ruby/object:Object {}"', 'printf "\\357\\273\\277a=1\\n"', 'echo "a=b: c"', 'echo ":a: 1"',
    'echo "a: |"; echo "  x"; echo "  y"', 'echo "? a"', 'echo "a: ~"', 'echo "%a=1"', 'echo "a: !!binary /w=="',
]  # fmt: skip
NAMES = [
    "x.sh", "x", "x.", "x.ps1", "x.bat", "x.cmd", "x.com", "x.exe", "x.BAT", "x.sh~", "x.rpmsave", "x y.sh",
    "a.txt.sh", ".x.sh", "txt", "json", "x.TXT", "x.yml", "x.txt~", "#x.txt#", "x..txt",
]  # fmt: skip
needs_facter = pytest.mark.skipif(not facter.has_facter(), reason="needs Ruby with Facter 4")


class Case:
    """A directory of external facts."""

    def __init__(self, path: Path) -> None:
        path.mkdir()
        self.path = path

    def put(self, name: str, content: bytes | str, mode: int = 0o644) -> Case:
        """Write a file."""
        file = self.path / name
        file.write_bytes(content.encode() if isinstance(content, str) else content)
        file.chmod(mode)
        return self


def found_in(directory: Path | str) -> facter.Facts:
    """Return what bunraku finds in a directory."""
    messages: list[str] = []
    values = external_facts(Machine(), [str(directory)], lambda one: messages.append(one.message))
    return facter.Facts(values, messages)


def every_case(path: Path) -> list[Case]:
    """Make a directory for each content, program and name."""
    count = iter(range(1000))

    def case() -> Case:
        return Case(path / str(next(count)))

    cases = [case().put("x.txt", content) for content in TEXTS]
    cases += [case().put("x.yaml", content) for content in YAML]
    cases += [case().put("x.json", content) for content in JSON]
    cases += [case().put("x.sh", f"#!/bin/sh\n{code}\n", 0o755) for code in PROGRAMS]
    program = "#!/bin/sh\necho a=1\n"
    cases += [case().put(name, program, mode) for name in NAMES for mode in (0o644, 0o755)]
    cases += [
        case().put("x", "echo a=1\n", 0o755),
        case().put("x", "", 0o755),
        case().put("a.txt", "v=a").put("b.txt", "v=b").put("c.json", '{"v":"c"}'),
        case().put("a.txt", "v=a").put("A.txt", "v=A").put("_.txt", "v=_").put("1.txt", "v=1"),
        case().put("a.yaml", "v: ~").put("b.yaml", "w: 1\nv: ~").put("0.txt", "v=zero"),
        case().put("a.yaml", "v: {a: 1}").put("b.yaml", "v: {b: 1}"),
        case().put("a.yaml", "v: false").put("0.txt", "v=zero"),
    ]
    directories = case().put("z.txt", "z=1")
    for name in ("d.txt", "e.yaml", "f.json", "g"):
        (directories.path / name).mkdir()
    return [*cases, directories]


@needs_facter
def test_every_case_agrees_with_facter(tmp_path: Path) -> None:
    cases = every_case(tmp_path)
    theirs = facter.external_facts([str(case.path) for case in cases])
    different = []
    for case, real in zip(cases, theirs, strict=True):
        ours = found_in(case.path)
        assert all(str(case.path) in message for message in ours.messages)
        agree = (
            real is not None
            and real.values == ours.values
            and bool(real.messages) == bool(ours.messages)
        )
        if not agree:
            files = filter(Path.is_file, case.path.iterdir())
            contents = {file.name: file.read_bytes() for file in files}
            different.append((contents, real, ours))
    assert different == []


WARNINGS = {
    "a.yaml": (b"ab: [", "a.yaml:2:1: the file is left out: "),
    "b.json": (b'{"a":\n x}', "b.json:2:2: the file is left out: "),
    "c.txt": (b"ok=1\nlatin=caf\xe9", "c.txt:2: the file is left out: the byte 0xE9 is not valid UTF-8"),
    "d.yaml": (b"[1]", "d.yaml: the file is left out: expected a Hash of facts, got an Array"),
    "e.json": (b'{"bad": "caf\xe9"}', "e.json: the fact 'bad' is left out: the text 'caf\\xe9' is not"),
    "f.json": (b'{"caf\xe9": 1}', "f.json: the fact 'caf\\xe9' is left out: the text 'caf\\xe9' is not"),
    "g.yaml": (b"a: .nan", "g.yaml: the fact 'a' is left out: nan is not a number that JSON has"),
}  # fmt: skip


@pytest.mark.parametrize("name", WARNINGS)
def test_warnings_name_the_file_and_the_line(tmp_path: Path, name: str) -> None:
    content, text = WARNINGS[name]
    (tmp_path / name).write_bytes(content)
    assert [one[: len(f"{tmp_path}/{text}")] for one in found_in(tmp_path).messages] == [
        f"{tmp_path}/{text}"
    ]


def test_a_program_that_cannot_start_names_its_file(tmp_path: Path) -> None:
    Case(tmp_path / "d").put("p", "#!/nix/sh\n", 0o755)
    reason = "the program cannot be started: No such file or directory"
    assert found_in(tmp_path / "d").messages == [f"{tmp_path}/d/p: the file is left out: {reason}"]


def test_a_program_may_take_a_limited_time(tmp_path: Path) -> None:
    case = Case(tmp_path / "d").put("p", "#!/bin/sh\nsleep 60", 0o755).put("a.txt", "a=1")
    messages: list[str] = []
    found = external_facts(
        Machine(), [str(case.path)], lambda one: messages.append(one.message), 0.3
    )
    assert found == {"a": "1"}
    assert messages[0].endswith("p: the file is left out: the program took longer than 0.3 seconds")


def test_what_a_program_writes_to_standard_error_is_shown(tmp_path: Path) -> None:
    code = '#!/bin/sh\nprintf "caf\\351 oops\\n\\n more" >&2; echo a=1'
    case = Case(tmp_path / "d").put("p", code, 0o755)
    assert found_in(case.path) == facter.Facts(
        {"a": "1"},
        [f"{case.path}/p: the program wrote to standard error: caf\\xe9 oops more"],
    )


NOT_UTF_8 = {
    "a.txt": b"a=caf\xe9", "b.yaml": b"b: !!binary /w==", "c.json": b'{"c": "\xff", "\xfe": 1}',
    "d.json": b'{"d": "\\ud800"}', "e.yaml": b'"\\x00\\x85": "\\u2028\\uFEFF\\x7f"',
    "f.json": b'{"f": 1e999}', "g.txt": b"g=\x00\x01\x1b[31m",
}  # fmt: skip


def test_every_format_is_valid_for_all_bytes(tmp_path: Path, capfdbinary) -> None:
    case = Case(tmp_path / "d")
    for name, content in NOT_UTF_8.items():
        case.put(name, content)
    case.put("p", '#!/bin/sh\nprintf "p=\\377"', 0o755)
    words = ["facts", "--no-project", "--external-dir", str(case.path)]
    for form, read in (("json", json.loads), ("yaml", yaml.safe_load)):
        assert main([*words, "--render-as", form]) == 0
        out, err = capfdbinary.readouterr()
        data = read(out.decode())
        assert data["g"] == "\0\1\x1b[31m"
        assert data["\0\x85"] == "\u2028\ufeff\x7f"
        assert not {"a", "p"} & set(data)
        assert data["b"] is data["c"] is data["d"] is data["f"] is None
        assert b"\x1b[31m" not in err
    assert main([*words, "--value-only", "g"]) == 0
    assert capfdbinary.readouterr().out == b"\0\1\x1b[31m\n"


def test_variables_are_facts() -> None:
    variables = {
        "FACTER_role": "web", "facter_Rack": "r7", "FACTERx": "1", "FACTER_a.b": "no",
        "FACTER_bad": "\udce9", "XFACTER_y": "no", "FACTER_empty": "",
    }  # fmt: skip
    messages: list[str] = []
    world = DictionaryWorld(variables=variables)
    found = variable_facts(world, lambda one: messages.append(one.message))
    assert found == {"role": "web", "rack": "r7", "x": "1", "empty": ""}
    assert messages == [
        "FACTER_bad: the fact 'bad' is left out: the text '\\xe9' is not valid UTF-8"
    ]


def test_the_earlier_directory_wins_and_all_can_be_omitted(tmp_path: Path, capfd) -> None:
    first, second = (Case(tmp_path / name).put("x.txt", f"v={name}") for name in "ab")
    words = ["facts", "--no-project", "v", "--value-only"]
    both = [f"--external-dir={second.path}", f"--external-dir={first.path}"]
    assert main([*words, *both]) == 0
    assert capfd.readouterr().out == "b\n"
    (tmp_path / "m" / "facts.d").mkdir(parents=True)
    (tmp_path / "m" / "facts.d" / "x.txt").write_text("v=module\n")
    assert main([*words, "--modulepath", str(tmp_path)]) == 0
    assert capfd.readouterr().out == "module\n"
    assert main([*words, "--modulepath", str(tmp_path), "--no-external-facts"]) == 0
    assert capfd.readouterr().out == "\n"


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads every file")
def test_an_unreadable_file_is_a_warning(tmp_path: Path) -> None:
    case = Case(tmp_path / "d").put("a.txt", "a=1", 0)
    assert found_in(case.path).messages == [
        f"{case.path}/a.txt: the file is left out: Permission denied"
    ]


def test_values_that_are_no_facts() -> None:
    deep: Any = 1
    for _ in range(98):
        deep = [deep]
    assert fault_of(deep) is None
    assert fault_of([deep]) == "it is nested too deeply"
    assert fault_of({"a": {1: math.inf}}) == "inf is not a number that JSON has"


def test_a_directory_of_an_option_must_exist(tmp_path: Path, capfd) -> None:
    assert main(["facts", "--no-project", f"--external-dir={tmp_path}/nowhere"]) == 2
    assert f"cannot find the directory {tmp_path}/nowhere" in capfd.readouterr().err


def test_an_external_fact_that_is_left_out_is_not_unknown(tmp_path: Path, capfd) -> None:
    (tmp_path / "g.yaml").write_text("a: .nan\n", encoding="utf-8")
    assert main(["facts", "--no-project", f"--external-dir={tmp_path}", "a"]) == 1
    assert "error: the fact 'a' is left out" in capfd.readouterr().err
