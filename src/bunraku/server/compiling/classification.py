"""Ask the node classifier, in a compile process: it is a program of the site."""

from __future__ import annotations

from typing import Any

from bunraku.engine.request import DISK
from bunraku.formats.quick_json import quick_bytes
from bunraku.modules.classifier import classify
from bunraku.modules.settings import resolve
from bunraku.server.compiling.jobs import Job, Result


def classify_job(job: Job) -> Result:
    """Return the node of a job: its environment, and what the classifier says."""
    found = classify(resolve(job.settings, job.node), job.node, DISK)
    data: dict[str, Any] = {
        "name": job.node,
        "environment": found.environment or job.environment,
    }
    if found.parameters:
        data["parameters"] = found.parameters
    if found.classes:
        data["classes"] = found.classes
    return Result("json", environment=data["environment"], body=quick_bytes(data))
