"""The inventory: a line for each certificate that the authority issued, and the next serial number.

A line is ``0x0002 2026-11-21T03:15:52UTC 2031-11-21T03:15:52UTC /CN=web.example.com``.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator

from cryptography import x509

from bunraku.base.records import record
from bunraku.ca import issues
from bunraku.ca.directory import filled_lines, optional_content, write_lines, write_public
from bunraku.ca.settings import AuthoritySettings

TIME_FORMAT = "%Y-%m-%dT%H:%M:%SUTC"
FIELDS = 4


@record(frozen=True)
class InventoryEntry:
    """A line of the inventory; ``until`` is None if its time cannot be read."""

    serial: int
    until: dt.datetime | None
    subject: str


def inventory_time(time: dt.datetime) -> str:
    """Return a time as puppetserver writes it.

    >>> inventory_time(dt.datetime(2026, 11, 21, 3, 15, 52, tzinfo=dt.UTC))
    '2026-11-21T03:15:52UTC'
    """
    return time.astimezone(dt.UTC).strftime(TIME_FORMAT)


def read_time(text: str) -> dt.datetime | None:
    """Return the time in a text of :func:`inventory_time`, or None."""
    try:
        return dt.datetime.strptime(text, TIME_FORMAT).replace(tzinfo=dt.UTC)
    except ValueError:
        return None


def entries(settings: AuthoritySettings) -> Iterator[InventoryEntry]:
    """Return the lines of the inventory; those that cannot be read are left out."""
    for line in filled_lines(settings.cert_inventory):
        fields = line.split(" ", FIELDS - 1)
        if len(fields) == FIELDS:
            try:
                serial = int(fields[0], 16)
            except ValueError:
                continue
            yield InventoryEntry(serial, read_time(fields[2]), fields[3])


def subject_of(name: str) -> str:
    """Return the subject in lines of a node."""
    return f"/CN={name}"


def has_entry(settings: AuthoritySettings, name: str) -> bool:
    """Return whether the authority ever issued a certificate for a node."""
    return any(entry.subject == subject_of(name) for entry in entries(settings))


def valid_serials(settings: AuthoritySettings, name: str, now: dt.datetime) -> set[int]:
    """Return the serial numbers of a node's certificates that have not expired."""
    return {
        entry.serial
        for entry in entries(settings)
        if entry.subject == subject_of(name) and entry.until is not None and now < entry.until
    }


def expired_serials(settings: AuthoritySettings, now: dt.datetime) -> set[int]:
    """Return the serial numbers of the certificates that have expired."""
    return {
        entry.serial for entry in entries(settings) if entry.until is not None and entry.until < now
    }


def inventory_line(certificate: x509.Certificate, subject: str) -> str:
    """Return the line of a certificate."""
    begin, end = certificate.not_valid_before_utc, certificate.not_valid_after_utc
    return (
        f"0x{certificate.serial_number:04X} {inventory_time(begin)} {inventory_time(end)} {subject}"
    )


def add(settings: AuthoritySettings, certificate: x509.Certificate, name: str) -> None:
    """Add a certificate, to the list of serial numbers of infrastructure nodes too; needs the lock."""
    before = optional_content(settings.cert_inventory) or b""
    if before and not before.endswith(b"\n"):
        before += b"\n"  # the one line that 'puppetserver ca setup' writes
    line = inventory_line(certificate, subject_of(name))
    write_public(settings.cert_inventory, before + f"{line}\n".encode())
    if name in filled_lines(settings.infra_nodes_path):
        serials = filled_lines(settings.infra_node_serials_path)
        write_lines(settings.infra_node_serials_path, [*serials, str(certificate.serial_number)])


def take_serial(settings: AuthoritySettings) -> int:
    """Return the next serial number and write the one after it; needs the lock.

    Raises PuppetError for a file without a hexadecimal number.
    """
    text = (optional_content(settings.serial) or b"").decode("ascii", "replace").strip()
    try:
        number = int(text, 16)
    except ValueError:
        number = 0
    if number <= 0:
        reason = "it has no hexadecimal number above 0"
        raise issues.BAD_FILE(path=settings.serial, reason=reason)
    write_serial(settings, number + 1)
    return number


def write_serial(settings: AuthoritySettings, number: int) -> None:
    """Write the next serial number."""
    write_public(settings.serial, f"{number:04X}".encode())
