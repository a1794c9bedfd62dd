"""The rules file: read when it has changed; a bad one leaves the last good rules in force."""

import logging
import threading
from pathlib import Path

import yaml

from clarion.dispatch.errors import RuleLoadFailed
from clarion.dispatch.plan.rules import Rules, read

log = logging.getLogger(__name__)

DEFAULT = Path(__file__).parent.parent / "dispatch" / "rules.yaml"
BYTES_MAX = 1_000_000  # a rules file is some kilobytes; anything else is a mistake


class RuleFile:
    def __init__(self, path: Path = DEFAULT) -> None:
        self._path = path
        self._seen: tuple[int, int, int] | None = None
        self._rules: Rules | None = None
        self._failure: RuleLoadFailed | None = None
        self._loading = threading.Lock()

    def rules(self) -> Rules:
        """Checks the file's date and size each time, which takes microseconds."""
        with self._loading:  # plans run in parallel: none may see half-loaded rules
            stamp = self._stamp()
            if stamp is None or stamp != self._seen:
                self._load()
                self._seen = stamp
        if self._rules is None:
            raise self._failure or RuleLoadFailed(str(self._path))
        return self._rules

    def check(self) -> None:
        """Raise RuleLoadFailed when the present file could not be loaded."""
        self.rules()
        if self._failure is not None:
            raise self._failure

    def _stamp(self) -> tuple[int, int, int] | None:
        try:
            found = self._path.stat()
        except OSError:
            return None
        return found.st_mtime_ns, found.st_size, found.st_ino

    def _load(self) -> None:
        try:
            self._rules = read(self._parsed())
        except RuleLoadFailed as error:
            self._failure = error
            kept = "the last good rules stay" if self._rules else "there are none"
            log.warning("rules not loaded, %s: %s", kept, error, extra=error.details)
        else:
            self._failure = None
            log.info("rules loaded", extra={"types": len(self._rules.types)})

    def _parsed(self) -> object:
        try:
            if self._path.stat().st_size > BYTES_MAX:
                raise RuleLoadFailed(f"{self._path.name}: too large")
            return yaml.safe_load(self._path.read_text(encoding="utf-8"))
        except OSError as error:
            raise RuleLoadFailed(f"{self._path.name}: {error.strerror}") from None
        except (yaml.YAMLError, UnicodeDecodeError, RecursionError) as error:
            first_line = str(error).splitlines()[0] if str(error) else type(error).__name__
            raise RuleLoadFailed(f"{self._path.name}: {first_line}") from None
