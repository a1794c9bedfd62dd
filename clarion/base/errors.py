"""Everything that Clarion tells a caller when it will not or cannot do what was asked.

ClarionError
├── BadInput          400   what was said cannot be used as it is
│   └── Unprocessable 422   well formed, but impossible: a time in the past, 30 February
├── Unauthorised      401   no token, or not one of ours
├── Forbidden         403   a good token that may not do this
├── NotFound          404   not there, or not yours: we do not tell which
├── Conflict          409   it is there, in a state that does not allow this
│   └── Stale         412   somebody changed it since you looked
├── TooLarge          413
├── TooMany           429   over a limit; retry_after says when to come back
├── Unavailable       503   something we need is away; retry_after says when to come back
│   └── CircuitOpen   503   it failed so often that we stopped asking for a while
└── TimedOut          504   something we need did not answer in time

Rules raise these; every door translates them in one place. Anything else that is raised is
our own defect, and callers see `internal` with a request id.
"""

from collections.abc import Mapping
from typing import Any, ClassVar


class ClarionError(Exception):
    """`code` is for programs, the sentence for people, `hint` says what to do next.

    `error_code` is the numbered name that dispatch clients know (AI4003); where a kind has
    none, doors show `code` in its place.
    """

    code: ClassVar[str] = "internal"
    status: ClassVar[int] = 500
    error_code: ClassVar[str | None] = None

    def __init__(
        self,
        message: str,
        *,
        hint: str = "",
        details: Mapping[str, Any] | None = None,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.details: dict[str, Any] = dict(details or {})
        self.in_chinese = ""
        """The same sentence in Chinese, where the one who raised it wrote it in both."""
        self.retry_after = retry_after
        """Seconds until trying again makes sense; None when it never will."""


class BadInput(ClarionError):
    code = "bad_input"
    status = 400


class Unprocessable(BadInput):
    code = "unprocessable"
    status = 422


class Unauthorised(ClarionError):
    code = "unauthorised"
    status = 401


class Forbidden(ClarionError):
    code = "forbidden"
    status = 403


class NotFound(ClarionError):
    code = "not_found"
    status = 404


class Conflict(ClarionError):
    code = "conflict"
    status = 409


class Stale(Conflict):
    code = "stale"
    status = 412


class TooLarge(ClarionError):
    code = "too_large"
    status = 413


class TooMany(ClarionError):
    code = "too_many"
    status = 429


class Unavailable(ClarionError):
    code = "unavailable"
    status = 503


class CircuitOpen(Unavailable):
    code = "circuit_open"
    error_code = "AI5002"


class TimedOut(ClarionError):
    code = "timed_out"
    status = 504
