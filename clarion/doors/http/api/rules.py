"""Routes about rules: the priority of each chat, where its messages go. For admins."""

from typing import Annotated, Any

from fastapi import APIRouter, Path, Response
from pydantic import Field

from clarion.base.errors import Unprocessable
from clarion.chats.levels import read_level, say_level
from clarion.chats.model import WEIGHT_MAX, ChatId, ChatRule, PersonId, RuleId
from clarion.chats.ports import RuleDraft
from clarion.chats.service import TARGETS_MAX, RuleService
from clarion.doors.http.auth import Admin
from clarion.doors.http.conventions import (
    ID_LETTERS_MAX,
    PREFIX,
    IfMatch,
    IfNoneMatch,
    Name,
    Patch,
    Shape,
    answer_json,
    answer_versioned,
    expected_version,
    nothing,
    refusals,
    shaped,
)

ChatName = Annotated[
    str,
    Field(
        min_length=1,
        max_length=ID_LETTERS_MAX,
        pattern=r"^[A-Za-z0-9][A-Za-z0-9_.:@+!#=$/-]*$",
        description="The platform and its own name of the chat, with a topic after `#`.",
    ),
]
Number = Annotated[int, Path(ge=1, le=2**53, description="The rule's number.")]
Words = Annotated[list[Name], Field(max_length=50, default_factory=list)]


class FiltersShape(Shape):
    """Which messages are forwarded; nothing set lets everything through."""

    words: Words
    without: Words
    senders: Words
    patterns: Words
    kinds: Words


class RulePatch(Patch):
    """What is left out stays as it is."""

    priority: Annotated[
        int | str | None, Field(examples=["vip"], description="A level's name or 0 to 100.")
    ] = None
    targets: Annotated[list[ChatName] | None, Field(max_length=TARGETS_MAX)] = None
    filters: FiltersShape | None = None
    enabled: bool | None = None
    weight: Annotated[
        float | None,
        Field(ge=0, le=WEIGHT_MAX, description="Its share of the queue; 0: as its level says."),
    ] = None


class RuleIn(RulePatch):
    chat_id: Annotated[ChatName, Field(examples=["telegram:-100123"])]


class RuleTrial(Shape):
    """A message, and the rule that it is tried on; nothing is kept, nothing is sent."""

    text: Annotated[str, Field(max_length=4096)]
    sender: Annotated[ChatName | None, Field(examples=["telegram:42"])] = None
    kind: Name = "text"
    targets: Annotated[list[ChatName], Field(max_length=TARGETS_MAX, default_factory=list)]
    filters: FiltersShape


class TrialOut(Shape):
    goes_to: list[str]
    stopped_by: Annotated[str, Field(description="The list of the filters that keeps it back.")]


class RuleOut(Shape):
    id: int
    chat_id: str
    chat_title: str
    priority: int
    level: str
    targets: list[str]
    dead_targets: list[str]
    filters: FiltersShape
    enabled: bool
    weight: float | None
    waiting: int
    created_by: str
    created_at: str | None
    version: int


class RuleList(Shape):
    items: list[RuleOut]


def rule_routes(rules: RuleService) -> APIRouter:
    router = APIRouter(prefix=f"{PREFIX}/rules", tags=["rules"])

    @router.get("", response_model=RuleList, summary="All rules, with what waits in their chats")
    async def find(_: Admin) -> Response:
        waiting = await rules.waiting()
        listed = await rules.list()
        return answer_json({"items": [rule_out(r, waiting.get(r.chat_id, 0)) for r in listed]})

    @router.post(
        "",
        response_model=RuleOut,
        summary="Set the rule of a chat; it is made when the chat has none",
        responses=refusals(409),
    )
    async def save(who: Admin, body: RuleIn) -> Response:
        rule = await rules.save(ChatId(body.chat_id), draft(body), by=who.name or "admin")
        return answer_json(rule_out(rule), version=rule.version)

    @router.post("/try", response_model=TrialOut, summary="What would become of a message")
    async def try_out(_: Admin, body: RuleTrial) -> Response:
        trial = RuleDraft(filters=body.filters.model_dump())
        stopped = rules.try_out(trial, body.text, PersonId(body.sender or ""), body.kind)
        return answer_json({"goes_to": [] if stopped else body.targets, "stopped_by": stopped})

    add_one(router, rules)
    return router


def add_one(router: APIRouter, rules: RuleService) -> None:
    @router.get(
        "/{rule_id:int}", response_model=RuleOut, summary="One rule", responses=refusals(404)
    )
    async def get(_: Admin, rule_id: Number, same: IfNoneMatch = None) -> Response:
        rule = await rules.get(RuleId(rule_id))
        return answer_versioned(rule_out(rule), rule.version, same)

    @router.patch(
        "/{rule_id:int}",
        response_model=RuleOut,
        summary="Change it; what waits is re-ranked at once",
        responses=refusals(404, 409, 412, 428),
    )
    async def change(
        who: Admin, rule_id: Number, body: RulePatch, if_match: IfMatch = None
    ) -> Response:
        version = expected_version(if_match)
        rule = await rules.get(RuleId(rule_id))
        rule = await rules.save(rule.chat_id, draft(body), by=who.name or "admin", version=version)
        return answer_json(rule_out(rule), version=rule.version)

    @router.delete("/{rule_id:int}", status_code=204, summary="Forget it; twice is harmless")
    async def delete(who: Admin, rule_id: Number) -> Response:
        await rules.delete(RuleId(rule_id), by=who.name or "admin")
        return nothing()


def draft(body: RulePatch) -> RuleDraft:
    return RuleDraft(
        priority=priority_in(body.priority),
        targets=None if body.targets is None else [ChatId(each) for each in body.targets],
        filters=None if body.filters is None else body.filters.model_dump(),
        enabled=body.enabled,
        weight=body.weight,
    )


def priority_in(said_as: int | str | None) -> int | None:
    if said_as is None:
        return None
    priority = read_level(str(said_as))
    if priority is None:
        raise Unprocessable(f"{said_as!r} is no priority.", hint="A level's name, or 0 to 100.")
    return priority


def rule_out(rule: ChatRule, waiting: int = 0) -> dict[str, Any]:
    filters, level = shaped(FiltersShape, rule.filters), say_level(rule.priority)
    return shaped(RuleOut, rule, level=level, filters=filters, waiting=waiting)
