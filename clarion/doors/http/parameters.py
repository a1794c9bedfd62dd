"""What a route does not know is refused: a parameter of another name, a body that is null."""

from collections.abc import Iterator
from functools import lru_cache
from urllib.parse import parse_qsl

from fastapi.dependencies.models import Dependant
from starlette.requests import HTTPConnection, Request

from clarion.base.errors import BadInput, Unprocessable


class UnknownParameter(Unprocessable):
    code = "unknown_parameter"

    def __init__(self, unknown: list[str], known: frozenset[str]) -> None:
        takes = f"It takes {', '.join(sorted(known))}." if known else "It takes none."
        super().__init__(f"There is no parameter {', '.join(unknown)} here.", hint=takes)


async def known_parameters(connection: HTTPConnection) -> None:
    """A dependency of every route of the API. Costs nothing where nothing was asked for."""
    route = connection.scope["route"]
    if getattr(route, "body_field", None) and isinstance(connection, Request):
        await _check_body(connection)
    query = connection.scope.get("query_string", b"")
    if not query:
        return
    known = _known(route.dependant)
    given = {name for name, _ in parse_qsl(query.decode("latin-1"), keep_blank_values=True)}
    if not given <= known:
        raise UnknownParameter(sorted(given - known), known)


async def _check_body(request: Request) -> None:
    """FastAPI takes `null` for a body that was left out, which the document does not offer."""
    if (await request.body()).strip() == b"null":
        raise BadInput("The body is null.", hint="Send an object, or leave the body out.")


class _ById:
    """A dependant as a key: it is the route's own, and lives as long as the route."""

    def __init__(self, dependant: Dependant) -> None:
        self.dependant = dependant

    def __hash__(self) -> int:
        return id(self.dependant)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _ById) and other.dependant is self.dependant


def _known(dependant: Dependant) -> frozenset[str]:
    return _names(_ById(dependant))


@lru_cache(maxsize=512)
def _names(key: _ById) -> frozenset[str]:
    return frozenset(_in(key.dependant))


def _in(dependant: Dependant) -> Iterator[str]:
    yield from (field.alias for field in dependant.query_params)
    for inner in dependant.dependencies:
        yield from _in(inner)
