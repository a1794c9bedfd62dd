"""The API keeps to its own description: schemathesis asks thousands of odd questions.

No answer may be a 5xx, of an undocumented status, type or shape; every route wants its token;
every wrong request is refused and every right one is not.
"""

import asyncio
import os
import sys
from pathlib import Path

import pytest

from clarion.base.clock import SystemClock
from tests.support.doors import open_doors

SEED = "8"
EXAMPLES = "1"  # besides every case of its coverage phase: a fixed number, whatever the machine
REFUSALS_OF_RIGHT_REQUESTS = """\
[checks.positive_data_acceptance]
# What is well formed may still be too late, taken, gone, or without If-Match.
expected-statuses = [200, 201, 202, 204, 304, 400, 401, 403, 404, 409, 412, 422, 428]

[checks.negative_data_rejection]
# A stale If-Match is refused before the body is looked at.
expected-statuses = [400, 401, 403, 404, 405, 406, 409, 412, 413, 415, 422, 428, 429]
"""


@pytest.mark.timeout(600)
@pytest.mark.parametrize(
    "paths", [pytest.param("^/api/v1/", id="the API"), pytest.param("^/ai/", id="dispatch")]
)
async def test_no_question_surprises_the_server(tmp_path: Path, paths: str) -> None:
    (tmp_path / "schemathesis.toml").write_text(REFUSALS_OF_RIGHT_REQUESTS)
    document = tmp_path / "openapi.json"
    clock = SystemClock()
    async with open_doors(tmp_path, clock, requests_per_second=0, failed_tries=0) as doors:
        async with doors.client() as nobody:  # it takes a while to be made, and they would give up
            document.write_bytes((await nobody.get("/api/openapi.json")).content)
        asking = await asyncio.create_subprocess_exec(
            *(str(Path(sys.executable).with_name("schemathesis")), "run"),
            str(document),
            *("--url", doors.url, "--header", f"Authorization: Bearer {doors.tokens['admin']}"),
            *("--checks", "all", "--phases", "examples,coverage,fuzzing,stateful"),
            *("--include-path-regex", paths, "--exclude-path", "/api/v1/events"),
            *("--seed", SEED, "--max-examples", EXAMPLES),
            *("--warnings", "off", "--no-color", "--suppress-health-check", "all"),
            cwd=tmp_path,
            env={"PATH": os.environ["PATH"], "HOME": str(tmp_path)},
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )
        said, _ = await asking.communicate()

    assert asking.returncode == 0, said.decode()[-8000:]
