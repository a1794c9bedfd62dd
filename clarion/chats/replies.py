"""The bot's own words, in Chinese and English. The Chinese of priorities is the specification's."""

from collections.abc import Mapping, Sequence

from clarion.chats.levels import CHOICES, say_level
from clarion.chats.marks import Bold, MarkedWords, joined
from clarion.chats.model import ChatId, ChatPlace, ChatRule, Filters, Waiting


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


def forwarding(rule: ChatRule | None, language: str) -> str:
    zh = language == "zh"
    if rule is None or not rule.targets:
        head = "本群的消息不转发。" if zh else "Messages of this chat go nowhere else."
        return f"{head}\n{'用法' if zh else 'Usage'}: /forward <chat id> ..."
    to = ", ".join(rule.targets)
    if not rule.enabled:
        off = (
            "❗ 已停用，用 /forward on 启用。目标"
            if zh
            else "❗ Off; /forward on switches it on. Targets"
        )
        return f"{off}: {to}\n{filtering(rule.filters, language)}"
    head = f"✅ 转发到: {to}" if zh else f"✅ Forwarded to: {to}"
    return f"{head}\n{filtering(rule.filters, language)}"


FILTER_NAMES = {
    "zh": {
        "words": "含",
        "without": "不含",
        "patterns": "匹配",
        "senders": "来自",
        "kinds": "类型",
    },
    "en": {
        "words": "with",
        "without": "without",
        "patterns": "matching",
        "senders": "from",
        "kinds": "kinds",
    },
}


def filtering(filters: Filters, language: str) -> str:
    names = FILTER_NAMES["zh" if language == "zh" else "en"]
    found = [
        f"{name}: {', '.join(getattr(filters, field))}"
        for field, name in names.items()
        if getattr(filters, field)
    ]
    if found:
        return "\n".join(found)
    return "没有过滤，全部转发。" if language == "zh" else "No filter: everything is forwarded."


def filter_usage(language: str) -> str:
    usage = "/filter words|without|pattern|senders|kinds <…>\n/filter try <text>\n/filter clear"
    return f"{'用法' if language == 'zh' else 'Usage'}: {usage}"


def share(rule: ChatRule | None, language: str) -> str:
    """How much of the queue the chat may use before it waits behind itself."""
    weight = None if rule is None else rule.weight
    if language == "zh":
        said = "由优先级决定" if weight is None else f"{weight:g}"
        return f"本聊天的份额: {said}。\n{share_usage(language)}"
    said = "as its priority says" if weight is None else f"{weight:g}"
    return f"This chat's share: {said}.\n{share_usage(language)}"


def share_usage(language: str) -> str:
    return f"{'用法' if language == 'zh' else 'Usage'}: /share <0.1–100>|auto"


def tried(targets: Sequence[ChatId], language: str) -> str:
    """What a dry run found; nothing is sent."""
    if targets:
        to = ", ".join(targets)
        return f"会转发到: {to}" if language == "zh" else f"It would go to: {to}"
    return "会被过滤，不转发。" if language == "zh" else "It would be filtered out."


def own_id(chat_id: ChatId, language: str) -> str:
    return f"本聊天的编号: {chat_id}" if language == "zh" else f"The id of this chat: {chat_id}"


def not_yours(chat_id: ChatId, language: str) -> str:
    if chat_id.partition(":")[2].startswith("@"):
        if language == "zh":
            return f"❌ 请用聊天的编号，不要用名字（{chat_id}）。在目标聊天里发 /forward 就能看到。"
        return f"❌ Chats have ids here, not names ({chat_id}). /forward, sent there, tells it."
    if language == "zh":
        return f"❌ 您不是 {chat_id} 的管理员。"
    return f"❌ You are no administrator of {chat_id}."


def queue(depths: Sequence[Waiting], language: str) -> str:
    if not depths:
        return "队列是空的。" if language == "zh" else "Nothing is waiting."
    head = "等待中:" if language == "zh" else "Waiting:"
    return "\n".join([head, *(_depth_line(each, language) for each in depths)])


def why(place: ChatPlace, language: str) -> str:
    """Why what waits in this chat has not begun."""
    zh = language == "zh"
    level = say_level(place.priority)
    head = f"本聊天的优先级: {level}。" if zh else f"This chat's priority: {level}."
    if not place.waiting:
        return head + ("没有消息在等。" if zh else " Nothing waits here.")
    age = _age(place.oldest_seconds, language)
    waits = (
        f"有 {place.waiting} 条消息在等，最早的等了 {age}。"
        if zh
        else f" {place.waiting} waiting, the oldest for {age}."
    )
    if place.paused:
        return head + waits + ("消息队列暂停了。" if zh else " The queue of messages is paused.")
    ahead = f"前面有 {place.ahead} 个任务" if zh else f" {place.ahead} tasks are before it"
    if place.seconds is None:
        return head + waits + ahead + ("。" if zh else ".")
    soon = _age(max(1.0, place.seconds), language)
    return head + waits + ahead + (f"，大约 {soon}后轮到。" if zh else f": about {soon} more.")


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
/oncall  现在谁值班，下一位是谁
/vip <level>  本群优先级（管理员；别名 /p、/set_priority）
/vip <rule_id> <level>  私聊中设置某条规则
/forward <chat id> …  转发本群消息（管理员）；/forward off|on|none
/filter …  转发哪些；/filter try <文字> 试一下
/share <数字>  本群在队列里的份额（管理员）
/list_rules  规则与编号
/queue  队列里有多少在等
/why  为什么还没轮到这里""",
    "en": """\
Just say "remind me tomorrow at 8 to take the pills, make sure I do".
/remind <when and what>  set a reminder
/reminders  what comes next
/cancel [number]  cancel a reminder
/oncall  who is on call now, and who is next
/vip <level>  this chat's priority (administrators; also /p, /set_priority)
/vip <rule_id> <level>  the same for a rule, in private
/forward <chat id> ...  pass this chat's messages on (administrators); /forward off|on|none
/filter ...  which of them; /filter try <text> tries it out
/share <number>  how much of the queue this chat may use (administrators)
/list_rules  the rules and their numbers
/queue  how much is waiting
/why  why it is not this chat's turn yet""",
}
