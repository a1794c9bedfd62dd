"""A body means what it says: nothing is turned into something else on the way in."""

from typing import Any

import pytest
from pydantic import ValidationError

from clarion.doors.http.conventions import Patch, Shape


class Body(Shape):
    count: int = 1
    share: float | None = None
    enabled: bool = True
    maybe: bool | None = None
    name: str | int = ""


@pytest.mark.parametrize(
    "body",
    [
        {"count": True},
        {"count": "5"},
        {"share": "0.5"},
        {"share": False},
        {"enabled": 0},
        {"enabled": "yes"},
        {"maybe": 1},
        {"typo": 1},
    ],
    ids=str,
)
def test_a_slip_is_refused(body: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        Body.model_validate(body)


def test_what_is_right_goes_in_as_it_is() -> None:
    body = {"count": 5, "share": 1, "enabled": False, "maybe": None, "name": "5"}

    assert Body.model_validate(body).model_dump() == body


def test_a_patch_shows_no_values_that_nobody_sent() -> None:
    class Change(Patch):
        content: str = "-"

    assert "default" not in Change.model_json_schema()["properties"]["content"]
