"""Tools about dispatch, for admin tokens. Their docstrings are read by assistants."""

from datetime import timedelta
from typing import Annotated

from mcp.server.mcpserver import MCPServer
from mcp_types import CallToolResult
from pydantic import BaseModel, Field

from clarion.dispatch.desk import Desk
from clarion.dispatch.model import EventId, Run, Scheme, TeamId, TeamStatus
from clarion.dispatch.service import Dispatch
from clarion.doors.mcp.answers import answer, changes, reads
from clarion.doors.mcp.tasks import only_admins

WAIT_MAX = 60


class TeamOut(BaseModel):
    id: str
    name: str
    status: TeamStatus
    capabilities: dict[str, int]
    reason: str


class TeamsOut(BaseModel):
    items: list[TeamOut]


class SchemeOut(BaseModel):
    said: str
    task_id: str
    status: str = Field(description="Of the plan: waiting, running, done or failed.")
    scheme_id: str | None = None
    scheme_status: str | None = None
    teams: list[str] = Field(default_factory=list)
    coverage: float | None = Field(
        default=None, description="0 to 1: how much of the need is covered."
    )
    error: dict[str, object] | None = None


def add_dispatch_tools(mcp: MCPServer, dispatch: Dispatch, desk: Desk) -> None:
    add_team_list(mcp, desk)
    add_generate(mcp, dispatch)


def add_team_list(mcp: MCPServer, desk: Desk) -> None:
    @mcp.tool(name="team_list", title="List rescue teams", annotations=reads())
    async def team_list(
        status: Annotated[
            list[TeamStatus], Field(description='Only these; ["standby"] are free.')
        ] = [],  # noqa: B006  never changed
        limit: Annotated[int, Field(ge=1, le=200)] = 50,
    ) -> Annotated[CallToolResult, TeamsOut]:
        """List teams, what each can do, and whether it is free."""

        async def work() -> TeamsOut:
            only_admins()
            found = await desk.teams(status, limit)
            return TeamsOut(
                items=[
                    TeamOut(
                        id=one.id,
                        name=one.name,
                        status=one.status,
                        capabilities=dict(one.capabilities),
                        reason=one.reason,
                    )
                    for one in found
                ]
            )

        return await answer(work())


def add_generate(mcp: MCPServer, dispatch: Dispatch) -> None:
    @mcp.tool(
        name="dispatch_generate_scheme",
        title="Plan which teams go",
        annotations=changes(destructive=True),
    )
    async def generate(
        event_id: Annotated[str, Field(description="evt_… of an event that was reported.")],
        team_ids: Annotated[list[str], Field(description="Only these teams; empty: any.")] = [],  # noqa: B006  never changed
        wait: Annotated[int, Field(ge=0, le=WAIT_MAX, description="Seconds to wait.")] = 20,
        idempotency_key: Annotated[str, Field(description="Repeats get the same plan.")] = "",
    ) -> Annotated[CallToolResult, SchemeOut]:
        """Choose the best teams for an event and send them, or propose them to a person.

        No team is ever given to two events. When the plan is not ready in time, `status` says
        so; call again with the same arguments to look. AI4003: teams are held by another event.
        """

        async def work() -> SchemeOut:
            only_admins()
            run = await dispatch.request(
                EventId(event_id),
                key=idempotency_key or None,
                team_ids=[TeamId(one) for one in team_ids],
            )
            if wait:
                run = await dispatch.settled(run.id, timedelta(seconds=wait))
            scheme = await dispatch.scheme(run.scheme_id) if run.scheme_id else None
            return shown(run, scheme)

        return await answer(work())


def shown(run: Run, scheme: Scheme | None) -> SchemeOut:
    if scheme is None:
        return SchemeOut(
            said=f"The plan is {run.status}.",
            task_id=run.id,
            status=run.status,
            error=dict(run.error) if run.error else None,
        )
    return SchemeOut(
        said=scheme.explanation,
        task_id=run.id,
        status=run.status,
        scheme_id=scheme.id,
        scheme_status=scheme.status,
        teams=list(scheme.option.team_ids),
        coverage=scheme.option.coverage,
    )
