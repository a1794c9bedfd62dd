"""Whether a request wishes for a confirmation or refuses it: by sure words, else as learned."""

import re

from clarion.language.parts.tagger import CONFIRM, CONTENT, NO_CONFIRM, Part
from clarion.language.when.model import Span

# Nobody who says one of these may go unheard, whatever else the sentence has.
SURE_CONFIRM = re.compile(
    r"(?<![提叫喊]醒我)(?<![叫喊]我)(?<!别忘了)(?<!记得)"
    r"(?:务必|一定要?|还要?|并且?|也要?)?"
    r"(?:(?:要|需要?|必须|须|得|等|让|直到|带|有)(?:我|你|他|她|本人)?(?:要|再|来|亲自|手动)?"
    r"(?:[点按]一?[下个]?)?"
    r"(?:确认|確認)(?:一下|才行|才算|才停|为止|為止|哦|的|后再停|后才停|完成|收到)?"
    r"|(?:没|未|不)有?(?:确认|確認)就?(?:一直|继续|接着|反复|别|不要)[^，,。;；!！?？]{0,8})"
    r"(?=$|[，,。;；!！\s）)])"
    r"|\b(?:keep \w+ (?:at )?(?:me )?|(?:don't|do not) (?:stop|quit) )?(?:un)?till? i(?:'ve| have)?"
    r" (?:actually |really )?confirm(?:ed)?(?: it)?\b"
    r"|\bconfirmation (?:is )?(?:needed|required)\b"
    r"|\b(?:needs?|requires?|wait for) (?:a |my )?confirmation\b"
    r"|\bi (?:must|need to|have to) confirm(?: it)?(?=\s*(?:$|[,.;!]))"
    r"|(?:make|be) sure i confirm(?: it)?\b",
    re.IGNORECASE,
)
# Wishes in few words, which the words around them drown; only where something is asked for.
SHORT_CONFIRM = re.compile(
    r"(?<!提醒我)(?<!叫我)(?<!记得)(?<!忘了)(?<![不无無没])(?:要|需要?|必须|须|得)"
    r"(?:我|他们?|她们?|佢|本人|收到|现场|大家|逐一|先|再)*"
    r"(?:回执|签收|回[复覆]|应声|答复|覆返|复述|报数)(?:一遍|一声|我)?(?:才行|才算)?(?=$|[，,。;；!！\s])|"
    r"(?:没|冇)有?人(?:[回覆应答理]|回复|回应|应声|签收)(?:我|话)?就(?:再|一直|继续|接着|打|叫|喊|找)|"
    r"(?<!no )(?<!\")\b(?:reply|sign-?off|answer) (?:is )?(?:mandatory|required|needed)\b|"
    r"\b(?:make|have) me (?:answer|reply|confirm)\b|\baccept silence\b|\bkeep (?:on )?at me\b|"
    r"\b(?:gotta|got to|has to|must) confirm(?=\s*(?:$|[,.;!]))|\d(?: ?[ap]m)?,? confirm$",
    re.IGNORECASE,
)
# "Make sure I take my pills" asks for the deed: its words ask, and wish for a confirmation.
SURE_DEED = re.compile(
    r"\b(?:make|be) sure (?:that )?i (?!remember|don't|do not|know|confirm)|\bensure (?:that )?i "
    r"|(?:务必|一定要?)?(?:确保|保证)我(?=.)",
    re.IGNORECASE,
)
SURE_REFUSAL = re.compile(
    r"(?:不用|不需要?|无需|無需|不必|别|不要|免|唔使)(?:我|你|再|点|让我){0,3}(?:確認|确认)(?:了|的)?|"
    r"\b(?:no|without(?: any)?) confirmation(?: (?:needed|required|necessary))?\b|"
    r"\b(?:stop|quit) asking (?:me )?(?:to confirm|for (?:a |my )?confirmation)\b|"
    r"\bno need (?:for me )?to confirm\b|\bconfirmation (?:is )?not (?:needed|required)\b|"
    r"\b(?:i |you )?(?:don't|do not|needn't) (?:need to |have to )?confirm\b",
    re.IGNORECASE,
)


def wish_in(text: str, parts: list[Part]) -> tuple[bool | None, str, list[Span]]:
    """Whether a confirmation is wanted, the words that say so, and what of them is sure."""
    refused = SURE_REFUSAL.search(text)
    if refused:
        return False, refused[0], [refused.span()]
    wanted = SURE_CONFIRM.search(text)
    if wanted:
        return True, wanted[0], [wanted.span()]
    found = {
        kind: [text[part.start : part.end] for part in parts if part.kind == kind]
        for kind in (CONFIRM, NO_CONFIRM)
    }
    yes, no = " ".join(found[CONFIRM]), " ".join(found[NO_CONFIRM])
    asked = any(part.kind == CONTENT for part in parts)
    if not yes and asked and (short := SHORT_CONFIRM.search(text)):
        return True, short[0], [short.span()]
    if not yes and not no:
        deed = SURE_DEED.search(text)
        return (True, deed[0], [deed.span()]) if deed else (None, "", [])
    return (True, yes, []) if len(yes) > len(no) else (False, no, [])
