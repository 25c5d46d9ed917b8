"""Both programs on the environment of a site: real Puppet as a server runs it, bunraku as its users do."""

from __future__ import annotations

import hashlib
import json
import os
import random
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from rigs.sites.environment import Environment
from rigs.sites.hosts import Host
from rigs.sites.layout import load
from rigs.sites.outcomes import Program, content_of

TESTS = Path(__file__).parents[2]
COMPILER = TESTS / "record" / "compile_environment.rb"
ISOLATED = TESTS / "record" / "isolated.sh"
SHUFFLED = Path(__file__).with_name("shuffled.py")
SERVER_FACTS = {
    "servername": "puppet.example.org",
    "serverip": "192.0.2.1",
    "serverip6": "2001:db8::1",
    "serverversion": "7.23.0",
}
CLASSIFIER = """#!/bin/sh
# Print the classes and parameters of a node.
exec cat "$(dirname "$0")/$1.yaml"
"""
SEED = 36
CLOCK = re.compile(r"\b1\d{9}\b")
"""The time of the compile, in seconds, in a message."""


class Settings:
    """The settings of a site's server, for both programs."""

    def __init__(self, environment: Environment, owner: Mapping[str, Any]) -> None:
        self.environment = environment
        self.owner = owner
        (environment.place / "vardir").mkdir(exist_ok=True)
        self.language = owner.get("language", "8")
        self.trusted = {"authenticated": "remote", **owner.get("trusted", {})}
        self.server_facts = {**SERVER_FACTS, **owner.get("server_facts", {})}

    @property
    def pairs(self) -> dict[str, str]:
        """Return the settings of Puppet by name."""
        place = self.environment.place
        found = {
            "environmentpath": str(self.environment.code / "environments"),
            "codedir": str(self.environment.code),
            "basemodulepath": str(self.environment.code / "modules"),
            "confdir": str(place / "conf"),
            "vardir": str(place / "vardir"),
            "ssldir": str(place / "conf" / "ssl"),
            "vendormoduledir": str(self.environment.vendored),
            "strict": "warning",
            "strict_variables": "false",
            "storeconfigs": "false",
        }
        if self.classifier.exists():
            found |= {"node_terminus": "exec", "external_nodes": str(self.classifier)}
        return {**found, **self.owner.get("settings", {})}

    @property
    def classifier(self) -> Path:
        return self.environment.place / "classifier" / "classify"

    def node(self) -> dict[str, Any]:
        """Return the part of a question that is the same for all nodes."""
        return {"trusted": self.trusted, "server_facts": self.server_facts}

    def content(self) -> str:
        """Return all else that an answer of Puppet depends on."""
        classes = sorted(self.classifier.parent.glob("*"))
        texts = [path.read_text("utf-8") for path in (COMPILER, *classes)]
        vendored = content_of([str(self.environment.vendored)])
        return json.dumps([self.pairs, self.owner.get("outside"), texts, vendored])


def classify(environment: Environment, listed: Iterable[Host], owner: Mapping[str, Any]) -> None:
    """Write a node classifier, for the nodes that have classes or parameters from one."""
    folder = environment.place / "classifier"
    shutil.rmtree(folder, ignore_errors=True)
    answers = {
        one.name: from_data(environment, owner, {**owner.get("classifier", {}), **one.classified})
        for one in listed
    }
    if not any(answers.values()):
        return
    folder.mkdir()
    for name, answer in answers.items():
        (folder / f"{name}.yaml").write_text(
            json.dumps({"environment": "production", **answer}), "utf-8"
        )
    (folder / "classify").write_text(CLASSIFIER, "utf-8")
    (folder / "classify").chmod(0o755)


def from_data(
    environment: Environment, owner: Mapping[str, Any], answer: dict[str, Any]
) -> dict[str, Any]:
    """Add the classes and parameters in data files that a classifier reads, whose names depend on parameters."""
    for pattern in owner.get("classifier_data", []):
        name = pattern
        for parameter, value in answer.get("parameters", {}).items():
            name = name.replace(f"%{{{parameter}}}", str(value))
        path = environment.root / name
        content = load(path) if path.is_file() else {}
        for key in ("classes", "parameters"):
            answer[key] = {**(content.get(key) or {}), **answer.get(key, {})}
    return answer


def isolated(folder: Path, command: list[str], *, isolate: bool) -> list[str]:
    """Return a command that has no network and writes to a directory only."""
    return [str(ISOLATED), str(folder), *command] if isolate else command


def flag(name: str, value: str) -> str:
    """Return a setting as an option of Puppet's, which takes no value for those that are true or false."""
    if value in {"true", "false"}:
        return f"--{'' if value == 'true' else 'no-'}{name}"
    return f"--{name}={value}"


class Reference(Program):
    """Real Puppet for the nodes of an environment."""

    def __init__(self, settings: Settings, *, isolate: bool) -> None:
        scratch = settings.environment.place / "puppet"
        scratch.mkdir(exist_ok=True)
        words = [flag(name, value) for name, value in settings.pairs.items()]
        command = ["ruby", str(COMPILER), *words]
        super().__init__(isolated(scratch, command, isolate=isolate))
        self.settings = settings


class Mine:
    """bunraku for the nodes of an environment, by its command line."""

    def __init__(
        self, settings: Settings, facts: Mapping[str, Mapping[str, Any]], *, isolate: bool
    ) -> None:
        self.settings = settings
        self.place = settings.environment.place / "bunraku"
        self.isolate = isolate
        self.nodes = sorted(facts)
        shutil.rmtree(self.place, ignore_errors=True)
        (self.place / "cache").mkdir(parents=True, mode=0o700)
        self.write("trusted.json", settings.trusted)
        self.write("server_facts.json", settings.server_facts)
        (self.place / "facts").mkdir()
        for name, values in facts.items():
            self.write(f"facts/{name}.json", values)

    def write(self, name: str, data: Any) -> None:
        (self.place / name).write_text(json.dumps(data), "utf-8")

    def arguments(self, output: str) -> list[str]:
        """Return the words of the command, as somebody types them in the environment directory."""
        pairs = self.settings.pairs
        named = {"node_terminus": "--node-terminus", "external_nodes": "--external-nodes"}
        found = ["compile", "--nodes", "--facts-folder", str(self.place / "facts"), "--jobs", "1"]
        found += ["--output-folder", str(self.place / output), "--summary", "json"]
        found += ["--log-level", "info", "--language", self.settings.language]
        found += ["--trusted", str(self.place / "trusted.json")]
        found += ["--server-facts", str(self.place / "server_facts.json")]
        found += ["--strict", pairs["strict"]]
        strict = pairs["strict_variables"] == "true"
        found += ["--strict-variables" if strict else "--no-strict-variables"]
        config = self.settings.environment.place / "conf" / "hiera.yaml"
        found += ["--hiera-config", str(config)] if config.exists() else []
        pairs |= self.settings.owner.get("settings_of_bunraku", {})
        for name, value in pairs.items():
            if name in named:
                found += [named[name], value]
            elif name not in {"environmentpath", "strict", "strict_variables"}:
                found += ["--set", f"{name}={value}"]
        return found

    def compile(self, output: str) -> dict[str, Any]:
        """Compile all nodes in one process; the third time those that changed."""
        command = [sys.executable, "-m", "bunraku", *self.arguments("catalogs")]
        command += [] if output == "unchanged" else ["--all"]
        done = self.started(command)
        (self.place / f"{output}.txt").write_bytes(done.stderr)
        return self.answers("catalogs", [json.loads(done.stdout)] if done.stdout else [])

    def compile_shuffled(self, output: str) -> dict[str, Any]:
        """Compile each node after others, in an order of chance, in one process."""
        order = list(self.nodes)
        random.Random(SEED).shuffle(order)
        words = json.dumps([*self.arguments(output), "--all"])
        done = self.started([sys.executable, str(SHUFFLED), words, *order])
        return self.answers(output, [json.loads(line) for line in done.stdout.splitlines()])

    def started(self, command: list[str]) -> subprocess.CompletedProcess[bytes]:
        """Run a command in the environment directory."""
        words = isolated(self.place, command, isolate=self.isolate)
        env = {**os.environ, "XDG_CACHE_HOME": str(self.place / "cache")}
        return subprocess.run(
            words, cwd=self.settings.environment.root, env=env, capture_output=True, check=False
        )

    def answers(self, output: str, summaries: list[Any]) -> dict[str, Any]:
        """Return the answer for each node, in the shape of the batch protocol."""
        listed = [one for summary in summaries for one in summary["nodes"]]
        found = {one["node"]: answer(one, self.place / output) for one in listed}
        missing = {"status": "crash", "error": {"message": "no answer"}, "resources": []}
        return {node: found.get(node, missing) for node in self.nodes}


def answer(node: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    """Return the result of a node in the shape of the batch protocol."""
    logs = [entry_of(one) for one in node["log"]]
    is_notice = [one["level"] == "notice" and "scope" in one for one in logs]
    found: dict[str, Any] = {
        "status": "ok",
        "error": None,
        "notices": [
            {"scope": one["scope"], "message": one["message"]}
            for one, notice in zip(logs, is_notice, strict=True)
            if notice
        ],
        "logs": [one for one, notice in zip(logs, is_notice, strict=True) if not notice],
        "resources": [],
    }
    if node["outcome"] == "failed":
        first = node["diagnostics"][0]
        place = {"file": first["file"], "line": first["line"], "pos": first["column"]}
        error = {"message": first["message"], "text": node["puppet_text"], **place}
        return {**found, "status": "eval_error", "error": error}
    text = (folder / f"{node['node']}.json").read_bytes()
    catalog = json.loads(text)
    return {
        **found,
        "digest": hashlib.sha256(text).hexdigest(),
        "version": catalog["version"],
        "classes": catalog["classes"],
        "resources": [{**one, "tags": sorted(one.get("tags", []))} for one in catalog["resources"]],
        "edges": [[edge["source"], edge["target"]] for edge in catalog["edges"]],
    }


def entry_of(entry: Mapping[str, Any]) -> dict[str, Any]:
    """Return a log entry of the summary as one of the batch protocol."""
    entry = {**entry, "message": CLOCK.sub("now", entry["message"])}
    fields = {"level": "level", "message": "message", "scope": "scope"}
    places = {"file": "file", "line": "line", "pos": "column"}
    return {name: entry[key] for name, key in (fields | places).items() if entry[key]}
