"""How commands talk to the Clarion that runs on this machine: its API, with its own token."""

from pathlib import Path
from types import TracebackType
from typing import Any

import httpx

from clarion.base.errors import ClarionError, Unavailable
from clarion.settings import Settings

TOKEN_FILE = "token"  # noqa: S105  a file's name
ADDRESS_FILE = "address"
SECONDS_MAX = 30.0
OWN_TOKEN_GONE = {
    "detail": "The token of this machine was revoked or has expired.",
    "hint": "Restart `clarion serve`: it writes a new one for the commands.",
}


class NotRunning(Unavailable):
    code = "not_running"


class ServerRefused(ClarionError):
    """What the server said no to, in its own words."""

    code = "refused"

    def __init__(self, problem: dict[str, Any]) -> None:
        super().__init__(str(problem.get("detail", "")), hint=str(problem.get("hint", "")))
        self.problem = problem


class Server:
    """`with Server(settings) as server: server.get("/reminders")`.

    Raises ServerRefused and NotRunning. `language`: what is said back is said in it; without,
    in that of the person it is about.
    """

    def __init__(
        self, settings: Settings, token: str | None = None, language: str | None = None
    ) -> None:
        self.url = address(settings)
        self._own_token = token is None
        self._client = httpx.Client(
            base_url=f"{self.url}/api/v1",
            headers={
                "Authorization": f"Bearer {token or local_token(settings.data_dir)}",
                "Accept-Language": language or "*",
            },
            timeout=SECONDS_MAX,
            trust_env=False,  # loopback needs no proxy
        )

    def __enter__(self) -> "Server":
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        self._client.close()

    def get(self, path: str, **query: Any) -> Any:
        kept = {name: value for name, value in query.items() if value is not None}
        return self._ask("GET", path, params=kept)

    def post(self, path: str, body: dict[str, Any] | None = None) -> Any:
        kept = {name: value for name, value in (body or {}).items() if value is not None}
        return self._ask("POST", path, json=kept)

    def patch(self, path: str, body: dict[str, Any]) -> Any:
        """Whatever version it is at: who is asked has just been shown it."""
        return self._ask("PATCH", path, json=body, headers={"If-Match": "*"})

    def delete(self, path: str) -> Any:
        return self._ask("DELETE", path)

    def _ask(self, method: str, path: str, **options: Any) -> Any:
        try:
            answer = self._client.request(method, path, **options)
        except httpx.TransportError:
            raise not_running(self.url) from None
        if answer.is_error:
            problem = answer.json()
            if answer.status_code == httpx.codes.UNAUTHORIZED and self._own_token:
                problem |= OWN_TOKEN_GONE
            raise ServerRefused(problem)
        return answer.json() if answer.content else None

    def user(self, named: str | None) -> str:
        """Whom a command is for: the one named, or the only one there is."""
        if named:
            return named
        known = [one["id"] for one in self.get("/users", limit=20)["items"]]
        if len(known) > 1:
            raise Unavailable(
                "There are several users: say for whom.",
                hint=f"Add --user, such as --user {known[0]}.",
            )
        return known[0] if known else str(self.post("/users", {"id": "me"})["id"])


def not_running(url: str) -> NotRunning:
    return NotRunning(
        f"No Clarion answers at {url}.", hint="Start it with `clarion serve`, then try again."
    )


def address(settings: Settings) -> str:
    """Where the server of this data directory said it is, or where the settings put it."""
    said = settings.data_dir / ADDRESS_FILE
    if said.exists():
        return said.read_text(encoding="utf-8").strip()
    host = "127.0.0.1" if settings.host in ("0.0.0.0", "::") else settings.host  # noqa: S104  asked, not bound
    return f"http://[{host}]:{settings.port}" if ":" in host else f"http://{host}:{settings.port}"


def local_token(data_dir: Path) -> str:
    path = data_dir / TOKEN_FILE
    try:
        return path.read_text(encoding="utf-8").strip()
    except FileNotFoundError:
        raise NotRunning(
            f"There is no token in {data_dir}.",
            hint="`clarion serve` makes one when it starts; or name its CLARION_DATA_DIR.",
        ) from None
    except PermissionError:
        raise NotRunning(
            f"The token in {data_dir} belongs to another user of this machine.",
            hint="Run the command as the user who runs `clarion serve`.",
        ) from None
