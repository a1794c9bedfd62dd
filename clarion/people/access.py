"""Who asks, and whose things they may see. What is not theirs does not exist for them."""

from dataclasses import dataclass

from clarion.base.ids import UserId


@dataclass(frozen=True, slots=True)
class Actor:
    """`name` is how the history calls them."""

    user_id: UserId | None
    admin: bool = False
    name: str = ""

    def may_see(self, owner: UserId | None) -> bool:
        return self.admin or (owner is not None and owner == self.user_id)

    @property
    def label(self) -> str:
        return self.name or self.user_id or ("admin" if self.admin else "")


CLARION = Actor(None, admin=True, name="clarion")
"""For what Clarion does of its own accord."""
