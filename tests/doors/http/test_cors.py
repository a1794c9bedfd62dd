"""Pages of other sites call us only where the operator says so, and never with a cookie."""

from pathlib import Path

from tests.support.clock import ManualClock
from tests.support.doors import Doors, open_doors

GUEST = "https://inspector.example"
ME = "/api/v1/me"


async def test_a_guests_page_calls_with_a_token_and_with_nothing_else(
    tmp_path: Path, clock: ManualClock
) -> None:
    origin = {"Origin": GUEST}
    asks = {**origin, "Access-Control-Request-Method": "POST"}
    asks |= {"Access-Control-Request-Headers": "authorization, content-type"}
    async with open_doors(tmp_path, clock, cors_origins=(GUEST,)) as doors:
        cookie = {"clarion_session": doors.tokens["ana"]}
        async with doors.client("ana") as ana, doors.client(cookies=cookie) as by_cookie:
            before = await ana.options("/mcp", headers=asks)
            answer = await ana.get(ME, headers=origin)
            without = await by_cookie.get(ME, headers=origin)
            own = await by_cookie.get(ME)
            foreign = await ana.get(ME, headers={"Origin": "https://evil.example"})

    assert (before.status_code, answer.status_code) == (200, 200)
    assert before.headers["access-control-allow-origin"] == GUEST
    assert "authorization" in before.headers["access-control-allow-headers"].lower()
    assert answer.headers["access-control-allow-origin"] == GUEST
    assert "access-control-allow-credentials" not in answer.headers
    assert "WWW-Authenticate" in answer.headers["access-control-expose-headers"]
    assert (without.status_code, own.status_code) == (401, 200)
    assert foreign.status_code == 403
    assert "access-control-allow-origin" not in foreign.headers


async def test_without_the_setting_there_are_no_guests(tmp_path: Path, clock: ManualClock) -> None:
    async with open_doors(tmp_path, clock) as doors:
        answer = await asked(doors)

    assert answer == (403, None)


async def asked(doors: Doors) -> tuple[int, str | None]:
    async with doors.client("ana") as ana:
        answer = await ana.get(ME, headers={"Origin": GUEST})
    return answer.status_code, answer.headers.get("access-control-allow-origin")
