"""Tokens of a GitHub App for git over HTTPS, as r10k 5 gets them.

A JSON Web Token, signed with the key of the app, is exchanged for a token of its first installation. It
is asked for when the first remote needs it, and never written to a file.
"""

from __future__ import annotations

import json
import os
import re
import time
from base64 import urlsafe_b64encode
from collections.abc import Mapping
from threading import Lock
from typing import Any

from bunraku.base.errors import Diagnostic, PuppetError
from bunraku.base.file_reading import read_whole
from bunraku.deployment import issues
from bunraku.deployment.forge_connection import failure_reason
from bunraku.formats.failure import FormatError
from bunraku.formats.json import parse_json
from bunraku.web.client import exchange
from bunraku.web.proxies import network_of
from bunraku.web.requests import HttpRequest

API = "https://api.github.com"
ACCEPT = "application/vnd.github.v3+json"
EARLIER = 60
"""Seconds by which a request is dated back: the clock of GitHub may be behind."""
LARGEST = 1 << 20
LONGEST = 60.0
NUMBER = re.compile(r"[0-9]+")
TOKEN = re.compile(r"[\w\-.~+/]+", re.ASCII)


class GithubApp:
    """An app: its number, the path of its private key, and how many seconds its requests are valid."""

    def __init__(
        self, number: str, key: str, lifetime: str, proxy: str = "", api: str = API
    ) -> None:
        self.number = number
        self.key = key
        self.lifetime = lifetime
        self.proxy = proxy
        self.api = api
        self.lock = Lock()
        self.found = ""
        self.failure: Diagnostic | None = None

    def token(self) -> str:
        """Return a token of the app's installation, the same one in a run. Raise GITHUB_APP."""
        with self.lock:
            if self.failure is not None:
                raise PuppetError(self.failure)
            if not self.found:
                try:
                    self.found = self.new_token()
                except PuppetError as error:
                    self.failure = error.diagnostic
                    raise
            return self.found

    def new_token(self) -> str:
        """Ask GitHub for a token. Raise GITHUB_APP."""
        for name, value in (("id", self.number), ("ttl", self.lifetime)):
            if not NUMBER.fullmatch(value):
                raise self.error(f"github_app_{name} is not a number")
        signed = self.signed_request()
        installations = self.ask("GET", f"{self.api}/app/installations", signed)
        first = installations[0] if isinstance(installations, list) and installations else {}
        url = first.get("access_tokens_url") if isinstance(first, dict) else None
        if not isinstance(url, str) or not url.startswith(f"{self.api}/"):
            raise self.error("it is not installed anywhere")
        answer = self.ask("POST", url, signed)
        token = answer.get("token") if isinstance(answer, dict) else None
        if not isinstance(token, str) or not TOKEN.fullmatch(token):
            raise self.error("the answer of GitHub has no token")
        return token

    def signed_request(self) -> str:
        """Return a JSON Web Token that names the app, signed with its key (RFC 7519, RS256)."""
        now = int(time.time())
        claims = {"iat": now - EARLIER, "exp": now + int(self.lifetime), "iss": self.number}
        parts = ({"alg": "RS256", "typ": "JWT"}, claims)
        text = ".".join(without_padding(json.dumps(part).encode()) for part in parts)
        return f"{text}.{without_padding(self.signature(text.encode()))}"

    def signature(self, content: bytes) -> bytes:
        """Return the signature of the app (RSA, PKCS #1 1.5, SHA-256)."""
        try:
            from cryptography.hazmat.primitives import hashes, serialization
            from cryptography.hazmat.primitives.asymmetric import padding, rsa
        except ImportError:
            raise self.error("it needs the Python package cryptography") from None
        try:
            key = serialization.load_pem_private_key(read_whole(self.key), None)
        except OSError as error:
            raise self.error(f"cannot read {self.key}: {error.strerror}") from None
        except (TypeError, ValueError):
            raise self.error(f"{self.key} is not a private key without a password") from None
        if not isinstance(key, rsa.RSAPrivateKey):
            raise self.error(f"{self.key} is not an RSA key")
        return key.sign(content, padding.PKCS1v15(), hashes.SHA256())

    def ask(self, method: str, url: str, signed: str) -> Any:
        """Return the data of an answer of GitHub."""
        headers = {"Authorization": f"Bearer {signed}", "Accept": ACCEPT, "User-Agent": "bunraku"}
        network = network_of({}, self.variables())
        request = HttpRequest(method, url, headers, network=network, longest=LONGEST)
        try:
            with exchange(request) as answer:
                content = answer.read(LARGEST)
                if not 200 <= answer.status < 300:
                    raise self.error(f"GitHub answered with status {answer.status}")
                return parse_json(content)
        except OSError as error:
            raise self.error(f"cannot ask {self.api}: {failure_reason(error)}") from None
        except FormatError:
            raise self.error("the answer of GitHub is not JSON") from None

    def variables(self) -> Mapping[str, str]:
        """Return the environment variables that name the proxy."""
        own = {"https_proxy": self.proxy, "http_proxy": self.proxy} if self.proxy else {}
        return {**os.environ, **own}

    def error(self, reason: str) -> PuppetError:
        """Return the error that this app cannot be used."""
        return issues.GITHUB_APP(number=self.number, reason=reason)


def without_padding(content: bytes) -> str:
    """Return bytes in the base 64 of URLs, without padding."""
    return urlsafe_b64encode(content).rstrip(b"=").decode()
