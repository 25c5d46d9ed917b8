"""The bill of materials of a package, as CycloneDX 1.5."""

from __future__ import annotations

import hashlib
import json
import uuid
import zipfile
from collections.abc import Sequence
from datetime import UTC, datetime
from email.parser import Parser
from pathlib import Path
from typing import Any

from bundle import Wheel

Data = dict[str, Any]


def bill_of_materials(wheels: Sequence[Wheel], moment: int) -> bytes:
    """Return the components of the packages: each wheel with its version, licence and digest."""
    own = next(wheel for wheel in wheels if wheel.name == "bunraku")
    others = [component(wheel) for wheel in wheels if wheel is not own]
    content = json.dumps([component(own), others], sort_keys=True)
    data = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "serialNumber": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, content)}",
        "version": 1,
        "metadata": {
            "timestamp": datetime.fromtimestamp(moment, UTC).isoformat(),
            "component": {**component(own), "type": "application"},
        },
        "components": others,
    }
    return json.dumps(data, indent=2).encode() + b"\n"


def component(wheel: Wheel) -> Data:
    """Return the component of a wheel."""
    digest = hashlib.sha256(wheel.path.read_bytes()).hexdigest()
    return {
        "type": "library",
        "bom-ref": wheel.path.name,
        "name": wheel.name,
        "version": wheel.version,
        "purl": f"pkg:pypi/{wheel.name}@{wheel.version}",
        "licenses": [{"license": {"name": licence(metadata(wheel))}}],
        "hashes": [{"alg": "SHA-256", "content": digest}],
        "properties": [{"name": "bunraku:file", "value": wheel.path.name}],
    }


def metadata(wheel: Wheel) -> Any:
    """Return the metadata of a wheel."""
    with zipfile.ZipFile(wheel.path) as archive:
        names = archive.namelist()
        name = next(name for name in names if name.endswith(".dist-info/METADATA"))
        return Parser().parsestr(archive.read(name).decode())


def licence(found: Any) -> str:
    """Return the licence that metadata declare."""
    if expression := found["License-Expression"]:
        return str(expression)
    classifiers = [one for one in found.get_all("Classifier", []) if one.startswith("License ::")]
    if classifiers:
        return str(classifiers[0].rpartition(" :: ")[2])
    return str(found["License"] or "unknown").partition("\n")[0]


def checksums(files: Sequence[Path]) -> str:
    """Return the lines that ``sha256sum --check`` reads."""
    lines = [f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.name}\n" for file in files]
    return "".join(lines)
