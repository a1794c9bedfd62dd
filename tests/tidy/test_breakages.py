"""The style is a test: each of these, broken on purpose, is caught by what `make check` runs."""

import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from clarion.base.config import setting
from clarion.settings import Settings, settings_page
from tests.support import tidy

ROOT = Path(__file__).parent.parent.parent
BIN = Path(sys.executable).parent


def run(*command: str, cwd: Path) -> tuple[int, str]:
    done = subprocess.run(
        [str(BIN / command[0]), *command[1:]],
        cwd=cwd,
        env={"PYTHONPATH": str(cwd), "PATH": str(BIN), "HOME": str(cwd)},
        capture_output=True,
        text=True,
        timeout=60,
    )
    return done.returncode, done.stdout + done.stderr


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the code, in which a test may add a file if it takes it away again."""
    tree = tmp_path_factory.mktemp("tree")
    only_code = shutil.ignore_patterns("__pycache__", "console")
    shutil.copytree(ROOT / "clarion", tree / "clarion", ignore=only_code)
    shutil.copy(ROOT / "pyproject.toml", tree)
    return tree


@pytest.mark.timeout(120)  # it reads every import of the project
@pytest.mark.parametrize(
    ("place", "line", "contract"),
    [
        pytest.param(
            "reminders/broken.py",
            "from clarion.store.sql import database",
            "Each row imports only from the rows below it",
            id="a rule importing the store",
        ),
        pytest.param(
            "reminders/broken.py",
            "import clarion.dispatch",
            "Each row imports only from the rows below it",
            id="one feature importing another",
        ),
        pytest.param(
            "doors/broken.py",
            "import clarion.doors.http",
            "No door knows another door",
            id="one door importing another",
        ),
        pytest.param(
            "doors/http/broken.py",
            "import clarion.settings",
            "Each row imports only from the rows below it",
            id="a door reading settings",
        ),
        pytest.param(
            "helpers.py",
            "",
            "Each row imports only from the rows below it",
            id="a top-level module nobody placed",
        ),
        pytest.param(
            "reminders/broken.py",
            "import sqlite3",
            "Rules and tools do no I/O",
            id="a rule opening a database",
        ),
    ],
)
def test_an_import_that_points_the_wrong_way_is_caught(
    tree: Path, place: str, line: str, contract: str
) -> None:
    broken = tree / "clarion" / place
    broken.write_text(f'"""Broken on purpose."""\n\n{line}\n', encoding="utf-8")

    code, said = run("lint-imports", "--no-cache", cwd=tree)

    broken.unlink()
    assert code == 1
    assert re.search(f"{contract}.* BROKEN", said)


@pytest.mark.timeout(120)
def test_values_importing_verbs_are_caught(tmp_path: Path, tree: Path) -> None:
    copy = shutil.copytree(tree, tmp_path / "tree")
    feature = copy / "clarion" / "reminders"
    (feature / "service.py").write_text('"""Verbs."""\n', encoding="utf-8")
    (feature / "model.py").write_text(
        '"""Values."""\n\nimport clarion.reminders.service\n', encoding="utf-8"
    )

    code, said = run("lint-imports", "--no-cache", cwd=copy)

    assert code == 1
    assert re.search("Inside a feature.* BROKEN", said)


@pytest.mark.timeout(120)
def test_the_copy_itself_is_sound(tree: Path) -> None:
    assert run("lint-imports", "--no-cache", cwd=tree)[0] == 0


@pytest.mark.parametrize(
    ("name", "source"),
    [
        pytest.param(
            "clarion/x.py",
            "from datetime import UTC, datetime\nat = datetime.now(UTC)\n",
            id="system time outside the clock",
        ),
        pytest.param("clarion/x.py", "import time\nat = time.time()\n", id="seconds of the system"),
        pytest.param(
            "tests/test_x.py",
            "import asyncio\nasync def test_x():\n    await asyncio.sleep(1)\n",
            id="a sleep in a test",
        ),
        pytest.param(
            "tests/test_x.py", "import time\ntime.sleep(1)\n", id="a blocking sleep in a test"
        ),
        pytest.param("tests/test_x.py", "from unittest import mock\n", id="a mock in a test"),
        pytest.param(
            "tests/test_x.py", "from unittest.mock import Mock\n", id="a mock class in a test"
        ),
        pytest.param("tests/test_x.py", "import pytest\npytest.skip('no')\n", id="a silent skip"),
        pytest.param(
            "clarion/x.py", "def f():\n    while True:\n        pass\n", id="an endless loop"
        ),
    ],
)
def test_a_bad_habit_is_caught(name: str, source: str) -> None:
    assert tidy.habits(name, source)


@pytest.mark.parametrize(
    "source",
    [
        pytest.param("from datetime import UTC, datetime\ndatetime.now(UTC)\n", id="system time"),
        pytest.param("import asyncio\nasyncio.sleep(1)\n", id="sleep"),
        pytest.param("from unittest.mock import Mock\nMock()\n", id="mock"),
    ],
)
def test_linting_points_to_what_to_use_instead(tree: Path, source: str) -> None:
    (tree / "snippet.py").write_text(source, encoding="utf-8")

    code, said = run("ruff", "check", "--no-cache", "--select", "TID251", "snippet.py", cwd=tree)

    assert code == 1
    assert "TID251" in said


@pytest.mark.parametrize(
    ("name", "source"),
    [
        pytest.param("clarion/x.py", '"""X."""\n' + "x = 1\n" * 600, id="a module of 601 lines"),
        pytest.param(
            "clarion/x.py",
            '"""X."""\ndef f():\n' + "    x = 1\n" * 50,
            id="a function of 51 lines",
        ),
        pytest.param("clarion/x.py", "x = 1\n", id="a module that does not say what it is for"),
    ],
)
def test_a_bad_shape_is_caught(name: str, source: str) -> None:
    assert tidy.shape(name, source)


@pytest.mark.timeout(120)  # mypy reads the standard library first
def test_a_decision_nobody_handles_is_caught(tree: Path, tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_bytes((tree / "pyproject.toml").read_bytes())
    (tmp_path / "decide.py").write_text(
        "from dataclasses import dataclass\n\n\n"
        "@dataclass\nclass Wait: ...\n\n\n@dataclass\nclass Tell: ...\n\n\n"
        "def carry_out(decision: Wait | Tell) -> None:\n"
        "    match decision:\n        case Wait():\n            return\n",
        encoding="utf-8",
    )

    code, said = run("mypy", "decide.py", cwd=tmp_path)

    assert code == 1
    assert "exhaustive-match" in said


def test_an_undocumented_setting_is_caught() -> None:
    @dataclass(frozen=True, kw_only=True)
    class Grown(Settings):
        forgotten: int = setting(1, "Not on the page.")

    assert settings_page(Grown) != (ROOT / "docs/settings.md").read_text(encoding="utf-8")


def test_a_map_that_names_what_is_gone_is_caught() -> None:
    text = "See `clarion/base/clock.py` and `clarion/base/sundial.py`."

    assert tidy.strayed_names(text, ROOT) == ["clarion/base/sundial.py"]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("see /{}/main/x", id="a path of one machine"),
        pytest.param("--index-{} https://mirror.example/simple", id="an index"),
        pytest.param("https://files.{}.org/packages/x", id="a registry"),
    ],
)
def test_a_private_word_is_caught(text: str) -> None:
    filled = [text.format(word) for word in ("work", "url", "pythonhosted")]

    assert any(tidy.private_words(one) for one in filled)


def test_a_chain_of_seventeen_imports_is_caught(tmp_path: Path) -> None:
    folder = tmp_path / "clarion"
    folder.mkdir()
    for link in range(17):
        below = f"from clarion.m{link + 1} import x\n" if link < 16 else "x = 1\n"
        (folder / f"m{link}.py").write_text(below, encoding="utf-8")

    (found,) = tidy.long_chains(tmp_path)

    assert found.startswith("a chain of 17 imports: fold two of these files")


def test_a_class_name_used_twice_is_caught() -> None:
    (found,) = tidy.names_used_twice(
        {"clarion/a.py": "class Lane: ...", "clarion/b.py": "class Lane: ..."}
    )

    assert found == "Lane is a class in clarion/a.py and in clarion/b.py: say which one in its name"


def test_a_crowded_folder_is_caught() -> None:
    assert tidy.crowded_folders(f"clarion/x/{n}.py" for n in range(30))


def test_a_promise_without_its_test_is_caught(tmp_path: Path) -> None:
    rows = "| a | b <!-- proof: tests/gone.py::test_x --> |\n| c | d |\n\n"
    table = "| promise | how |\n| --- | --- |\n" + rows

    assert tidy.unproved_promises(table, tmp_path) == [
        "a promise without a test: | c | d |",
        "tests/gone.py::test_x proves a promise and is gone",
    ]


def test_a_document_that_opens_with_a_promise_without_a_test_is_caught(tmp_path: Path) -> None:
    gone = "<!-- proof: tests/gone.py::test_x -->"
    pages = {"docs/a.md": f"# A\n\nNothing is lost.\n\n## Later\n\n{gone}\n"}

    found = tidy.unproved_openings(pages, tmp_path)

    assert [line.partition(":")[0] for line in found] == ["docs/a.md", "tests/gone.py"]
