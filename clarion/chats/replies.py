"""The bot's own words, in Chinese and English. The Chinese of priorities is the specification's."""

from collections.abc import Mapping, Sequence

from clarion.chats.levels import CHOICES, say_level
from clarion.chats.marks import Bold, MarkedWords, joined
from clarion.chats.model import ChatId, ChatRule, Waiting


def refused(language: str) -> str:
    return "权限被拒绝" if language == "zh" else "Permission denied"


def private_usage(language: str) -> str:
    if language == "zh":
        return "❌ 私聊用法: /vip <rule_id> <priority>"
    return "❌ In private: /vip <rule_id> <priority>"


def group_usage(rule: ChatRule | None, language: str) -> str:
    now = say_level(rule.priority if rule else 10)
    if language == "zh":
        return f"当前优先级: {now}\n用法: /vip <level>，可用: {CHOICES}"
    return f"Priority now: {now}\nUsage: /vip <level>, one of: {CHOICES}"


def bad_level(word: str, language: str) -> str:
    word = word[:40]
    if language == "zh":
        return f"❌ 无效的优先级: {word}\n可用: {CHOICES}"
    return f"❌ No such priority: {word}\nOne of: {CHOICES}"


def no_such_rule(number: int, language: str) -> str:
    if language == "zh":
        return f"❌ 没有规则 #{number}。用 /list_rules 查看规则。"
    return f"❌ There is no rule #{number}. See /list_rules."


def updated(title: str, before: int, after: int, language: str) -> MarkedWords:
    level = Bold(say_level(after))
    if language == "zh":
        moved = "已提升至" if after > before else "已降低至" if after < before else "保持为"
        head = ("✅ ", Bold("配置已更新"), f"\n群组 [{title}] 优先级{moved} ")
        return joined(*head, level, "。系统缓存已刷新，即刻生效。")
    moved = "raised to" if after > before else "lowered to" if after < before else "kept at"
    head = ("✅ ", Bold("Updated"), f"\nThe priority of [{title}] was {moved} ")
    return joined(*head, level, ", effective at once.")


def rules(listed: Sequence[ChatRule], waiting: Mapping[ChatId, int], language: str) -> str:
    if not listed:
        return "还没有规则。" if language == "zh" else "There are no rules yet."
    head = "规则:" if language == "zh" else "Rules:"
    return "\n".join([head, *(_rule_line(rule, waiting, language) for rule in listed)])


def _rule_line(rule: ChatRule, waiting: Mapping[ChatId, int], language: str) -> str:
    count = waiting.get(rule.chat_id, 0)
    waits = f"等待 {count}" if language == "zh" else f"{count} waiting"
    off = "" if rule.enabled else ("（已停用）" if language == "zh" else " (off)")
    dead = ""
    if rule.dead_targets:
        words = "失效目标" if language == "zh" else "dead target"
        dead = f" · ⚠️ {words}: {', '.join(rule.dead_targets)}"
    name = rule.chat_title or rule.chat_id
    return f"#{rule.id} {name} · {say_level(rule.priority)} · {waits}{off}{dead}"


def queue(depths: Sequence[Waiting], language: str) -> str:
    if not depths:
        return "队列是空的。" if language == "zh" else "Nothing is waiting."
    head = "等待中:" if language == "zh" else "Waiting:"
    return "\n".join([head, *(_depth_line(each, language) for each in depths)])


def _depth_line(waiting: Waiting, language: str) -> str:
    age = _age(waiting.oldest_seconds, language)
    if language == "zh":
        return f"{say_level(waiting.level)}: {waiting.count} 条，最早的等了 {age}"
    return f"{say_level(waiting.level)}: {waiting.count}, the oldest for {age}"


def _age(seconds: float, language: str) -> str:
    minutes, rest = divmod(max(0, round(seconds)), 60)
    hours, minutes = divmod(minutes, 60)
    units = ("小时", "分", "秒") if language == "zh" else (" h ", " min ", " s")
    said = "".join(f"{n}{unit}" for n, unit in zip((hours, minutes, rest), units, strict=True) if n)
    return said.strip() or f"0{units[2]}"


def remind_usage(language: str) -> str:
    if language == "zh":
        return "用法: /remind 明天早上8点吃药，要确认"
    return "Usage: /remind tomorrow at 8 take the pills, make sure I do"


def help_text(language: str) -> str:
    return HELP["zh" if language == "zh" else "en"]


HELP = {
    "zh": """\
直接说“明天早上8点提醒我吃药，要确认”就可以。
/remind <什么时候做什么>  设提醒
/reminders  接下来的提醒
/cancel [编号]  取消提醒
/vip <level>  本群优先级（管理员；别名 /p、/set_priority）
/vip <rule_id> <level>  私聊中设置某条规则
/list_rules  规则与编号
/queue  队列里有多少在等""",
    "en": """\
Just say "remind me tomorrow at 8 to take the pills, make sure I do".
/remind <when and what>  set a reminder
/reminders  what comes next
/cancel [number]  cancel a reminder
/vip <level>  this chat's priority (administrators; also /p, /set_priority)
/vip <rule_id> <level>  the same for a rule, in private
/list_rules  the rules and their numbers
/queue  how much is waiting""",
}
