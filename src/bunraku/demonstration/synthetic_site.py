"""A synthetic site: the facts, catalogs and reports of any number of nodes, in the newest wire formats.

For demonstrations, benchmarks and tests. The same arguments give the same documents everywhere.
Nodes of a role share most of their resources, as real ones do.
"""

from __future__ import annotations

from uuid import NAMESPACE_DNS, uuid5

from bunraku.puppetdb.json_values import Json
from bunraku.puppetdb.timestamps import to_text

ROLES = ("web", "database", "cache", "mail", "monitoring")
FAMILIES = (("Debian", "Debian", "12"), ("RedHat", "Rocky", "9"), ("Debian", "Ubuntu", "24.04"))
TYPES = ("File", "Package", "Service", "User", "Exec")
STATUSES = ("unchanged", "changed", "unchanged", "failed", "unchanged", "unchanged")
"""The outcomes of a node's runs, in turn."""
NOOP_EVERY = 7
"""Which nodes run without changing anything: every seventh."""
EVENT_STATUSES = {"changed": "success", "failed": "failure", "noop": "noop"}
PRODUCER = "puppet.example.com"
BEGIN = 1_767_225_600_000
"""2026-01-01 in milliseconds since 1970: the first run."""
INTERVAL = 30 * 60 * 1000
PRIVATE_EVERY = 10
"""Which resources have content of the node's own: every tenth."""
EXPORTED = 7
EVENTS = 5

Document = dict[str, Json]


def certname(number: int) -> str:
    """Return the name of a node.

    >>> certname(7)
    'cache-00007.example.com'
    """
    return f"{ROLES[number % len(ROLES)]}-{number:05}.example.com"


def role(number: int) -> str:
    """Return the role of a node."""
    return certname(number).partition("-")[0]


def environment(number: int) -> str:
    """Return the environment of a node: one in eight is a staging machine."""
    return "staging" if number % 8 == 0 else "production"


def end_of_run(number: int, run: int) -> int:
    """Return when a run of a node ends, in milliseconds; nodes are spread over the interval."""
    return BEGIN + run * INTERVAL + number * 997 % INTERVAL


def head(number: int, run: int) -> Document:
    """Return what the documents of a run have in common."""
    return {
        "certname": certname(number),
        "environment": environment(number),
        "producer": PRODUCER,
        "producer_timestamp": to_text(end_of_run(number, run)),
    }


def transaction(number: int, run: int) -> str:
    """Return the UUID of a run."""
    return str(uuid5(NAMESPACE_DNS, f"{run}.{certname(number)}"))


# -- facts -------------------------------------------------------------------------------------------


def facts(number: int, run: int = 0) -> Document:
    """Return the payload of ``replace facts``, version 5; the uptime differs from run to run."""
    family, name, release = FAMILIES[number % len(FAMILIES)]
    address = f"10.{number // 250 % 250}.{number % 250}"
    interfaces: Document = {
        f"eth{port}": {
            "ip": f"{address}.{port + 1}",
            "mac": f"52:54:{number // 65536 % 256:02x}:{number // 256 % 256:02x}:{number % 256:02x}:{port:02x}",
            "mtu": 1500,
            "bindings": [{"address": f"{address}.{port + 1}", "netmask": "255.255.255.0"}],
        }
        for port in range(4)
    }
    values: Document = {
        "os": {"family": family, "name": name, "release": {"major": release, "full": release}},
        "operatingsystem": name,
        "osfamily": family,
        "kernel": "Linux",
        "fqdn": certname(number),
        "ipaddress": f"{address}.1",
        "networking": {"fqdn": certname(number), "interfaces": interfaces},
        "processors": {
            "count": 1 << number % 5,
            "models": ["Common processor"] * (1 << number % 5),
        },
        "memory": {"system": {"total_bytes": (1 + number % 8) << 30}},
        "is_virtual": number % 2 == 0,
        "puppetversion": "8.10.0",
        "uptime_seconds": 86_400 + run * INTERVAL // 1000,
        "trusted": {"certname": certname(number), "extensions": {"pp_role": role(number)}},
        **{f"site_{place:02}": f"value {place} of rack {number % 20}" for place in range(60)},
    }
    return {**head(number, run), "values": values}


# -- catalogs ----------------------------------------------------------------------------------------


def catalog(number: int, run: int = 0, resources: int = 200) -> Document:
    """Return the payload of ``replace catalog``, version 9, with a number of resources."""
    stage: Document = {"type": "Stage", "title": "main"}
    class_: Document = {"type": "Class", "title": f"Role::{role(number).capitalize()}"}
    managed = [resource(number, place) for place in range(resources - 2)]
    listed: list[Json] = [
        {
            **stage,
            "exported": False,
            "tags": ["stage"],
            "file": None,
            "line": None,
            "parameters": {},
        },
        {**class_, "exported": False, "tags": ["class", "role"], **place_of(1), "parameters": {}},
        *managed,
    ]
    edges: list[Json] = [{"source": stage, "target": class_, "relationship": "contains"}]
    edges += [
        {
            "source": class_,
            "target": {"type": one["type"], "title": one["title"]},
            "relationship": "contains",
        }
        for one in managed
    ]
    return {
        **head(number, run),
        "version": str(1_767_225_600 + run),
        "transaction_uuid": transaction(number, run),
        "catalog_uuid": transaction(number, run),
        "code_id": None,
        "job_id": None,
        "resources": listed,
        "edges": edges,
    }


def resource(number: int, place: int) -> Document:
    """Return a managed resource; one in ten differs from node to node."""
    kind = TYPES[place % len(TYPES)]
    private = place % PRIVATE_EVERY == 0
    owner = certname(number) if private else role(number)
    return {
        "type": kind,
        "title": title(place),
        "exported": place == EXPORTED,
        "tags": [kind.lower(), "class", "role", role(number)],
        **place_of(place + 2),
        "parameters": {
            "ensure": "present",
            "mode": "0644",
            "owner": "root",
            "content": f"line {place} for {owner}\n",
            "require": f"Class[Role::{role(number).capitalize()}]",
        },
    }


def kind_of(place: int) -> str:
    """Return the type of a managed resource."""
    return TYPES[place % len(TYPES)]


def title(place: int) -> str:
    """Return the title of a managed resource."""
    return f"/srv/{kind_of(place).lower()}-{place:04}"


def place_of(line: int) -> Document:
    """Return where a resource is declared."""
    return {"file": "/etc/puppetlabs/code/modules/role/manifests/init.pp", "line": line}


# -- reports -----------------------------------------------------------------------------------------


def status(number: int, run: int) -> str:
    """Return the outcome of a run: ``unchanged``, ``changed`` or ``failed``."""
    return STATUSES[(number + run) % len(STATUSES)]


def report(number: int, run: int = 0, resources: int = 20) -> Document:
    """Return the payload of ``store report``, version 8; some resources of some runs have events."""
    noop = number % NOOP_EVERY == 0
    outcome = status(number, run)
    end = end_of_run(number, run)
    events = EVENTS if outcome != "unchanged" else 0
    kind = "noop" if noop else outcome
    start: Json = to_text(end - 20_000)
    return {
        **head(number, run),
        "puppet_version": "8.10.0",
        "report_format": 12,
        "configuration_version": str(1_767_225_600 + run),
        "start_time": start,
        "end_time": to_text(end),
        "resources": [
            resource_report(number, place, start, kind if place < events else None)
            for place in range(resources)
        ],
        "metrics": metrics(resources, events, kind),
        "logs": [run_log_line(end, place, outcome) for place in range(10)],
        "transaction_uuid": transaction(number, run),
        "catalog_uuid": transaction(number, run),
        "code_id": None,
        "job_id": None,
        "cached_catalog_status": "not_used",
        "status": "unchanged" if noop else outcome,
        "noop": noop,
        "noop_pending": noop and events > 0,
        "corrective_change": False,
        "type": "agent",
    }


def resource_report(number: int, place: int, start: Json, kind: str | None) -> Document:
    """Return a resource of a node's report; it has an event if there is a kind of one."""
    container = f"Role::{role(number).capitalize()}"
    event: Document = {
        "name": "content_changed",
        "property": "content",
        "timestamp": start,
        "status": EVENT_STATUSES.get(kind or "", "success"),
        "old_value": "{sha256}0",
        "new_value": "{sha256}1",
        "message": f"content changed '{{sha256}}0' to '{{sha256}}1' in {title(place)}",
        "corrective_change": False,
    }
    return {
        "timestamp": start,
        "resource_type": kind_of(place),
        "resource_title": title(place),
        "skipped": False,
        "events": [event] if kind else [],
        **place_of(place + 2),
        "containment_path": ["Stage[main]", container, f"{kind_of(place)}[{title(place)}]"],
        "corrective_change": False,
    }


def metrics(resources: int, events: int, kind: str) -> list[Json]:
    """Return the metrics of a run: counts and seconds."""
    counts = {
        ("resources", "total"): resources,
        ("resources", "changed"): events if kind == "changed" else 0,
        ("resources", "failed"): events if kind == "failed" else 0,
        ("resources", "skipped"): 0,
        ("changes", "total"): events if kind == "changed" else 0,
        ("events", "total"): events,
        ("events", "success"): events if kind == "changed" else 0,
        ("events", "failure"): events if kind == "failed" else 0,
        ("events", "noop"): events if kind == "noop" else 0,
        ("time", "config_retrieval"): 2.25,
        ("time", "total"): 19.5,
        **{("time", kind.lower()): 0.125 * place for place, kind in enumerate(TYPES)},
    }
    return [
        {"category": category, "name": name, "value": value}
        for (category, name), value in counts.items()
    ]


def run_log_line(end: int, place: int, outcome: str) -> Document:
    """Return a line of a run's log."""
    level = "err" if outcome == "failed" and place == 0 else "notice"
    return {
        "file": None,
        "line": None,
        "level": level,
        "message": f"step {place} of a run that is {outcome}",
        "source": "Puppet",
        "tags": [level],
        "time": to_text(end - 10_000 + place),
    }
