"""Whether the words that open a session can be an answer. Pure."""

from clarion.language import answer
from clarion.reminders.ports import Ring


def is_answer(text: str, ring: Ring) -> bool:
    """Clearly yes or no to this ring, though this session has not told it yet.

    你好小智      no: a wake word
    我吃过了      yes: they heard it in the session before
    """
    return answer.read(text, ring.content).label is not answer.Label.UNCLEAR
