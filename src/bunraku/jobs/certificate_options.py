"""What is done to a certificate authority."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from bunraku.base.records import field, record

Say = Callable[[str], None]
"""Takes a sentence about what was done."""


@record()
class CaOptions:
    """An action on certificates; an option that is not given is None."""

    action: str
    certname: Sequence[str] | None = None
    all: bool | None = None
    expired: bool | None = None
    revoked: bool | None = None
    format: str | None = None
    ttl: str | None = None
    subject_alt_names: str | None = None
    ca_client: bool | None = None
    force: bool | None = None
    ca_name: str | None = None
    root_ca_name: str | None = None
    private_key: str | None = None
    cert_bundle: str | None = None
    crl_chain: str | None = None
    remove_duplicates: bool | None = None
    remove_expired: bool | None = None
    remove_entries: bool | None = None
    serial: Sequence[str] | None = None
    settings_file: str | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)
