"""Whether something is a medicine that is taken, and not one that is fetched. Pure."""

import re

_MEDICINE = re.compile(
    r"药(?!店|房|店|厂|箱|材|费|单)|胶囊|胰岛素|降[压糖脂]|吃.{0,4}片|雾化|点眼|滴眼|喷雾|输液|打针|"
    r"\b(?:pills?|tablets?|meds?|medicines?|medications?|insulin|inhaler|antibiotics?|capsules?|"
    r"eye ?drops|injection|dose|aspirin|metformin|warfarin|statin|vitamins?)\b",
    re.IGNORECASE,
)
_FETCHED = re.compile(
    r"(?:买|拿|取|领|配|开|寄|收|带|问).{0,4}药|\b(?:buy|collect|pick up|order|refill|get)\b",
    re.IGNORECASE,
)


def is_taken(content: str) -> bool:
    return _MEDICINE.search(content) is not None and _FETCHED.search(content) is None
