"""What the consent page says, in both languages."""

from collections.abc import Sequence

from clarion.access.tokens import Scope

WORDS: dict[str, dict[str, str]] = {
    "en": {
        "go on": "Go on",
        "refused": "This assistant cannot be connected.",
        "goes to": "The answer goes to {host}.",
        "allow": "Allow",
        "deny": "Do not allow",
        "for": "For",
        "everybody": "Everybody (as an admin)",
        "later": "You can disconnect it at any time, in the console under Assistants.",
        "read": "see reminders and how they went",
        "set": "set, change and cancel reminders",
        "confirm": "confirm reminders and put them off",
        "people": "see and change people, devices and contacts",
        "dispatch": "see and change events and teams",
        "admin": "everything else: the queue, tokens, webhooks, rules",
    },
    "zh": {
        "go on": "继续",
        "refused": "无法连接这个助手。",
        "goes to": "结果会发送到 {host}。",
        "allow": "允许",
        "deny": "不允许",
        "for": "用于",
        "everybody": "所有人（管理员）",
        "later": "随时可以在控制台的“助手”页面断开。",
        "read": "查看提醒和完成情况",
        "set": "设置、修改和取消提醒",
        "confirm": "确认和推迟提醒",
        "people": "查看和修改家人、设备和联系人",
        "dispatch": "查看和修改事件与队伍",
        "admin": "其他一切：队列、令牌、回调、规则",
    },
}
VERBS = {
    "en": {"read": "read", "set": "set", "confirm": "confirm"},
    "zh": {"read": "查看", "set": "设置", "confirm": "确认"},
}
MORE = {"en": "{name} wants access to more than reminders.", "zh": "{name} 想使用提醒以外的功能。"}


def sentence(language: str, name: str, whose: str, scopes: Sequence[Scope]) -> str:
    """“Claude wants to read and set Ana's reminders.”"""
    verbs = [VERBS[language][one] for one in scopes if one in VERBS[language]]
    if not verbs:
        return MORE[language].format(name=name)
    if language == "zh":
        return f"{name} 想{'、'.join(verbs)}{whose + '的' if whose else ''}提醒。"
    *first, last = verbs
    said = f"{', '.join(first)} and {last}" if first else last
    of = f"{whose}'s " if whose else ""
    return f"{name} wants to {said} {of}reminders."
