"""Hostile requests to a running server: recorded ones that are damaged, and odd ones by chance."""

from __future__ import annotations

import json
import random
import re
import threading
import time
from collections import Counter
from functools import cache
from pathlib import Path
from urllib.parse import quote, unquote

from rigs.server_trials.kills import MESSAGES
from rigs.server_trials.served_site import (
    ServedSite,
    asked_once,
    catalog_request,
    one_key,
    report_request,
)
from support.certificates import signing_request
from support.damage import ODD
from support.hostile import (
    STATUS,
    deep,
    document,
    encoded,
    exchanged,
    framed,
    packed,
    spoiled,
)
from support.server import recorded
from support.server_process import ServerProcess

MOST_MEGABYTES = 600
BATCH = 50
"""Requests between two good ones."""
SIZE = 4_000_000
ROOT = "/puppet/v3"
QUERY = {"environment": "production"}
FILES = [
    *("file_metadata/modules/site/tree/one", "file_metadatas/modules/site/tree"),
    *("file_content/modules/site/tree/one", "file_metadatas/plugins", "file_content/plugins/x"),
    *("file_bucket_file/sha256/" + "0" * 64, "static_file_content/modules/site/files/tree/one"),
    *("file_metadatas/pluginfacts", "file_metadata/nothing/x", "environments", "tasks"),
]
OPTIONS = [
    *(
        "recurse",
        "recurselimit",
        "ignore",
        "links",
        "checksum_type",
        "source_permissions",
        "max_files",
    ),
    *("environment", "code_id", "diff_with", "list_all", "name", "module", "state", "level"),
]
CA = [
    *("certificate/ca", "certificate/node0.auto.example.test", "certificate_request/x"),
    *(
        "certificate_revocation_list/ca",
        "certificate_status/node1.auto.example.test",
        "expirations",
    ),
    *("certificate_statuses/any", "clean", "sign", "sign/all", "certificate_renewal"),
]
ODD_SEGMENTS = [
    *(
        "..",
        ".",
        "%2e%2e",
        "%2e%2e%2f",
        "%252e%252e",
        "%2f",
        "%2F",
        "%5c..%5c",
        "\\",
        "%00",
        "%c0%ae",
    ),
    *(
        "%c0%af",
        "%ed%a0%80",
        "%ff",
        "%",
        "%zz",
        "//",
        "é",
        "\U0001f3ad",
        " ",
        "?",
        "#",
        ";",
        "a" * 300,
    ),
    *(
        "a/" * 2000,
        "*",
        "node1.auto.example.test",
        "NODE0.AUTO.EXAMPLE.TEST",
        "~root",
        "$HOME",
        "-rf",
    ),
]
TYPES = [
    *(
        "application/json",
        "text/pson",
        "text/yaml",
        "application/x-www-form-urlencoded",
        "text/plain",
    ),
    *("application/octet-stream", "application/x-msgpack", "application/vnd.puppet.rich+json"),
]
YAML = [
    *(
        b"--- !ruby/object:Puppet::Node::Facts\n",
        b"&a [*a]",
        b"- &b [" + b"*c," * 5 + b"]",
        b"{<<: {a: 1}}",
    ),
    *(
        b"!!python/object/apply:os.system [id]",
        b"a: 2001-01-01 10:00:00",
        b"\t",
        b"? [a]\n: b",
        b"a: .nan",
    ),
]
BAD_FACTS = [b"{}", b"[]", b'{"name":1}', b'{"name":"node0","values":[]}', b"null", b'"x"']


@cache
def recorded_documents(path: str) -> list:
    """Return the JSON documents in the bodies of recorded requests to a path."""
    found = []
    for name in ("agent-7", "agent-openvox8", "probes-server"):
        for one in recorded(name):
            if one["method"] in {"PUT", "POST"} and one["target"].startswith(path):
                try:
                    value = json.loads(one.get("request_body") or "")
                except ValueError:
                    continue
                if isinstance(value, dict):
                    found.append(value)
    return found


@cache
def all_facts() -> list[dict]:
    """Return facts: those in recorded requests for catalogs that are whole, and some of every kind."""
    own = {
        "os": {"family": "Debian", "release": {"full": "12.5", "major": "12"}},
        "networking": {
            "interfaces": {"eth0": {"ip": "10.0.0.1", "bindings": [{"ip": "10.0.0.1"}]}}
        },
        "timestamp": "0000-00-00T99:99:99Z",
        "uptime_seconds": 1 << 70,
        "virtual": True,
        "load": 0.25,
        "_puppet_inventory_1": {"packages": [["a", "1", "apt"], ["b", "2", "dpkg"]]},
        "nothing": None,
    }
    found = [own]
    for name in ("agent-7", "agent-openvox8", "probes-server"):
        for one in recorded(name):
            text = re.search(r"(?:^|&)facts=([^&]*)", str(one.get("request_body") or ""))
            if text:
                try:
                    values = json.loads(unquote(unquote(text[1])))["values"]
                except (ValueError, KeyError):
                    continue
                if isinstance(values, dict):
                    found.append(values)
    return found


class Requests:
    """Makes the requests of a node by chance; the node's marker is in its facts."""

    def __init__(self, site: ServedSite, source: random.Random, node: str) -> None:
        self.site = site
        self.source = source
        self.node = node

    def facts(self) -> dict:
        """Return a document of facts."""
        values = self.source.choice(all_facts())
        marker = {"marker": self.site.marker(self.node), "stamp": "1"}
        return {"name": self.node, "values": {**values, **marker}}

    def catalog(self) -> tuple:
        """Return a request for a catalog whose facts are damaged."""
        source = self.source
        content = document(source, self.facts())
        if source.random() < 0.05:
            content = source.choice([*BAD_FACTS, *YAML])
        format_ = source.choice(
            ["application%2Fjson"] * 6 + ["text%2Fyaml", "pson", "x", "%ff", ""]
        )
        text = quote(quote(content, safe=""), safe="")
        body = f"facts_format={format_}&facts={text}".encode()
        if source.random() < 0.3:
            body += f"&{source.choice(OPTIONS)}={quote(str(source.choice(ODD)).encode('utf-8', 'replace'))}".encode()
        if source.random() < 0.1:
            body = spoiled(source, body)
        headers = {"Content-Type": "application/x-www-form-urlencoded"}
        return "POST", f"{ROOT}/catalog/{self.node}", dict(QUERY), headers, body

    def report(self) -> tuple:
        """Return a report that is damaged."""
        source = self.source
        known = recorded_documents(f"{ROOT}/report/")
        value = source.choice([*known, json.loads(report_request(self.node, 1)[2])])
        headers = {"Content-Type": source.choice(TYPES[:3] * 5 + TYPES)}
        return "PUT", f"{ROOT}/report/{self.node}", dict(QUERY), headers, document(source, value)

    def put_facts(self) -> tuple:
        """Return facts that are damaged."""
        source = self.source
        content = document(source, self.facts())
        if source.random() < 0.3:
            content = source.choice(YAML) + content
        headers = {"Content-Type": source.choice(TYPES)}
        return "PUT", f"{ROOT}/facts/{self.node}", dict(QUERY), headers, content

    def file(self) -> tuple:
        """Return a request to the file server."""
        source = self.source
        parameters = dict(QUERY)
        for _ in range(source.choice([0, 1, 1, 3])):
            parameters[source.choice(OPTIONS)] = source.choice(
                [*ODD, "true", "1", "sha256", "md5lite"]
            )
        method = source.choice(["GET"] * 6 + ["HEAD", "PUT", "DELETE"])
        headers = {"Content-Type": "application/octet-stream"}
        body = b"x" * source.choice([0, 5, 100_000]) if method == "PUT" else b""
        return method, f"{ROOT}/{source.choice(FILES)}", parameters, headers, body

    def authority(self) -> tuple:
        """Return a request to the certificate authority."""
        source = self.source
        method = source.choice(["GET", "PUT", "PUT", "POST", "DELETE", "HEAD"])
        path = source.choice(CA)
        content = document(
            source, {"desired_state": "signed", "certnames": [self.node], "cert_ttl": 5}
        )
        if source.random() < 0.5:
            name = source.choice(["x", "y.z", "UPPER", "a" * 100, "..", f"new{source.random()}"])
            content = signing_request(name, key=one_key())
            path = f"certificate_request/{name}"
            content = spoiled(source, content) if source.random() < 0.7 else content
        headers = {"Content-Type": source.choice(TYPES)}
        return method, f"/puppet-ca/v1/{path}", {}, headers, content

    def other(self) -> tuple:
        """Return a request to another route."""
        source = self.source
        path = source.choice(
            [
                *(
                    "/status/v1/services",
                    "/status/v1/simple",
                    "/metrics",
                    "/puppet/v4/catalog",
                    "/",
                ),
                *(f"{ROOT}/environment_classes", f"{ROOT}/environment_modules", "/metrics/v2/list"),
                *("/puppet-admin-api/v1/environment-cache", f"{ROOT}/node/{self.node}", "*"),
            ]
        )
        method = source.choice(
            ["GET", "POST", "DELETE", "OPTIONS", "TRACE", "CONNECT", "get", "X" * 40]
        )
        value = {
            "certname": self.node,
            "persistence": {"facts": False},
            "environment": "production",
        }
        return method, path, dict(QUERY), {}, document(source, value)

    def message(self) -> tuple[bytes, bool]:
        """Return the bytes of a request, and whether an answer must come."""
        source = self.source
        kinds = [self.catalog] * 3 + [self.report] * 2 + [self.put_facts, self.file, self.file]
        method, path, parameters, headers, body = source.choice(
            [*kinds, self.authority, self.authority, self.other]
        )()
        if source.random() < 0.1:
            body = deep(source)
        if source.random() < 0.15:
            at = source.randrange(len(path) + 1)
            path = path[:at] + source.choice(ODD_SEGMENTS) + path[at:]
        if source.random() < 0.05:
            parameters["environment"] = source.choice([*ODD, "../x", "nothing", "production\0"])
        if source.random() < 0.1:
            headers = {**headers, "Content-Encoding": "gzip"}
            body = packed(source, body, SIZE)
        headers = {"Accept": source.choice(["*/*"] * 5 + TYPES + ["", "x" * 5000]), **headers}
        return framed(source, method, path + encoded(source, parameters), headers, body)


class Attack:
    """A server, its hostile clients, and what was seen."""

    def __init__(self, site: ServedSite, server: ServerProcess) -> None:
        self.site = site
        self.server = server
        self.counts: Counter[str] = Counter()
        self.faults: list[tuple] = []
        self.markers = {node: site.marker(node).encode() for node in site.nodes}

    def run(self, node: str, seed: int, end: float, most: int) -> None:
        """Attack by a node; an error of the trial itself is a fault of it."""
        try:
            self.attack(node, seed, end, most)
        except Exception as error:
            self.faults.append(("the trial", repr(error)))

    def attack(self, node: str, seed: int, end: float, most: int) -> None:
        """Send requests of a node until a time, or a number of them."""
        requests = Requests(self.site, random.Random(seed), node)
        for count in range(most):
            if time.monotonic() > end or len(self.faults) > 30:
                break
            self.send(requests, node)
            if count % BATCH == BATCH - 1:
                self.check(node)

    def send(self, requests: Requests, node: str) -> None:
        """Send a request, and judge the answer."""
        content, complete = requests.message()
        name = requests.source.choice([node] * 5 + [None])
        self.counts["requests"] += 1
        try:
            found = exchanged(self.server.address, content, complete, self.secure(name))
        except TimeoutError:
            if complete:
                self.faults.append(("no answer", content[:400]))
            return
        except OSError:
            self.counts["connections that the server closed"] += 1
            return
        self.judge(node, content, found)

    def secure(self, name: str | None):
        """Return the function that wraps sockets of a client."""
        context = self.site.context(name)
        return lambda plain: context.wrap_socket(plain, server_hostname="localhost")

    def judge(self, node: str, content: bytes, found: bytes) -> None:
        """Count an answer; look for values of other nodes and failures without a reason."""
        status = STATUS.match(found)
        code = status[1].decode() if status else "none"
        self.counts[f"answers with status {code}"] += 1
        for other, marker in self.markers.items():
            if other != node and marker in found:
                self.faults.append(("the value of another node", other, content[:400]))
        if b"Traceback" in found or b"PRIVATE KEY" in found:
            self.faults.append(("told too much", content[:400], found[-400:]))
        if code.startswith("5"):
            body = found.partition(b"\r\n\r\n")[2]
            reason = "to HEAD" if content.startswith(b"HEAD ") else known_failure(body)
            self.counts[f"status {code}: {reason}"] += 1
            if reason is None:
                self.faults.append((f"status {code}", content[:600], found[-400:]))

    def check(self, node: str) -> None:
        """Send a good request."""
        try:
            request = catalog_request(self.site, node, 1)
            status, body = asked_once(self.site, self.server, node, *request)
        except OSError as error:
            self.faults.append(("does not answer a good request", repr(error)))
            return
        self.counts["good requests"] += 1
        if status != 200 or self.markers[node] not in body:
            self.faults.append(("good request", status, body[:300]))


FAILURES = {
    "facts that cannot be read, or of another shape or node": [
        *(
            "Could not intern from",
            "are not a hash with",
            "with fact definition for the wrong node",
        ),
        *("Facts but no fact format", "Unsupported facts format"),
    ],
    "an option of the file server that it does not know": [
        *("Unsupported source_permission", "Invalid :links value", ":links can only be set to"),
        *("Unsupported checksum type", "Fileset recurse parameter", "comparison of "),
        *("Fileset paths must exist", "Cannot manage files of type"),
    ],
    "a mount that does not exist, or may not be read": [
        *("Invalid mount", "Invalid relative path", "Not authorized to call", " specified"),
    ],
    "a fact with the name of a reserved variable": ["A fact or node parameter is named"],
    "the filebucket": [
        "Invalid checksum",
        "Listing remote file buckets",
        "could not find diff_with",
    ],
    "static files without a command that delivers them": ["Internal Server Error: "],
}
"""Documented reason of a status 500 → parts of its texts. Real puppetservers answer so, too."""


def known_failure(body: bytes) -> str | None:
    """Return the documented reason of an answer with status 500; None if there is none."""
    for reason, texts in FAILURES.items():
        if any(text.encode() in body for text in texts):
            return reason
    return None


def attack(
    folder: Path, seed: int, *, seconds: float = 1e9, requests: int = 1 << 60, clients: int = 2
) -> tuple[Counter, list]:
    """Send requests for a time, or a number of them; return the counts and the faults."""
    site = ServedSite(folder, clients)
    server = site.start()
    trial = Attack(site, server)
    end = time.monotonic() + seconds
    try:
        threads = [
            threading.Thread(
                target=trial.run, args=(node, seed * 1000 + number, end, requests // clients)
            )
            for number, node in enumerate(site.nodes)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for node in site.nodes:
            trial.check(node)
        trial.counts["most memory of the front process, MB"] = server.megabytes()
    finally:
        code = server.stop()
    judge_end(trial, code)
    return trial.counts, trial.faults


def judge_end(trial: Attack, code: int) -> None:
    """Judge the end of the server, its memory, and what its logs have."""
    if code != 0:
        trial.faults.append(("exit code", code))
    if trial.counts["most memory of the front process, MB"] > MOST_MEGABYTES:
        trial.faults.append(("memory",))
    texts = {
        "log": trial.server.reported(),
        "access log": (trial.site.root / "log/access").read_text(encoding="utf-8"),
    }
    for name, text in texts.items():
        for found in MESSAGES.finditer(text):
            trial.faults.append((name, text[max(0, found.start() - 200) : found.start() + 1000]))
        if "PRIVATE KEY" in text or any(
            f"hidden-{one.decode()}" in text for one in trial.markers.values()
        ):
            trial.faults.append((name, "has a secret"))
