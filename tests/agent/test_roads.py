"""Times by road: asked of strict servers, in turn, and estimated when nobody answers."""

import codecs
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from datetime import timedelta
from pathlib import Path

import pytest

from clarion.agent.choosers import GreedyChooser
from clarion.agent.graph import Planner
from clarion.agent.nodes import Nodes
from clarion.agent.roads import MatrixFile, OsrmRoads, RoadsInTurn, ValhallaRoads, read_matrix
from clarion.agent.rulebook import RuleFile
from clarion.base.errors import TimedOut, Unavailable
from clarion.dispatch.model import Place, PlanPicture, VehicleKind
from clarion.dispatch.ports import PlanRequest
from clarion.exits.http import operator_client
from tests.support.clock import START, ManualClock
from tests.support.dispatching import HERE, KM_NORTH, event, team
from tests.support.routing_double import RoutingDouble
from tests.support.server import free_port

CAR = VehicleKind.CAR


def north(km: float) -> Place:
    return Place(HERE.latitude + km * KM_NORTH, HERE.longitude)


@pytest.fixture
async def stack() -> AsyncIterator[AsyncExitStack]:
    async with AsyncExitStack() as opened:
        yield opened


async def osrm(stack: AsyncExitStack, double: RoutingDouble, clock: ManualClock) -> OsrmRoads:
    url = await stack.enter_async_context(double.serving())
    return OsrmRoads(await stack.enter_async_context(operator_client(2.0, base_url=url)), clock)


async def valhalla(
    stack: AsyncExitStack, double: RoutingDouble, clock: ManualClock
) -> ValhallaRoads:
    url = await stack.enter_async_context(double.serving())
    client = await stack.enter_async_context(operator_client(2.0, base_url=url))
    return ValhallaRoads(client, clock)


async def test_both_servers_give_seconds_with_their_name_and_the_time(
    stack: AsyncExitStack, clock: ManualClock
) -> None:
    double = RoutingDouble()
    for roads, name in (
        (await osrm(stack, double, clock), "osrm"),
        (await valhalla(stack, double, clock), "valhalla"),
    ):
        found = await roads.times(CAR, [north(1), north(5)], HERE)

        assert [one.seconds if one else None for one in found] == [60, 300]
        assert {(one.source, one.at) for one in found if one} == {(name, clock.now())}
    assert double.asked == ["osrm driving", "valhalla auto"]


async def test_on_foot_is_asked_as_such_and_boats_are_not_asked_about(
    stack: AsyncExitStack, clock: ManualClock
) -> None:
    double = RoutingDouble()
    roads = await osrm(stack, double, clock)

    await roads.times(VehicleKind.FOOT, [north(1)], HERE)
    by_water = await roads.times(VehicleKind.BOAT, [north(1)], HERE)

    assert double.asked == ["osrm foot"]
    assert list(by_water) == [None]


async def test_a_place_without_a_way_is_not_known(
    stack: AsyncExitStack, clock: ManualClock
) -> None:
    roads = await osrm(stack, RoutingDouble(seconds=lambda *_: None), clock)

    assert list(await roads.times(CAR, [north(1)], HERE)) == [None]


@pytest.mark.parametrize("fault", ["error", "nonsense", "other", "short", "deep"])
async def test_an_answer_that_cannot_be_used_is_none(
    stack: AsyncExitStack, clock: ManualClock, fault: str
) -> None:
    double = RoutingDouble(fault=fault)
    roads = await osrm(stack, double, clock)

    with pytest.raises(Unavailable):
        await roads.times(CAR, [north(1), north(2)], HERE)


async def test_the_next_is_asked_for_what_the_first_does_not_say(
    stack: AsyncExitStack, clock: ManualClock, tmp_path: Path
) -> None:
    first = RoutingDouble(fault="error")
    second = RoutingDouble(seconds=lambda lat, *_: None if lat > north(3).latitude else 77.0)
    file = MatrixFile(matrix(tmp_path, f"car,{north(5).latitude},121.47,31.23,121.47,444"))
    roads = RoadsInTurn(
        [
            ("osrm", await osrm(stack, first, clock)),
            ("valhalla", await valhalla(stack, second, clock)),
            ("matrix", file),
        ],
        clock,
    )

    found = await roads.times(CAR, [north(1), north(5), north(50)], HERE)

    assert [(one.seconds, one.source) if one else None for one in found] == [
        (77, "valhalla"),
        (444, "file"),
        None,
    ]


async def test_a_server_that_keeps_failing_is_left_alone_and_asked_again_later(
    stack: AsyncExitStack, clock: ManualClock
) -> None:
    double = RoutingDouble(fault="other")
    roads = RoadsInTurn([("osrm", await osrm(stack, double, clock))], clock)
    for _ in range(3):
        await roads.times(CAR, [north(1)], HERE)
    double.fault = ""

    refused = await roads.times(CAR, [north(1)], HERE)
    clock.advance(timedelta(seconds=31))
    [after] = await roads.times(CAR, [north(1)], HERE)

    assert list(refused) == [None]
    assert after is not None


async def test_what_was_asked_lately_is_not_asked_again(
    stack: AsyncExitStack, clock: ManualClock
) -> None:
    double = RoutingDouble()
    roads = RoadsInTurn([("osrm", await osrm(stack, double, clock))], clock)

    await roads.times(CAR, [north(1), north(2)], HERE)
    await roads.times(CAR, [north(2), north(1)], HERE)

    assert double.asked == ["osrm driving"]


async def test_nobody_there_is_unavailable(clock: ManualClock) -> None:
    async with operator_client(0.5, base_url=f"http://127.0.0.1:{free_port()}") as client:
        with pytest.raises((Unavailable, TimedOut)):
            await OsrmRoads(client, clock).times(CAR, [north(1)], HERE)


def matrix(folder: Path, *lines: str) -> Path:
    path = folder / "matrix.csv"
    head = "kind,from_latitude,from_longitude,to_latitude,to_longitude,seconds"
    path.write_text("\n".join([head, *lines]) + "\n", encoding="utf-8")
    return path


@pytest.mark.parametrize("line", ["tank,1,1,1,1,5", "car,x,1,1,1,5", "car,1,1,1,1,-5", "car,1"])
def test_a_line_that_cannot_be_used_is_named(tmp_path: Path, line: str) -> None:
    with pytest.raises(Unavailable, match="line 2"):
        read_matrix(matrix(tmp_path, line))


@pytest.mark.parametrize(
    "body",
    [
        pytest.param("seconds,note\n300,北站\n".encode("gbk"), id="another encoding"),
        pytest.param(b"seconds,note\n300," + b"x" * 200_000, id="a field without end"),
    ],
)
def test_a_file_that_cannot_be_read_is_unavailable(tmp_path: Path, body: bytes) -> None:
    path = tmp_path / "times.csv"
    path.write_bytes(body)

    with pytest.raises(Unavailable, match=r"times\.csv"):
        read_matrix(path)


def test_a_file_that_a_spreadsheet_saved_begins_with_a_mark(tmp_path: Path) -> None:
    path = matrix(tmp_path, "car,31,121,31.1,121,300")
    path.write_bytes(codecs.BOM_UTF8 + path.read_bytes())

    assert [one.seconds for one in read_matrix(path)[CAR]] == [300]


@pytest.mark.parametrize("fault", ["", "error"])
async def test_a_plan_goes_by_the_road_and_by_the_air_when_there_is_none(
    stack: AsyncExitStack, clock: ManualClock, fault: str
) -> None:
    """The nearest by air stands on the other side of the river."""

    def river(lat: float, *_: float) -> float:
        return 3000.0 if lat < north(2).latitude else 120.0

    double = RoutingDouble(seconds=river, fault=fault)
    roads = RoadsInTurn([("osrm", await osrm(stack, double, clock))], clock)
    nodes = Nodes(RuleFile(), GreedyChooser(), roads=roads).by_name()
    teams = (team("across", km=1), team("this-side", km=3))
    request = PlanRequest(picture=PlanPicture(event(), teams), owner="run", now=START)

    async def noted(*_: object) -> bool:
        return True

    proposal = await Planner(nodes, graph=False).plan(request, noted)

    [member] = proposal.best.members
    expected = ("across", "air") if fault else ("this-side", "osrm")
    assert (member.team_id, member.eta_source) == expected
