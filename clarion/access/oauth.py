"""The values and rules of OAuth 2.1, as far as Clarion speaks it. Pure.

Only the code flow with PKCE by S256 and public or secret-holding clients. What an assistant is
connected by is a token like any other (`clarion/access/tokens.py`), with two kinds of secrets:
access, for an hour, and refresh, each good once.
"""

import base64
import hashlib
import hmac
import ipaddress
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import SplitResult, urlsplit

from clarion.access.tokens import Scope, Token, TokenKind
from clarion.base.ids import UserId

CODE_LIFE = timedelta(minutes=2)  # a host fetches its token within moments
CHALLENGE = re.compile(r"[A-Za-z0-9_-]{43}")
VERIFIER = re.compile(r"[A-Za-z0-9._~-]{43,128}")
SCHEME = re.compile(r"[a-z][a-z0-9+.-]*")
NEVER = frozenset(
    {"about", "blob", "data", "file", "ftp", "javascript", "mailto", "vbscript", "ws", "wss"}
)
LOCAL_NAMES = (".local", ".lan", ".home.arpa", ".internal")
LOOPBACK = frozenset({"127.0.0.1", "::1", "localhost"})
METHODS = ("none", "client_secret_post", "client_secret_basic")
GRANTS = frozenset({"authorization_code", "refresh_token"})
ADDRESSES_MAX = 10
ADDRESS_LETTERS_MAX = 2_000
NAME_LETTERS_MAX = 80
STATE_LETTERS_MAX = 2_000


class OAuthRefused(Exception):
    """What the standard calls an error response: one of its codes, and a sentence."""

    def __init__(self, error: str, description: str, status: int = 400) -> None:
        super().__init__(description)
        self.error = error
        self.description = description
        self.status = status


@dataclass(frozen=True, slots=True, kw_only=True)
class OAuthClient:
    """A program that may ask people to connect it."""

    id: str
    """Our own, or the address of a document that describes it."""
    name: str
    redirects: tuple[str, ...]
    method: str = "none"
    secret_hash: str = ""
    created_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class AccessRequest:
    """What an assistant asks a person for, once it has been found to be in order."""

    client_id: str
    redirect: str
    scopes: tuple[Scope, ...]
    state: str
    challenge: str
    resource: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GrantCode:
    """A person's yes, to be fetched once within two minutes."""

    client_id: str
    client_name: str
    redirect: str
    challenge: str
    resource: str
    scopes: tuple[Scope, ...]
    user_id: UserId | None
    """None: an admin allowed it for everybody."""
    expires_at: datetime

    @property
    def kind(self) -> TokenKind:
        return TokenKind.USER if self.user_id else TokenKind.ADMIN


@dataclass(frozen=True, slots=True, kw_only=True)
class CodeProof:
    """What comes with a code when it is fetched."""

    client_id: str
    redirect: str
    verifier: str
    resource: str

    def fits(self, code: GrantCode, now: datetime) -> bool:
        return (
            now < code.expires_at
            and self.client_id == code.client_id
            and self.redirect == code.redirect
            and self.resource in ("", code.resource)
            and proves(self.verifier, code.challenge)
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class NewPair:
    """A pair of secrets to be kept, as hashes, with their ends."""

    access_hash: str
    access_until: datetime
    refresh_hash: str
    refresh_until: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Issued:
    """What an assistant gets; nothing of it is kept but hashes."""

    token: Token
    access: str
    refresh: str
    expires_in: int


def proves(verifier: str, challenge: str) -> bool:
    """RFC 7636, S256. `plain` is not supported: its request would contain the proof."""
    if not VERIFIER.fullmatch(verifier):
        return False
    digest = hashlib.sha256(verifier.encode()).digest()
    made = base64.urlsafe_b64encode(digest).decode().rstrip("=")
    return hmac.compare_digest(made, challenge)


def leads_to(registered: Sequence[str], asked: str) -> bool:
    """Whether a code may be sent there: letter by letter, but for the port on this machine."""
    return any(one == asked or _same_but_port(one, asked) for one in registered)


def _same_but_port(one: str, other: str) -> bool:
    # A program on somebody's machine takes whatever port is free (RFC 8252, 7.3).
    a, b = split_address(one), split_address(other)
    if a is None or b is None or a.scheme != "http" or a.hostname not in LOOPBACK:
        return False
    return (a.scheme, a.hostname, a.path, a.query) == (b.scheme, b.hostname, b.path, b.query)


def split_address(text: str) -> SplitResult | None:
    try:
        parts = urlsplit(text)
        _ = parts.port
    except ValueError:
        return None
    return parts


def is_redirect(text: str) -> bool:
    """An address to which a code can be sent: HTTPS, this house's HTTP, or an app's own scheme."""
    if len(text) > ADDRESS_LETTERS_MAX or not text.isascii() or not text.isprintable():
        return False
    parts = split_address(text)
    if parts is None or "#" in text or "\\" in text or " " in text or "@" in parts.netloc:
        return False
    if parts.scheme == "https":
        return bool(parts.hostname)
    if parts.scheme == "http":
        # Home Assistant is often reached by plain HTTP at home. PKCE makes a code that is
        # overheard there worthless.
        return is_at_home(parts.hostname or "")
    return bool(SCHEME.fullmatch(parts.scheme)) and parts.scheme not in NEVER


def is_at_home(host: str) -> bool:
    if host in LOOPBACK or host.endswith(LOCAL_NAMES):
        return True
    try:
        return ipaddress.ip_address(host).is_private
    except ValueError:
        return False


def is_document(client_id: str) -> bool:
    """Whether a client's id is the address of its own description."""
    if not client_id.startswith("https://") or len(client_id) > ADDRESS_LETTERS_MAX:
        return False
    parts = split_address(client_id)
    if parts is None or not parts.hostname or not client_id.isascii():
        return False
    plain = not (parts.fragment or parts.query or "@" in parts.netloc or "#" in client_id)
    steps = parts.path.split("/")
    return plain and len(parts.path) > 1 and not {".", ".."} & set(steps)


def read_client(metadata: Mapping[str, Any], client_id: str, now: datetime) -> OAuthClient:
    """RFC 7591's metadata, from a registration or a client's own document."""
    redirects = metadata.get("redirect_uris")
    if not isinstance(redirects, list) or not 0 < len(redirects) <= ADDRESSES_MAX:
        raise OAuthRefused("invalid_redirect_uri", "redirect_uris has one to ten addresses.")
    if not all(isinstance(one, str) and is_redirect(one) for one in redirects):
        raise OAuthRefused(
            "invalid_redirect_uri",
            "A redirect address is HTTPS, HTTP on this machine or network, or an app's own scheme.",
        )
    method = metadata.get("token_endpoint_auth_method", "none")
    if method not in METHODS:
        raise OAuthRefused(
            "invalid_client_metadata", f"token_endpoint_auth_method is one of {', '.join(METHODS)}."
        )
    if not set(texts(metadata.get("grant_types", ["authorization_code"]))) & GRANTS:
        raise OAuthRefused("invalid_client_metadata", "Only the code flow is spoken here.")
    if "code" not in texts(metadata.get("response_types", ["code"])):
        raise OAuthRefused("invalid_client_metadata", "Only the code flow is spoken here.")
    return OAuthClient(
        id=client_id,
        name=shown_name(metadata.get("client_name"), redirects[0]),
        redirects=tuple(redirects),
        method=method,
        created_at=now,
    )


def texts(value: Any) -> list[str]:
    return [one for one in value if isinstance(one, str)] if isinstance(value, list) else []


def shown_name(name: Any, redirect: str) -> str:
    """One line that people can read; without a name, where its answers go."""
    plain = (
        " ".join("".join(c if c.isprintable() else " " for c in name).split())
        if (isinstance(name, str))
        else ""
    )
    return plain[:NAME_LETTERS_MAX] or destination(redirect)


def destination(redirect: str) -> str:
    """Where a code goes, in a few letters: `claude.ai`, `cursor:`."""
    parts = urlsplit(redirect)
    return parts.hostname or f"{parts.scheme}:"
