"""Which content of catalogs the database has, so that an unchanged catalog is stored without its content.

A catalog is stored as a renewal, its metadata with PuppetDB's hash of the content, if the database has that
content of the node now, and no command that waits brings another one. A renewal is on disk before the agent
gets its answer, as all commands are. If another program changes or purges the catalog between this check and
the work on the renewal, the renewal changes nothing, which is logged; the next catalog of the node is stored
as a whole.
"""

from __future__ import annotations

from bunraku.base.bounded_cache import BoundedCache
from bunraku.base.errors import PuppetError
from bunraku.base.records import record, replace
from bunraku.formats.json import parse_json
from bunraku.puppetdb.commands.metadata import CONTENT, Metadata, file_part
from bunraku.puppetdb.databases.statement import Statement
from bunraku.puppetdb.server.commands import Intake, Refusal, Renewal, put
from bunraku.server.compiling.stored import Payload

COMMAND, VERSION = "replace catalog", 9
SECONDS = 10.0
"""The time limit of the question for a catalog."""
STATE = """
SELECT c.catalog_uuid, c.hash FROM catalogs AS c JOIN nodes AS n ON n.id = c.node_id WHERE n.certname = ?
"""


@record(frozen=True)
class Known:
    """The content of the last catalog that a node sent: its digest and the bytes of the whole payload.

    ``uuid`` is that of the catalog which brought the content, ``hash`` PuppetDB's, once the database has it.
    """

    digest: str
    size: int
    uuid: str
    hash: str = ""


class KnownCatalogs:
    """The contents of catalogs that were given to a PuppetDB in this process."""

    def __init__(self, intake: Intake) -> None:
        self.intake = intake
        self.known: BoundedCache[str, Known] = BoundedCache("contents of stored catalogs", 100_000)

    def digest(self, node: str) -> str:
        """Return the digest of the content that a node sent last; nothing if that is unknown."""
        found = self.known.get(node)
        return "" if found is None else found.digest

    def note(self, node: str, payload: Payload) -> None:
        """Note the content of a catalog that is stored as a whole."""
        uuid = parse_json(payload.metadata)["catalog_uuid"]
        self.known.keep(node, Known(payload.digest, payload.size, str(uuid)))

    def renew(self, node: str, timestamp: str, payload: Payload) -> bool:
        """Store a catalog without its content; return False if the content is needed."""
        known = self.known.get(node)
        if known is None or known.digest != payload.digest:
            return False
        content = self.stored_hash(node, known)
        if not content:
            return False
        self.known.keep(node, replace(known, hash=content))
        metadata = Metadata.of(COMMAND, VERSION, node, timestamp, "renewal")
        body = b'%b,"%b":"%b"}' % (payload.metadata[:-1], CONTENT.encode(), content.encode())
        try:
            put(self.intake, metadata, [body], renewal=Renewal(content, known.size))
        except Refusal:  # the whole catalog is refused, too, with the reason
            return False
        return True

    def stored_hash(self, node: str, known: Known) -> str:
        """Return the hash of the content that the database has and will have; nothing if it is another."""
        queue, database = self.intake.queue, self.intake.worker.database
        if not queue.keeps_content(COMMAND, file_part(node), known.hash):
            return ""
        try:
            found = list(database.rows(Statement(STATE, (node,)), SECONDS))
        except PuppetError:  # the database is unavailable: commands wait in the queue
            return ""
        for uuid, content in found:
            if content == known.hash or (not known.hash and uuid == known.uuid):
                return str(content)
        return ""
