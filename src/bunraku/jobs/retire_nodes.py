"""Take nodes out of a site: their certificates, what the server stored of them, their place in the PuppetDB."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from bunraku.base.records import record
from bunraku.ca.policy import check_subject
from bunraku.ca.signer import exists
from bunraku.ca.site import Site, site_of
from bunraku.jobs.certificate_options import Say
from bunraku.jobs.revoke_certificates import Revocation, clean_certificates, worst
from bunraku.puppetdb.site.server import configured_url
from bunraku.puppetdb.site.tls import tls_files
from bunraku.puppetdb.timestamps import to_text
from bunraku.server.storage import Remote
from bunraku.world.linked_files import remove_tree
from bunraku.world.protocol import World


@record(frozen=True)
class NodeSite:
    """The settings of a site: those ``given`` in puppet.conf and on the command line, and all ``values``."""

    given: Mapping[str, Any]
    values: Mapping[str, Any]
    world: World

    def deactivate(self, names: Iterable[str]) -> Iterator[tuple[str, str]]:
        """Deactivate nodes in the PuppetDB: yield each with the UUID of its command. PuppetError if one fails."""
        path = os.path.join(str(self.values["confdir"]), "puppetdb.conf")
        storage = Remote(
            configured_url(path, self.world), self.world, tls_files(self.given, self.world)
        )
        for name in checked(names):
            timestamp = to_text(int(self.world.now() * 1000))
            data = {"certname": name, "producer_timestamp": timestamp}
            yield name, storage.store("deactivation", name, timestamp, json.dumps(data).encode())

    def clean(self, names: Iterable[str], say: Say, fail: Say, inform: Say) -> bool:
        """Revoke the certificates of nodes, and remove what the server stored of them.

        Return whether each had a certificate or a request. Without an authority here, only the stored files
        are removed. Raise PuppetError and OSError.
        """
        found = Revocation.DONE
        for name in checked(names):
            if exists(self.authority.settings):
                found = worst([found, clean_certificates(self.authority, [name], say, fail)])
            else:
                inform(f"Not managing {name} certs as this host is not a CA")
            for what, path in self.stored(name):
                remove_tree(path)
                inform(f"{name}'s {what} removed")
        return found is not Revocation.MISSING

    @property
    def authority(self) -> Site:
        """The settings of the authority."""
        places = {"confdir": self.values["confdir"], **self.given}
        return site_of(places, str(self.values["certname"]))

    def stored(self, name: str) -> Iterator[tuple[str, str]]:
        """Yield what a server stores of a node, with its path."""
        yaml = str(self.values["yamldir"])
        yield "facts", os.path.join(yaml, "facts", f"{name}.yaml")
        yield "cached node", os.path.join(yaml, "node", f"{name}.yaml")
        yield "reports", os.path.join(str(self.values["reportdir"]), name)


def checked(names: Iterable[str]) -> list[str]:
    """Return names as certificates have them, each once; RequestRefused for one that no certificate can have."""
    found = list(dict.fromkeys(name.lower() for name in names))
    for name in found:
        check_subject(name, name)
    return found
