"""Options and needs as plain JSON values and back: the same for the store and for every door."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from clarion.dispatch.model import (
    CrewMember,
    EventId,
    Member,
    Missing,
    Need,
    Option,
    Shift,
    TeamId,
    VehicleKind,
)


def option_out(option: Option) -> dict[str, Any]:
    return {
        "teams": [member_out(member) for member in option.members],
        "shortfall": [missing_out(one) for one in option.shortfall],
        "latest_seconds": option.latest_seconds,
        "cost": option.cost,
        "score": option.score,
        "coverage": option.coverage,
    }


def member_out(member: Member) -> dict[str, Any]:
    return {
        "team_id": member.team_id,
        "name": member.name,
        "role": member.role,
        "eta_seconds": member.eta_seconds,
        "cost": member.cost,
        "amounts": dict(member.amounts),
        "eta_source": member.eta_source,
        "kind": member.kind.value,
        "taken_from": member.taken_from,
        "eta_at": instant_out(member.eta_at),
        "position_at": instant_out(member.position_at),
        "correction": member.correction,
    }


def instant_out(at: datetime | None) -> str | None:
    return None if at is None else at.isoformat()


def instant_in(text: str | None) -> datetime | None:
    return None if text is None else datetime.fromisoformat(text)


def missing_out(one: Missing) -> dict[str, Any]:
    return {
        "capability": one.capability,
        "needed": one.needed,
        "covered": one.covered,
        "reasons": list(one.reasons),
    }


def option_in(data: Mapping[str, Any]) -> Option:
    return Option(
        members=tuple(
            Member(
                TeamId(one["team_id"]),
                one["name"],
                one["role"],
                one["eta_seconds"],
                one["cost"],
                one["amounts"],
                one.get("eta_source", "air"),
                VehicleKind(one.get("kind", "car")),
                EventId(one["taken_from"]) if one.get("taken_from") else None,
                instant_in(one.get("eta_at")),
                instant_in(one.get("position_at")),
                one.get("correction", 1.0),
            )
            for one in data["teams"]
        ),
        shortfall=tuple(
            Missing(one["capability"], one["needed"], one["covered"], tuple(one["reasons"]))
            for one in data["shortfall"]
        ),
        latest_seconds=data["latest_seconds"],
        cost=data["cost"],
        score=data["score"],
        coverage=data["coverage"],
    )


def needs_out(needs: Iterable[Need]) -> list[dict[str, Any]]:
    return [
        {"capability": need.capability, "amount": need.amount, "weight": need.weight}
        for need in needs
    ]


def needs_in(data: Iterable[Mapping[str, Any]]) -> tuple[Need, ...]:
    return tuple(Need(one["capability"], one["amount"], one["weight"]) for one in data)


def crew_out(one: CrewMember) -> dict[str, Any]:
    return {"name": one.name, "skills": list(one.skills), "on_duty": one.on_duty}


def crew_in(data: Mapping[str, Any]) -> CrewMember:
    return CrewMember(data["name"], tuple(data["skills"]), data["on_duty"])


def shift_out(one: Shift) -> dict[str, Any]:
    return {"starts": one.starts, "ends": one.ends, "days": list(one.days)}


def shift_in(data: Mapping[str, Any]) -> Shift:
    return Shift(data["starts"], data["ends"], tuple(data["days"]))
