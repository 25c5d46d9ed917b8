"""Metrics: for Prometheus at ``/metrics``, and as Jolokia gives puppetserver's at ``/metrics/v2``.

puppetserver's metrics of the Java process and of JRuby do not exist here; the others have its names.
"""

from __future__ import annotations

import os
from functools import partial

from bunraku.puppetdb.server.jolokia import Attributes, answer_jolokia
from bunraku.puppetdb.server.metrics import MEMORY, PROMETHEUS_TYPE, gauge
from bunraku.puppetdb.server.process import processor_seconds, resident_bytes, up_milliseconds
from bunraku.server.background import Background
from bunraku.server.counts import TOTAL
from bunraku.server.service import Service
from bunraku.web.http import Request, Response


def answer_metrics(service: Service, _request: Request, _rest: str) -> Response:
    """Return the metrics in Prometheus's text format."""
    text = "".join(f"{line}\n" for line in lines(service))
    return Response(200, {"content-type": PROMETHEUS_TYPE}, [text])


def answer_beans(service: Service, request: Request, rest: str) -> Response:
    """Return the response to a request of Jolokia's protocol."""
    return answer_jolokia(partial(beans, service), request, rest)


def beans(service: Service) -> dict[str, Attributes]:
    """Return the attributes of each bean."""
    _requests, _seconds, active = service.counts.snapshot()
    found: dict[str, Attributes] = {
        bean("uptime"): {"Value": up_milliseconds()},
        bean("num-cpus"): {"Value": os.cpu_count() or 1},
        bean("http.active-requests"): {"Count": active},
    }
    for route, count in service.counts.routes().items():
        name = "total-requests" if route == TOTAL else f"{route}-requests"
        found[bean(f"http.{name}")] = {
            "Count": count.number,
            "Mean": count.mean,
            "DurationUnit": "milliseconds",
        }
    found[MEMORY] = {"HeapMemoryUsage": {"used": resident_bytes()}}
    found["java.lang:type=Runtime"] = {"Uptime": up_milliseconds()}
    return found


def bean(name: str) -> str:
    """Return the name of a bean; ``localhost`` is puppetserver's default ``server-id``."""
    return f"puppetserver:name=puppetlabs.localhost.{name}"


def lines(service: Service) -> list[str]:
    """Return the lines of the metrics."""
    requests, seconds, active = service.counts.snapshot()
    found = [
        "# HELP puppetserver_requests_total Requests that were answered.",
        "# TYPE puppetserver_requests_total counter",
    ]
    for (method, route, status), number in sorted(requests.items()):
        labels = f'method="{method}",route="{route}",status="{status}"'
        found.append(f"puppetserver_requests_total{{{labels}}} {number}")
    found += [
        "# HELP puppetserver_request_seconds_total Time that the answers took.",
        "# TYPE puppetserver_request_seconds_total counter",
    ]
    for route, time in sorted(seconds.items()):
        found.append(f'puppetserver_request_seconds_total{{route="{route}"}} {time:.3f}')
    found += [
        "# HELP bunraku_catalogs_total Catalogs by why they were compiled; reused ones were not.",
        "# TYPE bunraku_catalogs_total counter",
    ]
    for cause, number in sorted(service.counts.catalogs.copy().items()):
        found.append(f'bunraku_catalogs_total{{cause="{cause}"}} {number}')
    if isinstance(service.background, Background):
        found += background_lines(service.background)
    return [
        *found,
        *gauge("puppetserver_active_requests", "Requests that are answered now.", active),
        *gauge("process_resident_memory_bytes", "Memory of the process.", resident_bytes()),
        "# HELP process_cpu_seconds_total Processor time of the process.",
        "# TYPE process_cpu_seconds_total counter",
        f"process_cpu_seconds_total {processor_seconds():.2f}",
    ]


def background_lines(background: Background) -> list[str]:
    """Return the lines about catalogs that are compiled before agents ask."""
    name = "bunraku_background_catalogs_total"
    counts = sorted(background.total.copy().items())
    return [
        f"# HELP {name} Stored catalogs that were checked in the background, by the outcome.",
        f"# TYPE {name} counter",
        *[f'{name}{{outcome="{outcome}"}} {number}' for outcome, number in counts],
        *gauge(
            "bunraku_background_queue",
            "Catalogs that wait for a check in the background.",
            len(background.queue),
        ),
    ]
