"""Which yes a task needs: that it was heard, or that it is done. Pure.

`done` is needed when the sentence says so (确认一下我吃了, until I say done), and for medicines.
"""

import re

HEARD, DONE = "heard", "done"
MEDICINE = re.compile(
    r"药(?!店|房|店|厂|箱|材|费|单)|胶囊|胰岛素|降[压糖脂]|吃.{0,4}片|雾化|点眼|滴眼|喷雾|输液|打针|"
    r"\b(?:pills?|tablets?|meds?|medicines?|medications?|insulin|inhaler|antibiotics?|capsules?|"
    r"eye ?drops|injection|dose|aspirin|metformin|warfarin|statin|vitamins?)\b",
    re.IGNORECASE,
)
FETCHED = re.compile(
    r"(?:买|拿|取|领|配|开|寄|收|带|问).{0,4}药|\b(?:buy|collect|pick up|order|refill|get)\b",
    re.IGNORECASE,
)
SAYS_DONE = re.compile(
    r"(?:确认|问|看|确保|保证|直到|等|跟我说|告诉你|盯)(?:一下|着|下|到)?(?:我|她|他)?(?:是不是|有没有)?[^，,。]{0,6}"
    r"(?:了没|了吗|没[有吃做]|吃了|做了|做完|完成|办完|喝了|吃完|吃下)|"
    r"\b(?:until|till|unless) i(?:'ve| have)?(?: actually| really)? (?:say |tell you )?"
    r"(?:it'?s |i'?m |that it'?s )?(?:done|finished|taken|did|do|took|have taken|have done)\b|"
    r"\bmake sure (?:that )?i(?:'ve| have)?(?: actually| really)? "
    r"(?:did|do|done|take|took|taken|have)\b|"
    r"\bcheck (?:that |whether |if )i(?:'ve| have)? ",
    re.IGNORECASE,
)


def needs_of(content: str, said: str = "") -> str:
    """`done` or `heard`, for a task and the sentence in which it was asked for."""
    if SAYS_DONE.search(said):
        return DONE
    return DONE if MEDICINE.search(content) and not FETCHED.search(content) else HEARD
