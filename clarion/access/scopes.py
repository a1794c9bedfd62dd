"""What a connected assistant may do. A token made by hand has no scopes: only its kind counts."""

from collections.abc import Collection, Iterable
from enum import StrEnum

from clarion.base.errors import Forbidden


class Scope(StrEnum):
    """Things an assistant may be allowed, from the harmless to the far-reaching."""

    READ = "read"
    """See reminders, series, figures and their changes."""
    SET = "set"
    """Set, change and cancel reminders."""
    CONFIRM = "confirm"
    """Say that something is done, or put it off."""
    PEOPLE = "people"
    """See and change people, devices and contacts."""
    DISPATCH = "dispatch"
    """Events and teams."""
    ADMIN = "admin"
    """The queue, tokens, webhooks, rules: everything else."""


USUAL = (Scope.READ, Scope.SET, Scope.CONFIRM)
"""What is asked for when an assistant names nothing."""
OF_A_PERSON = (*USUAL, Scope.PEOPLE)
"""What somebody can allow who is no admin; the rest is about everybody."""


class InsufficientScope(Forbidden):
    code = "insufficient_scope"

    def __init__(self, needed: Scope) -> None:
        super().__init__(
            f"This assistant was not allowed {needed.value!r}.",
            hint="Connect it again and allow that too.",
            details={"scope": needed.value},
        )


def scopes_in(text: str) -> tuple[Scope, ...]:
    """The scopes of a space-separated list, in our order. Raises ValueError for an unknown one."""
    return ordered(Scope(one) for one in text.split())


def ordered(scopes: Iterable[Scope]) -> tuple[Scope, ...]:
    wanted = set(scopes)
    return tuple(one for one in Scope if one in wanted)


def check_scope(allowed: Collection[Scope] | None, needed: Scope | None) -> None:
    """Raises InsufficientScope. None on either side asks for nothing."""
    if allowed is not None and needed is not None and needed not in allowed:
        raise InsufficientScope(needed)
