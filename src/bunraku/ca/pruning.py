"""Removing what is no longer needed: entries of the revocation list, and files of certificates."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from bunraku.base.records import record
from bunraku.ca import inventory, revocation
from bunraku.ca.authority import Authority
from bunraku.ca.directory import names_in, optional_content, remove
from bunraku.certificates.reading import NotPem, certificates_in, read_revocation_lists


@record(frozen=True)
class Pruned:
    """What was removed from a revocation list that had ``total`` entries."""

    total: int
    duplicates: int = 0
    entries: int = 0


def prune(
    authority: Authority,
    *,
    duplicates: bool,
    expired: bool,
    serials: Collection[int] = (),
    names: Collection[str] = (),
) -> Pruned:
    """Remove entries from the authority's own revocation list."""
    path, now = authority.settings.cacrl, authority.clock()
    with authority.directory.lock():
        lists = read_revocation_lists(path)
        own = revocation.own_list(lists, authority.signer().certificate, path)
        unwanted = {*serials, *serials_of(authority, names)}
        if expired:
            unwanted |= inventory.expired_serials(authority.settings, now)
            unwanted |= expired_on_disk(authority)
        present = [one.serial_number for one in own]
        entries = sum(serial in unwanted for serial in present)
        kept = [one for one in own if one.serial_number not in unwanted]
        repeated = 0
        if duplicates:
            first = {one.serial_number: one for one in reversed(kept)}
            repeated = len(kept) - len(first)
            kept = list(reversed(list(first.values())))
        if entries or repeated:
            number = revocation.list_number(own) + 1
            new = revocation.new_list(authority.signer(), now, kept, number)
            authority.replace_list(path, lists, own, new)
    return Pruned(len(present), repeated, entries)


def serials_of(authority: Authority, names: Iterable[str]) -> set[int]:
    """Return the serial numbers of all certificates that nodes ever had."""
    subjects = {inventory.subject_of(name) for name in names}
    found = {one.serial for one in inventory.entries(authority.settings) if one.subject in subjects}
    for name in names:
        serial = serial_on_disk(authority, name)
        if serial is not None:
            found.add(serial)
    return found


def serial_on_disk(authority: Authority, name: str) -> int | None:
    """Return the serial number of a node's certificate in its file, if that can be read."""
    content = optional_content(authority.directory.certificate_path(name))
    try:
        return None if content is None else certificates_in(content)[0].serial_number
    except NotPem:
        return None


def expired_on_disk(authority: Authority) -> set[int]:
    """Return the serial numbers of the stored certificates that have expired."""
    return {
        serial
        for name in expired_names(authority)
        if (serial := serial_on_disk(authority, name)) is not None
    }


def expired_names(authority: Authority) -> list[str]:
    """Return the nodes whose kept certificate has expired."""
    found, now = [], authority.clock()
    for name in names_in(authority.settings.signeddir):
        content = optional_content(authority.directory.certificate_path(name))
        try:
            if content and certificates_in(content)[0].not_valid_after_utc < now:
                found.append(name)
        except NotPem:
            continue
    return found


def revoked_names(authority: Authority) -> list[str]:
    """Return the nodes whose kept certificate is revoked."""
    own = authority.own_list()
    return [
        name
        for name in names_in(authority.settings.signeddir)
        if (serial := serial_on_disk(authority, name)) is not None
        and revocation.is_revoked(own, serial)
    ]


def delete_files(authority: Authority, names: Iterable[str]) -> tuple[list[str], list[str]]:
    """Remove the files of certificates; return their paths, and the paths that had none."""
    removed: list[str] = []
    absent: list[str] = []
    with authority.directory.lock():
        for name in dict.fromkeys(names):
            path = authority.directory.certificate_path(name)
            (removed if remove(path) else absent).append(path or name)
    return removed, absent
