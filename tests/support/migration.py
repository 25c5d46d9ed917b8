"""The examples of migration: manifests with one pitfall each."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bunraku.engine.request import Request

FOLDER = Path(__file__).parents[1] / "migrate"
HEAD = re.compile(r"^# (rules|facts|node): (.*)$", re.MULTILINE)
RULE = re.compile(r"([a-z-]+) at (\d+)")


@dataclass(frozen=True)
class Example:
    """A manifest and the expectations in its head."""

    path: Path
    text: str
    head: dict[str, str]

    @property
    def name(self) -> str:
        return self.path.stem

    @property
    def title(self) -> str:
        return self.text.partition("\n")[0].removeprefix("# ")

    @property
    def rules(self) -> list[tuple[str, int]]:
        return [(rule, int(line)) for rule, line in RULE.findall(self.head["rules"])]

    @property
    def code(self) -> str:
        """The manifest without its head."""
        return "\n".join(line for line in self.text.splitlines() if not line.startswith("# "))

    def request(self) -> Request:
        return Request(
            path=str(self.path),
            node=self.head.get("node", "localhost"),
            facts=json.loads(self.head.get("facts", "{}")),
        )

    @staticmethod
    def code_request(code: str, **more: Any) -> Request:
        return Request(code=code, **more)


def read(path: Path) -> Example:
    text = path.read_text(encoding="utf-8")
    return Example(path, text, dict(HEAD.findall(text)))


EXAMPLES = [read(path) for path in sorted(FOLDER.glob("[0-9]*.pp"))]
