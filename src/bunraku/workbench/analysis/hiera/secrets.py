"""Encrypted values that the keys on this machine do not open, or that no level opens."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from bunraku.base.errors import Diagnostic, PuppetError
from bunraku.base.records import replace
from bunraku.hiera.eyaml import (
    DEFAULT_PRIVATE_KEY,
    DEFAULT_PUBLIC_KEY,
    ENCRYPTED,
    decrypt,
    key_text,
)
from bunraku.hiera.interpolate import has_interpolation
from bunraku.hiera.issues import NO_CRYPTOGRAPHY, NO_KEY
from bunraku.workbench.analysis.hiera.interpolations import texts_below
from bunraku.workbench.analysis.hiera.issues import DATA_NOT_DECRYPTED
from bunraku.workbench.analysis.hiera_layers import EYAML, DataFile
from bunraku.workbench.analysis.state import Analysis
from bunraku.world.protocol import World


def check_secrets(analysis: Analysis, file: DataFile) -> Iterator[Diagnostic]:
    """Yield the encrypted values of a file that cannot be opened; never any of their content."""
    if "ENC[" not in file.text:
        return
    world = analysis.definitions.environment.world
    encrypted = [
        (path, text)
        for key, value in file.entries.items()
        for path, text in texts_below((key,), value)
        if ENCRYPTED.search(text)
    ]
    if file.level.function != EYAML:
        for path, _ in encrypted:
            level = file.level
            yield DATA_NOT_DECRYPTED.diagnostic(
                file.place(*path), "warning", key=path[0], level=level.name, name=level.function
            )
        return
    if not has_keys(file.level.options, world):
        return
    for path, text in encrypted:
        try:
            decrypt(text, file.level.options, world, key=str(path[0]), path=file.shown)
        except PuppetError as error:
            if not error.is_a(NO_CRYPTOGRAPHY):
                yield replace(error.diagnostic, place=file.place(*path))


def has_keys(options: Mapping[str, Any], world: World) -> bool:
    """Return whether both keys of a level are on this machine."""
    if has_interpolation(dict(options)):
        return False

    def missing(reason: str) -> PuppetError:
        return NO_KEY(key="", path="", reason=reason)

    try:
        key_text(options, world, "private_key", DEFAULT_PRIVATE_KEY, missing)
        key_text(options, world, "public_key", DEFAULT_PUBLIC_KEY, missing)
    except PuppetError:
        return False
    return True
