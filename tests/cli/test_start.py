"""Starting and stopping as a user does, and the sentences for what goes wrong."""

import sqlite3
import subprocess
import sys
from pathlib import Path

import httpx

from clarion.doors.http.server import listen_on
from tests.support.program import clarion, served


def refused(done: "subprocess.CompletedProcess[str]") -> str:
    """The sentence of a refusal, which has exit code 2 and no traceback."""
    assert done.returncode == 2, done.stderr
    assert "Traceback" not in done.stderr
    return done.stderr


def test_it_starts_with_no_configuration_and_stops_on_ctrl_c(tmp_path: Path) -> None:
    with served(tmp_path / "data") as server:
        ready = httpx.get(f"{server.url}/health/ready")
        code = server.interrupt()

    assert ready.json()["status"] == "ready"
    assert code == 0
    assert (tmp_path / "data" / "clarion.db").exists()


def test_it_starts_again_after_a_kill(tmp_path: Path) -> None:
    with served(tmp_path / "data") as server:
        server.kill()

    with served(tmp_path / "data") as server:
        assert httpx.get(f"{server.url}/health/ready").status_code == 200


def test_the_data_directory_is_readable_by_its_owner_alone(tmp_path: Path) -> None:
    clarion("migrate", data_dir=tmp_path / "data")

    assert (tmp_path / "data").stat().st_mode & 0o077 == 0


def test_a_bad_setting_is_refused(tmp_path: Path) -> None:
    said = refused(clarion("serve", data_dir=tmp_path / "data", prot="1"))

    assert "There is no setting CLARION_PROT." in said
    assert "Did you mean CLARION_PORT?" in said


def test_a_taken_port_is_refused(tmp_path: Path) -> None:
    with listen_on("127.0.0.1", 0) as taken:
        taken.listen()
        port = taken.getsockname()[1]
        said = refused(clarion("serve", data_dir=tmp_path / "data", port=str(port)))

    assert f"Port {port} on 127.0.0.1 is taken by another program." in said


def test_a_database_of_a_later_version_is_refused(tmp_path: Path) -> None:
    clarion("migrate", data_dir=tmp_path / "data")
    with sqlite3.connect(tmp_path / "data" / "clarion.db") as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    connection.close()

    said = refused(clarion("serve", data_dir=tmp_path / "data"))

    assert "later version of Clarion" in said


def test_a_data_directory_that_is_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("not a directory", encoding="utf-8")

    said = refused(clarion("serve", data_dir=tmp_path / "data"))

    assert "The data directory" in said
    assert "cannot be used" in said


def test_a_database_file_that_is_no_database_is_refused(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "clarion.db").write_text("no database " * 200, encoding="utf-8")

    said = refused(clarion("serve", data_dir=tmp_path / "data"))

    assert "not a database" in said


def test_an_unknown_database_is_refused(tmp_path: Path) -> None:
    said = refused(clarion("serve", data_dir=tmp_path / "data", database_url="oracle://x"))

    assert "'oracle'" in said


def test_a_shared_database_is_prepared_only_on_request(tmp_path: Path, postgres_url: str) -> None:
    data = tmp_path / "data"
    said = refused(clarion("serve", data_dir=data, database_url=postgres_url))

    prepared = clarion("migrate", data_dir=data, database_url=postgres_url)

    assert "clarion migrate" in said
    assert prepared.returncode == 0
    with served(data, database_url=postgres_url) as server:
        assert httpx.get(f"{server.url}/health/ready").status_code == 200


def test_migrating_twice_changes_nothing(tmp_path: Path) -> None:
    clarion("migrate", data_dir=tmp_path / "data")

    assert "as it was" in clarion("migrate", data_dir=tmp_path / "data").stdout


def test_check_shows_what_is_in_force_and_keeps_secrets(tmp_path: Path) -> None:
    done = clarion(
        "check", data_dir=tmp_path / "data", database_url="postgresql://me:s3cret@127.0.0.1:1/x"
    )

    assert "s3cret" not in done.stdout + done.stderr
    assert "* CLARION_DATABASE_URL" in done.stdout
    assert done.returncode == 2


def test_check_says_that_all_is_well(tmp_path: Path) -> None:
    done = clarion("check", data_dir=tmp_path / "data")

    assert done.returncode == 0
    assert "ok    database" in done.stdout


def test_a_start_does_not_import_what_it_does_not_use() -> None:
    heavy = {"langgraph", "ortools", "telegram", "openai", "alembic", "av", "apprise", "bullmq"}
    done = subprocess.run(
        [sys.executable, "-c", "import sys, clarion.cli.serve; print(*sys.modules)"],
        capture_output=True,
        text=True,
        check=True,
    )

    assert not heavy & set(done.stdout.split())
