"""Drives a session without a line: what happened goes in, actions come out."""

from typing import Any

from clarion.doors.devices.session.actions import Action, Send, Speak
from clarion.doors.devices.session.codec import Hello
from clarion.doors.devices.session.limits import SessionLimits, SessionSettings
from clarion.doors.devices.session.session import Session
from clarion.doors.devices.session.words import is_wake_word
from clarion.reminders.ports import Ring
from tests.support.devices import says_yes

MANNER = SessionSettings(SessionLimits(), is_answer=says_yes, is_wake_word=is_wake_word)


def opened(*waiting: Ring, hello: Hello | None = None, now: float = 0.0) -> Session:
    session = Session(MANNER, now)
    session.heard(hello or Hello(), now)
    session.take(waiting, now)
    return session


def speak_out(session: Session, now: float) -> list[Action]:
    assert session.speaking is not None
    session.begun(session.speaking, now)
    return session.spoken(session.speaking, now)


def sent(actions: list[Action]) -> list[str]:
    """The types, and states where there are some, of what goes to the device."""

    def name(message: dict[str, Any]) -> str:
        return f"{message['type']} {message.get('state', '')}".strip()

    return [name(action.message) for action in actions if isinstance(action, Send)]


def spoken_texts(actions: list[Action]) -> list[str]:
    return [action.utterance.text for action in actions if isinstance(action, Speak)]
