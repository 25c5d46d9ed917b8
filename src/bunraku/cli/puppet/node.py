"""``puppet node clean``, ``deactivate`` and ``purge``: nodes that are gone."""

from __future__ import annotations

from collections.abc import Sequence

from bunraku.base.errors import PuppetError
from bunraku.ca.policy import RequestRefused
from bunraku.cli import exits
from bunraku.cli.options.puppet_call import call_of, parser_for
from bunraku.cli.output.output import write
from bunraku.jobs.retire_nodes import NodeSite
from bunraku.world.machine import Machine

DESCRIPTIONS = {
    "clean": "Revoke the certificates of nodes, and remove facts, nodes and reports from the server.",
    "deactivate": "Deactivate nodes in the PuppetDB of puppetdb.conf.",
    "purge": "Deactivate nodes in the PuppetDB, then clean them.",
}


def retire(action: str, words: Sequence[str]) -> int:
    """Do an action with nodes; exit code 1 for unknown names, and if it fails."""
    parser = parser_for(f"node {action}", DESCRIPTIONS[action], "names NODE...: names of nodes")
    call = call_of(parser, words, "server")
    site, messages = NodeSite(call.given, call.values, Machine()), call.messages
    done = True
    try:
        if action != "clean":
            for name, uuid in site.deactivate(call.options.names):
                write(f"Submitted 'deactivate node' for {name} with UUID {uuid}\n")
        if action != "deactivate":
            done = site.clean(
                call.options.names,
                lambda text: messages.say("notice", text),
                lambda text: messages.error(text.strip()),
                lambda text: messages.say("info", text),
            )
    except (PuppetError, RequestRefused, OSError) as error:
        messages.error(str(error))
        return exits.FINDINGS
    return exits.OK if done else exits.FINDINGS
