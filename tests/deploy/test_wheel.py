"""The wheel as a stranger gets it: built from the sources, installed beside nothing of ours."""

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import clarion

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)],
        cwd=ROOT,
        check=True,
        capture_output=True,
    )
    return next(folder.glob("*.whl"))


def test_the_wheel_has_all_that_is_not_code(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())

    assert wheel.name.startswith(f"clarion-{clarion.__version__}-")
    assert {"clarion/py.typed", "clarion/console/index.html"} <= names
    assert any(name.startswith("clarion/store/sql/migrations/versions/0001") for name in names)


def test_the_wheel_starts_in_an_environment_of_its_own(wheel: Path, tmp_path: Path) -> None:
    home = tmp_path / "environment"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", home], check=True)
    site = next((home / "lib").glob("python*/site-packages"))
    zipfile.ZipFile(wheel).extractall(site)
    ours = next(path for path in sys.path if path.endswith("site-packages"))
    packages = [path for path in Path(ours).iterdir() if "clarion" not in path.name]
    for path in packages:  # what the wheel asks for, without the editable one of ours
        (site / path.name).symlink_to(path)

    done = subprocess.run(
        [home / "bin" / "python", "-P", "-m", "clarion", "migrate"],
        cwd=tmp_path,
        env={"CLARION_DATA_DIR": str(tmp_path / "data"), "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0, done.stderr
    assert (tmp_path / "data" / "clarion.db").exists()
