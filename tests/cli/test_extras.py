"""What is not installed is named in a sentence, with the way to install it."""

import os
import subprocess
import sys
from pathlib import Path

WITHOUT = """
import sys
sys.modules["telegram"] = None
sys.argv = ["clarion", "serve"]
from clarion.cli import main
main()
"""


def test_a_missing_package_is_named(tmp_path: Path) -> None:
    settings = {"CLARION_PORT": "0", "CLARION_TELEGRAM_TOKEN": "1:abc"}
    ended = subprocess.run(
        [sys.executable, "-c", WITHOUT],
        cwd=tmp_path,
        env={"PATH": os.environ["PATH"], "PYTHONPATH": str(Path(__file__).parents[2]), **settings},
        capture_output=True,
        text=True,
        check=False,
    )

    assert ended.returncode == 2
    assert "pip install 'clarion[telegram]'" in ended.stderr
    assert "Traceback" not in ended.stderr
