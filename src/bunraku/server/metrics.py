"""Metrics for Prometheus: ``/metrics``."""

from __future__ import annotations

from bunraku.puppetdb.server.metrics import PROMETHEUS_TYPE, gauge
from bunraku.puppetdb.server.process import processor_seconds, resident_bytes
from bunraku.server.service import Service
from bunraku.web.http import Request, Response


def answer_metrics(service: Service, _request: Request, _rest: str) -> Response:
    """Return the metrics in Prometheus's text format."""
    text = "".join(f"{line}\n" for line in lines(service))
    return Response(200, {"content-type": PROMETHEUS_TYPE}, [text])


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
    return [
        *found,
        *gauge("puppetserver_active_requests", "Requests that are answered now.", active),
        *gauge("process_resident_memory_bytes", "Memory of the process.", resident_bytes()),
        "# HELP process_cpu_seconds_total Processor time of the process.",
        "# TYPE process_cpu_seconds_total counter",
        f"process_cpu_seconds_total {processor_seconds():.2f}",
    ]
