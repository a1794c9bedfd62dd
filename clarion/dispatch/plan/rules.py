"""What each type of event needs and allows: checked values, made from a parsed rules file.

Pure: `agent/rulebook` reads the file, and reads it again when it changes.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from clarion.dispatch.errors import InvalidInput, RuleLoadFailed
from clarion.dispatch.model import Need, Severity
from clarion.dispatch.plan.choose import ChoiceWeights

AMOUNT_MAX = 10_000
POSITIVE_MAX = 1_000_000  # as minutes two years, as kilometres many times round the earth
TEAMS_MAX = 20  # more than any one event of a city is given without a person's word
OTHER = "other"
"""The type whose rule serves every event that has none of its own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EventRule:
    """One event type. None means no limit."""

    needs: tuple[Need, ...]
    deadline: timedelta | None = None
    range_km: float | None = None
    teams_max: int = TEAMS_MAX
    words: tuple[str, ...] = ()
    """What a report says when it is about this type."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    types: Mapping[str, EventRule]
    weights: ChoiceWeights = field(default_factory=ChoiceWeights)
    percent: Mapping[Severity, int] = field(default_factory=dict)
    """How much of a rule's needs an event of this severity has; 100 when not named."""

    def rule(self, event_type: str) -> EventRule:
        found = self.types.get(event_type) or self.types.get(OTHER)
        if found is None:
            raise InvalidInput(f"type {event_type!r}", known=sorted(self.types))
        return found


class _RulesReader:
    """Walks the parsed file and collects every problem, so that all can be fixed at once."""

    def __init__(self) -> None:
        self.problems: list[str] = []
        self.teams_max = TEAMS_MAX

    def complain(self, where: str, expected: str) -> None:
        self.problems.append(f"{where}: expected {expected}")

    def table(self, where: str, value: object) -> Mapping[str, Any]:
        if isinstance(value, Mapping) and all(isinstance(key, str) for key in value):
            return value
        self.complain(where, "a table of names")
        return {}

    def known(self, where: str, table: Mapping[str, Any], names: set[str]) -> None:
        for name in sorted(set(table) - names):
            self.problems.append(f"{where}.{name}: is not known here")

    def number(
        self, where: str, value: object, check: Callable[[float], bool], expected: str
    ) -> float:
        if isinstance(value, int | float) and not isinstance(value, bool) and check(value):
            return float(value)
        self.complain(where, expected)
        return 1.0

    def whole(self, where: str, value: object, least: int, most: int) -> int:
        if isinstance(value, int) and not isinstance(value, bool) and least <= value <= most:
            return value
        self.complain(where, f"a whole number from {least} to {most}")
        return least

    def rule(self, where: str, value: object) -> EventRule:
        table = self.table(where, value)
        self.known(
            where, table, {"needs", "deadline_minutes", "range_km", "teams_max", "words", "weights"}
        )
        weights = self.table(f"{where}.weights", table.get("weights", {}))
        needs = self.table(f"{where}.needs", table.get("needs"))
        if not needs:
            self.complain(f"{where}.needs", "at least one capability")
        minutes, range_km = table.get("deadline_minutes"), table.get("range_km")
        return EventRule(
            needs=tuple(
                Need(
                    name,
                    self.whole(f"{where}.needs.{name}", amount, 1, AMOUNT_MAX),
                    self.whole(f"{where}.weights.{name}", weights.get(name, 1), 1, 100),
                )
                for name, amount in sorted(needs.items())
            ),
            deadline=None
            if minutes is None
            else timedelta(minutes=self._positive(f"{where}.deadline_minutes", minutes)),
            range_km=None if range_km is None else self._positive(f"{where}.range_km", range_km),
            teams_max=self.whole(
                f"{where}.teams_max", table.get("teams_max", self.teams_max), 1, 1000
            ),
            words=self._words(f"{where}.words", table.get("words", [])),
        )

    def _positive(self, where: str, value: object) -> float:
        most = POSITIVE_MAX
        return self.number(
            where, value, lambda number: 0 < number <= most, f"a number above 0, at most {most}"
        )

    def _words(self, where: str, value: object) -> tuple[str, ...]:
        if isinstance(value, list) and all(isinstance(word, str) and word for word in value):
            return tuple(value)
        self.complain(where, "a list of words")
        return ()

    def weights(self, value: object) -> ChoiceWeights:
        table = self.table("weights", value)
        self.known("weights", table, {"time", "latest", "cost", "each"})
        return ChoiceWeights(
            **{
                name: self.whole(f"weights.{name}", amount, 0, 1000)
                for name, amount in table.items()
                if name in {"time", "latest", "cost", "each"}
            }
        )

    def percent(self, value: object) -> dict[Severity, int]:
        table = self.table("severity_percent", value)
        self.known("severity_percent", table, set(Severity))
        return {
            Severity(name): self.whole(f"severity_percent.{name}", amount, 1, 1000)
            for name, amount in table.items()
            if name in set(Severity)
        }


def read(parsed: object) -> Rules:
    """Raises RuleLoadFailed with every problem that was found, each with its place."""
    reader = _RulesReader()
    table = reader.table("rules", parsed)
    reader.known("rules", table, {"types", "weights", "severity_percent", "teams_max"})
    reader.teams_max = reader.whole("teams_max", table.get("teams_max", TEAMS_MAX), 1, 1000)
    types = reader.table("types", table.get("types"))
    if not types:
        reader.complain("types", "at least one type of event")
    rules = Rules(
        types={name: reader.rule(f"types.{name}", value) for name, value in types.items()},
        weights=reader.weights(table.get("weights", {})),
        percent=reader.percent(table.get("severity_percent", {})),
    )
    if reader.problems:
        raise RuleLoadFailed(reader.problems[0], reader.problems)
    return rules
