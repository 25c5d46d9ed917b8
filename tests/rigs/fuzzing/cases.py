"""An input of the fuzzer: the files, the words of the command line, standard input, the environment."""

from __future__ import annotations

import base64
import json
import os
import random
import shlex
import subprocess
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from support.mutate import stacked

NO_RUBY = "/nonexistent"
REPOSITORY = "repository"
STREAM = "stream"


@dataclass(frozen=True)
class Case:
    """One run of the command line; paths are relative to the folder in which it runs."""

    arguments: tuple[str, ...]
    files: dict[str, bytes] = field(default_factory=dict)
    stdin: bytes = b""
    environment: dict[str, str] = field(default_factory=dict)
    programs: tuple[str, ...] = ()
    """Files that can be executed."""
    links: dict[str, str] = field(default_factory=dict)
    pipes: tuple[str, ...] = ()
    """Named pipes that nobody writes to."""
    damage: int | None = None
    """A seed: the command runs, the files of its cache are damaged by it, the command runs again."""

    def write(self, folder: str) -> None:
        """Write the files into an empty folder; a stream for git becomes a repository."""
        for path, content in self.files.items():
            full = os.path.join(folder, path)
            os.makedirs(os.path.dirname(full), exist_ok=True)
            with open(full, "wb") as file:
                file.write(content)
            if path in self.programs:
                os.chmod(full, 0o755)
        for path, target in self.links.items():
            full = os.path.join(folder, path)
            os.makedirs(os.path.dirname(full), exist_ok=True)
            os.symlink(target, full)
        for path in self.pipes:
            full = os.path.join(folder, path)
            os.makedirs(os.path.dirname(full), exist_ok=True)
            os.mkfifo(full)
        if STREAM in self.files:
            for command in self.preparation():
                with open(os.path.join(folder, STREAM), "rb") as stream:
                    subprocess.run(
                        command, cwd=folder, stdin=stream, capture_output=True, check=False
                    )

    def preparation(self) -> list[list[str]]:
        """Return the commands that make the repository."""
        if STREAM not in self.files:
            return []
        return [
            ["git", "init", "-q", REPOSITORY],
            ["git", "-C", REPOSITORY, "fast-import", "--quiet", "--force"],
        ]

    def command(self) -> str:
        """Return the command for a shell in the folder of the files."""
        lines = [f"{shlex.join(command)} < {STREAM}" for command in self.preparation()]
        variables = "".join(
            f"{name}={shlex.quote(text)} " for name, text in self.environment.items()
        )
        lines += [f"mkfifo {shlex.quote(path)}" for path in self.pipes]
        lines.append(f"{variables}bunraku {shlex.join(self.arguments)} < stdin")
        if self.damage is not None:
            lines.append(f"# then again, with the files of the cache damaged by seed {self.damage}")
        return "\n".join(lines) + "\n"

    def damaged(self, cache: Path) -> None:
        """Damage the files of a cache, always in the same way."""
        chance = random.Random(self.damage)
        for path in sorted(path for path in cache.rglob("*") if path.is_file()):
            content = path.read_bytes()
            match chance.randrange(5):
                case 0:
                    content = content[: chance.randrange(len(content) + 1)]
                case 1:
                    content = b""
                case 2:
                    content = stacked(content[:20_000], chance)
                case 3:
                    changed = bytearray(content or b"x")
                    changed[chance.randrange(len(changed))] ^= 1 << chance.randrange(8)
                    content = bytes(changed)
            path.write_bytes(content)

    def to_data(self) -> dict[str, Any]:
        """Return the case as JSON data."""
        data: dict[str, Any] = {
            "arguments": list(self.arguments),
            "files": {path: encoded(content) for path, content in self.files.items()},
        }
        if self.stdin:
            data["stdin"] = encoded(self.stdin)
        for name in ("environment", "links", "damage"):
            if getattr(self, name) not in ({}, None):
                data[name] = getattr(self, name)
        for name in ("programs", "pipes"):
            if getattr(self, name):
                data[name] = list(getattr(self, name))
        return data

    @classmethod
    def from_data(cls, data: dict[str, Any]) -> Case:
        """Return the case of JSON data."""
        return cls(
            tuple(data["arguments"]),
            {path: decoded(content) for path, content in data.get("files", {}).items()},
            decoded(data.get("stdin", "")),
            data.get("environment", {}),
            tuple(data.get("programs", ())),
            data.get("links", {}),
            tuple(data.get("pipes", ())),
            data.get("damage"),
        )

    def with_file(self, path: str, content: bytes) -> Case:
        """Return the case with another content of a file."""
        return replace(self, files={**self.files, path: content})

    def without_file(self, path: str) -> Case:
        """Return the case without a file."""
        return replace(self, files={one: self.files[one] for one in self.files if one != path})


def encoded(content: bytes) -> str | dict[str, str]:
    """Return bytes as JSON: text where they are UTF-8."""
    try:
        return content.decode()
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(content).decode()}


def decoded(data: str | dict[str, str]) -> bytes:
    """Return the bytes of :func:`encoded`."""
    return data.encode() if isinstance(data, str) else base64.b64decode(data["base64"])


def saved(case: Case, folder: Path, report: str) -> None:
    """Write a case into a folder, with the command that repeats it and its problems."""
    files = folder / "files"
    files.mkdir(parents=True, exist_ok=True)
    replace(case, files={k: v for k, v in case.files.items() if k != STREAM}).write(str(files))
    for path, content in (("stdin", case.stdin), (STREAM, case.files.get(STREAM))):
        if content is not None:
            (files / path).write_bytes(content)
    (folder / "command.txt").write_text(f"cd files\n{case.command()}", "utf-8", "surrogateescape")
    (folder / "report.txt").write_text(report, "utf-8", "replace")
    (folder / "case.json").write_text(json.dumps(case.to_data(), indent=1))
