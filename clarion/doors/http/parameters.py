"""Query parameters that a route does not know are refused: a typo is seen, not lost."""

from collections.abc import Iterator
from functools import lru_cache
from urllib.parse import parse_qsl

from fastapi.dependencies.models import Dependant
from starlette.requests import HTTPConnection

from clarion.base.errors import Unprocessable


class UnknownParameter(Unprocessable):
    code = "unknown_parameter"

    def __init__(self, unknown: list[str], known: frozenset[str]) -> None:
        takes = f"It takes {', '.join(sorted(known))}." if known else "It takes none."
        super().__init__(f"There is no parameter {', '.join(unknown)} here.", hint=takes)


async def known_parameters(connection: HTTPConnection) -> None:
    """A dependency of every route of the API. Costs nothing where nothing was asked for."""
    query = connection.scope.get("query_string", b"")
    if not query:
        return
    known = _known(connection.scope["route"].dependant)
    given = {name for name, _ in parse_qsl(query.decode("latin-1"), keep_blank_values=True)}
    if not given <= known:
        raise UnknownParameter(sorted(given - known), known)


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
