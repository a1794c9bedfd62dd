"""A second opinion on replies that the reader could not read; it is believed only so far.

It never hears about what rules and model have decided. Its CONFIRMED counts only if the reply holds
no instruction, neither rules nor model saw a reason against it, and the verdict quotes words of
the reply that could be a yes to us as well. A hostile endpoint can so at most be unhelpful.
"""

import logging
import re
from typing import Final

from clarion.base.errors import ClarionError
from clarion.language.answer.model import Answer, Label
from clarion.language.answer.reader import corroborates, kind_of, leaves_room
from clarion.language.script import fold
from clarion.llm.client import LlmClient
from clarion.llm.prompts import JUDGE, VERDICT, asked

log = logging.getLogger(__name__)

REPLY_CHARACTERS_MAX: Final = 300  # longer text leaves room for manipulation

_INSTRUCTS: Final = re.compile(
    r"ignore|disregard|override|instruct|prompt|system|assistant|output|respond|"
    r"(?:reply|answer) with|"
    r"print|return|json|confirmed|denied|unclear|label|verdict|evidence|pretend|you are|act as|"
    r"mark (?:it|this|that|as)|set (?:it|this|the)|jailbreak|developer|admin|role|"
    r"忽略|无视|忘记(?:之前|以上|前面)|指令|提示词|系统|输出|标签|判定|判断|判为|确认为|标记|标为|"
    r"扮演|假装|你是|你现在是|回答.{0,4}确认|设为|视为|当作|改成|管理员|开发者|模式|规则|要求你|"
    r"必须(?:回答|输出|返回)|返回|[{}<>`\[\]\\|=]"
)


class LlmJudge:
    def __init__(self, client: LlmClient) -> None:
        self._client = client

    async def judge(self, reply: str, content: str, read: Answer) -> Answer | None:
        text = fold(reply)
        if read.label is not Label.UNCLEAR or not _is_judgeable(text):
            return None
        try:
            verdict = await self._client.fill(
                "judge", asked(JUDGE, reminder=content, reply=reply.strip()), VERDICT
            )
        except ClarionError:
            return None
        label = Label(verdict["label"])
        evidence = fold(verdict["evidence"])
        if label is Label.UNCLEAR or not evidence or evidence not in text:
            return None
        if label is Label.CONFIRMED and not _is_sound(text, content, verdict, evidence):
            log.info("a confirming verdict was not believed")
            return None
        kind = kind_of(text, content, label)
        return Answer(label, f"“{evidence}”: the LLM's opinion", kind=kind)


def _is_judgeable(text: str) -> bool:
    return (
        any(letter.isalpha() for letter in text)
        and len(text) <= REPLY_CHARACTERS_MAX
        and _INSTRUCTS.search(text) is None
    )


def _is_sound(text: str, content: str, verdict: dict[str, object], evidence: str) -> bool:
    return (
        verdict["certain"] is True
        and verdict["about_this_task"] is True
        and leaves_room(text, content)
        and corroborates(evidence, content)
    )
