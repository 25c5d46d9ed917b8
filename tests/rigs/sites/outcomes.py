"""Results of Puppet and bunraku for nodes: questions, answers, and a cache of the answers on disk."""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Self

BUNRAKU = [sys.executable, "-m", "bunraku", "batch"]


class Program:
    """A program that speaks the batch protocol; it is started at the first question."""

    def __init__(self, command: list[str]) -> None:
        self.command = command
        self.process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        if self.process is not None:
            assert self.process.stdin
            assert self.process.stdout
            self.process.stdin.close()
            self.process.stdout.close()
            self.process.wait()

    def ask(self, request: Mapping[str, Any]) -> Any:
        """The answer to a request."""
        if self.process is None:
            self.process = subprocess.Popen(
                self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE
            )
        assert self.process.stdin
        assert self.process.stdout
        try:
            self.process.stdin.write(json.dumps(request).encode() + b"\n")
            self.process.stdin.flush()
            return json.loads(self.process.stdout.readline())
        except (BrokenPipeError, json.JSONDecodeError):
            self.process.wait()
            self.process = None
            return {"status": "crash", "error": {"message": "the process ended"}, "resources": []}


class Kept:
    """The answers of a program, kept in a folder by all that goes into them."""

    def __init__(self, program: Program, folder: Path, content: str) -> None:
        self.program = program
        self.folder = folder
        self.content = content
        folder.mkdir(parents=True, exist_ok=True)

    def ask(self, request: Mapping[str, Any]) -> Any:
        """The answer to a request, a former one where nothing changed since."""
        text = json.dumps([self.content, request], sort_keys=True)
        path = self.folder / (hashlib.sha256(text.encode()).hexdigest() + ".json.gz")
        if path.exists():
            return json.loads(gzip.decompress(path.read_bytes()))
        answer = self.program.ask(request)
        path.write_bytes(gzip.compress(json.dumps(answer).encode(), 6, mtime=0))
        return answer


def content_of(folders: Iterable[str], without: str = "") -> str:
    """A digest of all files in some folders, those in folders of one name left out."""
    digest = hashlib.sha256()
    for folder in folders:
        commit = clean_revision(folder) if revision(folder) and not without else ""
        if commit:
            digest.update(commit.encode())
            continue
        for place, inner, names in os.walk(folder, followlinks=True):
            inner[:] = sorted(one for one in inner if one not in {without, ".git"})
            for name in sorted(names):
                path = Path(place, name)
                if path.is_file():
                    digest.update(str(path).encode("utf-8", "surrogateescape") + b"\0")
                    digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


def clean_revision(folder: str) -> str:
    """The folder and revision of a git checkout; empty where it has changes."""
    return "" if git(folder, "status", "--porcelain", ".") else f"{folder} {revision(folder)}"


def revision(folder: str) -> str:
    """The commit that a git checkout is at; empty where it is none."""
    return git(folder, "rev-parse", "HEAD")


def git(folder: str, *arguments: str) -> str:
    """The output of a git command; empty if it fails."""
    done = subprocess.run(["git", "-C", folder, *arguments], capture_output=True, check=False)
    return done.stdout.decode().strip() if done.returncode == 0 else ""
