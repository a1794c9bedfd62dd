"""The reminder's words: chosen from templates, or written by an LLM and checked."""

from clarion.language.phrasing.words import (
    check_back,
    follow_up,
    is_askable,
    is_sayable,
    phrase,
    tone,
)

__all__ = ["check_back", "follow_up", "is_askable", "is_sayable", "phrase", "tone"]
