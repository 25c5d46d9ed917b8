"""Errors of an agent."""

from __future__ import annotations

from bunraku.base.errors import Issue

BAD_SETTING = Issue("AGENT_BAD_SETTING", "The setting '{name}' cannot be '{value}': {reason}")
TWO_NODE_NAMES = Issue(
    "AGENT_TWO_NODE_NAMES",
    "Cannot specify both the node_name_value and node_name_fact settings",
    hint="use node_name_fact alone, or set it to an empty text",
)
NODE_NAME_FACT = Issue(
    "AGENT_NODE_NAME_FACT",
    "The fact '{fact}' of the setting node_name_fact cannot be the node's name: {reason}",
)
BAD_PROXY = Issue("AGENT_BAD_PROXY", "Could not use the proxy: {reason}")
NO_CONNECTION = Issue("AGENT_NO_CONNECTION", "Request to {url} {what}")
UNTRUSTED_SERVER = Issue(
    "AGENT_UNTRUSTED_SERVER",
    "certificate verify failed [{reason}]",
    hint="'bunraku ssl show' and 'bunraku ssl verify' show what this machine trusts",
)
NO_ROUTE = Issue("AGENT_NO_ROUTE", "No more routes to {service}")
NO_RECORDS = Issue("AGENT_NO_RECORDS", "Could not look up the SRV records of {name}: {reason}")
NO_SERVER = Issue(
    "AGENT_NO_SERVER",
    "Could not run Puppet configuration client: Could not select a functional puppet server from "
    "server_list: '{servers}'",
)
REFUSED = Issue("AGENT_REFUSED", "Error {status} on SERVER: {message}")
BAD_ANSWER = Issue("AGENT_BAD_ANSWER", "The server's answer to {what} cannot be used: {reason}")
NO_AUTHORITY = Issue("AGENT_NO_AUTHORITY", "Could not download {what}: {reason}")
AUTHORITY_MISSING = Issue("AGENT_AUTHORITY_MISSING", "{what} is missing from the server")
WRONG_AUTHORITY = Issue(
    "AGENT_WRONG_AUTHORITY",
    "CA bundle with digest (SHA256) {found} did not match expected digest {expected}",
    hint="compare the fingerprint with that on the server: 'puppetserver ca list --all' or "
    "'bunraku ca list --all'",
)
NOT_SUBMITTED = Issue(
    "AGENT_NOT_SUBMITTED", "Failed to submit the CSR, HTTP response was {status}: {reason}"
)
SUBMIT_FAILED = Issue("AGENT_SUBMIT_FAILED", "Failed to submit certificate request: {reason}")
CONFLICT = Issue(
    "AGENT_CONFLICT",
    "Could not submit certificate request for '{certname}' to {url} due to a conflict on the server",
    hint="the server has a request or a certificate of this name: see 'puppetserver ca list --all' or "
    "'bunraku ca list --all' there",
)
GENERATE_FAILED = Issue("AGENT_GENERATE_FAILED", "Failed to generate certificate request: {reason}")
DOWNLOAD_FAILED = Issue("AGENT_DOWNLOAD_FAILED", "Failed to download certificate: {reason}")
NOT_RENEWED = Issue(
    "AGENT_NOT_RENEWED",
    "Certificate autorenewal has not been enabled on the server.",
    hint="set allow-auto-renewal there",
)
NOT_CLEANED = Issue(
    "AGENT_NOT_CLEANED",
    "The certificate {certname} must be cleaned from the CA first. To fix this,\n"
    "run the following commands on the CA:\n"
    "  puppetserver ca clean --certname {certname}\n"
    "  puppet ssl clean",
    hint="with bunraku: 'bunraku ca clean --certname {certname}', 'bunraku ssl clean'",
)
CLEANING_UNKNOWN = Issue(
    "AGENT_CLEANING_UNKNOWN",
    "Failed to connect to the CA to determine if certificate {certname} has been cleaned: {reason}",
)
NO_CERTIFICATE = Issue(
    "AGENT_NO_CERTIFICATE", "Failed to retrieve certificate for {certname}: {reason}"
)
NOT_SIGNED = Issue(
    "AGENT_NOT_SIGNED",
    "The certificate for '{certname}' has not yet been signed",
    hint="sign it on the server: 'puppetserver ca sign --certname {certname}' or "
    "'bunraku ca sign --certname {certname}'",
)
MISSING_FILE = Issue("AGENT_MISSING_FILE", "The {what} missing from '{path}'")
SSL_IN_PROGRESS = Issue(
    "AGENT_SSL_IN_PROGRESS", "Another puppet instance is already running and the {why}; exiting"
)
PLUGINS_FAILED = Issue("AGENT_PLUGINS_FAILED", "Failed to retrieve {name}: {reason}")
UNSTABLE_ENVIRONMENT = Issue(
    "AGENT_UNSTABLE_ENVIRONMENT",
    "Catalog environment didn't stabilize after {tries} fetches, aborting run",
)
ENVIRONMENT_MISSING = Issue(
    "AGENT_ENVIRONMENT_MISSING", "Environment '{name}' not found on server, aborting run."
)
