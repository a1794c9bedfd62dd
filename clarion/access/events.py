"""Events about tokens: issued, used to log in, revoked."""

from dataclasses import dataclass
from typing import ClassVar

from clarion.base.events import Event


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenMade(Event):
    kind: ClassVar[str] = "token.made"

    token_kind: str
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenRevoked(Event):
    kind: ClassVar[str] = "token.revoked"


@dataclass(frozen=True, slots=True, kw_only=True)
class LoggedIn(Event):
    """A login code was used: a session began."""

    kind: ClassVar[str] = "token.logged_in"
