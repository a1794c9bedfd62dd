"""A Home Assistant that runs an automation when a button of its telephone app is pressed.

The app hands the pressed `action` to Home Assistant, which fires it as the event
`mobile_app_notification_action`. Of automations this one knows what ours uses, and refuses
everything else. Its templates are those that read the same in Jinja and in Python.
"""

import re
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import httpx
import yaml

TEMPLATE = re.compile(r"\{\{(.*?)\}\}")
PRESSED = {"platform": "event", "event_type": "mobile_app_notification_action"}
AUTOMATION = {"alias", "mode", "max", "trigger", "condition", "action"}
COMMAND = {"url", "method", "content_type", "payload"}
CALL = {"service", "data", "response_variable", "continue_on_error"}
ORIGIN = "https://clarion.example"


def only(given: dict[str, Any], known: set[str]) -> dict[str, Any]:
    """Home Assistant refuses a configuration with a key that it does not know."""
    assert set(given) == known, set(given) ^ known
    return given


def rendered(template: str, names: dict[str, Any]) -> Any:
    """A template that is one expression keeps its type, as in Home Assistant."""

    def value(found: re.Match[str]) -> Any:
        return eval(found[1].strip(), {"__builtins__": {}}, names)  # noqa: S307  # our documents'

    whole = TEMPLATE.fullmatch(template)
    return value(whole) if whole else TEMPLATE.sub(lambda one: str(value(one)), template)


@dataclass
class Run:
    """One run of the automation: what it has heard, and how often it has tried."""

    names: dict[str, Any]
    tries: int = 0


@dataclass
class HomeAssistant:
    """`clarion` is where the address of the documents leads; without a server nobody answers."""

    configuration: str
    clarion: str
    running: list[Run] = field(default_factory=list)
    heard: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        whole = only(yaml.safe_load(self.configuration), {"rest_command", "automation"})
        [[name, command]] = whole["rest_command"].items()
        [automation] = whole["automation"]
        self._command = only(command, COMMAND)
        only(automation, AUTOMATION)
        assert automation["trigger"] == PRESSED
        assert automation["mode"] == "parallel", "a second press would be dropped meanwhile"
        self._condition = automation["condition"]
        variables, repeat = automation["action"]
        self._variables = only(variables, {"variables"})["variables"]
        self._repeat = only(only(repeat, {"repeat"})["repeat"], {"sequence", "until"})
        delay, call = self._repeat["sequence"]
        self._delay = only(delay, {"delay"})["delay"]
        self._call = only(call, CALL)
        assert call["service"] == f"rest_command.{name}"
        assert call["continue_on_error"], "the first refusal would end it"

    async def pressed(self, action: str) -> None:
        """The app's button: the automation tries at once."""
        event = SimpleNamespace(data=SimpleNamespace(action=action))
        names: dict[str, Any] = {"trigger": SimpleNamespace(event=event)}
        if not rendered(self._condition, names):
            return
        for name, value in self._variables.items():
            names[name] = SimpleNamespace(**value)
        run = Run(names)
        self.running.append(run)
        await self._once(run, waits=0)

    async def minute(self) -> None:
        """A minute goes by: what is still running tries again."""
        for run in list(self.running):
            await self._once(run, waits=60)

    async def _once(self, run: Run, *, waits: int) -> None:
        run.tries += 1
        run.names["repeat"] = SimpleNamespace(first=run.tries == 1, index=run.tries)
        assert rendered(self._delay, run.names) == waits
        given = {name: rendered(one, run.names) for name, one in self._call["data"].items()}
        try:
            status = await self._post(given)
        except httpx.TransportError:
            pass  # an error goes on with the next step, and the variable is what it was
        else:
            self.heard.append(status)
            run.names[self._call["response_variable"]] = SimpleNamespace(status=status)
        if rendered(self._repeat["until"], run.names):
            self.running.remove(run)

    async def _post(self, given: dict[str, Any]) -> int:
        url = rendered(self._command["url"], given)
        assert url.startswith(ORIGIN), url
        async with httpx.AsyncClient() as web:
            answer = await web.request(
                self._command["method"].upper(),
                url.replace(ORIGIN, self.clarion),
                content=rendered(self._command["payload"], given),
                headers={"Content-Type": self._command["content_type"]},
            )
        return answer.status_code
