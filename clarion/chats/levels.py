"""Priorities as people write them: `vip`, `critical`, `50`."""

from clarion.tasks.model import Level

WORDS = {
    "critical": Level.CRITICAL,
    "high": Level.HIGH,
    "vip": Level.HIGH,
    "normal": Level.NORMAL,
    "bulk": Level.BULK,
    "紧急": Level.CRITICAL,
    "高": Level.HIGH,
    "普通": Level.NORMAL,
    "低": Level.BULK,
}
LEAST, MOST = int(Level.BULK), int(Level.CRITICAL)
CHOICES = "critical/100, high/vip/50, normal/10, bulk/0, 0–100"


def read_level(word: str) -> int | None:
    """The priority that was meant; None when it is none."""
    word = word.strip().casefold()
    if word in WORDS:
        return int(WORDS[word])
    # isdecimal alone would let ٣ and ３ through as well, and int() reads them: that is fine.
    if word.isdecimal() and len(word) <= 3 and LEAST <= int(word) <= MOST:
        return int(word)
    return None


def say_level(priority: int) -> str:
    """`High (50)`; between two names the lower one: `High (73)`."""
    name = max(level for level in Level if level <= priority).name.capitalize()
    return f"{name} ({priority})"
