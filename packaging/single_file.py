"""The single file ``bunraku.pyz``: an archive that unpacks itself once, and starts from there."""

from __future__ import annotations

import zipfile
from datetime import UTC, datetime
from pathlib import Path

from bundle import HERE, files_below

EARLIEST = 315532800
"""The first time that an archive can hold: 1980-01-01."""


def build_single_file(bundle: Path, digest: str, target: Path, moment: int) -> Path:
    """Build the file from the directory of the packages; ``digest`` names what is unpacked."""
    path = target / "bunraku.pyz"
    main = (HERE / "single_file_main.py").read_text().replace("DIGEST_OF_THE_FILE", digest)
    made = datetime.fromtimestamp(max(moment, EARLIEST), UTC)
    time = (made.year, made.month, made.day, made.hour, made.minute, made.second)
    with path.open("wb") as file:
        file.write(b"#!/usr/bin/env python3\n")
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
            archive.writestr(entry("__main__.py", time), main, zipfile.ZIP_DEFLATED, 9)
            for one in sorted(files_below(bundle / "lib")):
                if one.is_file():
                    name = entry(str(one.relative_to(bundle)), time)
                    archive.writestr(name, one.read_bytes(), zipfile.ZIP_DEFLATED, 9)
    path.chmod(0o755)
    return path


def entry(name: str, time: tuple[int, int, int, int, int, int]) -> zipfile.ZipInfo:
    """Return the entry of a file with plain rights."""
    found = zipfile.ZipInfo(name, time)
    found.create_system = 3
    found.external_attr = 0o100644 << 16
    return found
