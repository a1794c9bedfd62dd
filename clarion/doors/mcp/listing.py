"""What `tools/list` shows: schemas without padding, and for a voice six tools in Chinese.

A host reads the whole list to its model in every conversation, so each letter is paid for again
and again. What is taken out is what no model needs: titles that repeat a name, empty defaults,
and the insides of results.
"""

from inspect import cleandoc
from typing import Any

Tool = dict[str, Any]
Schema = dict[str, Any]

VOICE = "voice"
EXPLAINS = "reminder_create"

VOICE_TOOLS: dict[str, tuple[str, dict[str, str]]] = {
    "reminder_create_natural": (
        "设置提醒。用户说“提醒我……”“……叫我”时使用，把用户的原话原样传入，不要改写时间。"
        "例如 text=“明天早上8点提醒我吃药，要确认”。成功后把 said 念给用户听；"
        "缺少时间时，问用户什么时候，再调用一次。",
        {"text": "用户的原话，包括时间和要做的事"},
    ),
    "reminder_list": (
        "查看提醒。用户问“今天有什么安排”“我有哪些提醒”时使用，也用来查找其他工具需要的编号。",
        {"status": "只看这些状态；还没结束的是 pending 和 triggered"},
    ),
    "reminder_confirm": (
        "确认提醒已完成。只有用户明确说做完了（“吃了”“做好了”）才能使用；“等一下”“可能”不算。",
        {"reminder_id": "提醒的编号 rem_…，由 reminder_list 给出"},
    ),
    "reminder_snooze": (
        "推迟提醒。用户说“等一下”“半小时后再说”时使用，不给时长就是十分钟后。",
        {"reminder_id": "提醒的编号 rem_…", "duration": "推迟多少秒，五分钟是 300"},
    ),
    "reminder_cancel": (
        "取消一个提醒（rem_…），或结束整个重复提醒（ser_…）。不清楚是哪一个时先问用户。",
        {"reminder_id": "编号 rem_… 或 ser_…"},
    ),
    "reminder_get": (
        "查看一个提醒的详情：什么时候响，有没有确认。",
        {"reminder_id": "编号 rem_… 或 ser_…"},
    ),
}
"""Name to description and to the arguments that a voice may give, with theirs."""


def compact(tool: Tool) -> Tool:
    """The same tool in fewer letters. What it takes is unchanged."""
    schema = plain(tool["inputSchema"])
    if tool["name"] != EXPLAINS:
        schema["properties"] = {
            name: without_words(one) for name, one in schema["properties"].items()
        }
    made = {**tool, "description": cleandoc(tool["description"]), "inputSchema": schema}
    if "outputSchema" in tool:
        made["outputSchema"] = shallow(tool["outputSchema"])
    return made


def without_words(field: Schema) -> Schema:
    """A field of fields is shown once, in the tool that most begin with."""
    if "properties" not in field:
        return field
    return {"type": "object", "description": f"As in {EXPLAINS}."}


def voiced(tools: list[Tool]) -> list[Tool]:
    """Those that a voice needs, with nothing that it cannot fill in."""
    by_name = {tool["name"]: tool for tool in tools}
    made = []
    for name, (description, arguments) in VOICE_TOOLS.items():
        if name not in by_name:
            continue
        schema = plain(by_name[name]["inputSchema"])
        properties = {
            argument: {**schema["properties"][argument], "description": said}
            for argument, said in arguments.items()
        }
        needed = [one for one in schema.get("required", []) if one in properties]
        taken: Schema = {"type": "object", "properties": properties}
        if needed:
            taken["required"] = needed
        made.append({"name": name, "description": description, "inputSchema": taken})
    return made


def plain(schema: Schema) -> Schema:
    """References filled in, titles and empty defaults left out, `null` not offered."""
    filled = _filled(schema, schema.get("$defs", {}))
    assert isinstance(filled, dict)
    return filled


def _filled(node: Any, known: dict[str, Any]) -> Any:
    if isinstance(node, list):
        return [_filled(one, known) for one in node]
    if not isinstance(node, dict):
        return node
    if "$ref" in node:
        found = known[node["$ref"].rpartition("/")[2]]
        rest = {name: one for name, one in node.items() if name != "$ref"}
        return _filled({**found, **rest}, known)
    if "anyOf" in node:
        choices = [one for one in node["anyOf"] if one != {"type": "null"}]
        if len(choices) == 1:
            rest = {name: one for name, one in node.items() if name != "anyOf"}
            return _filled({**choices[0], **rest}, known)
    made = {}
    for name, one in node.items():
        if name == "properties":
            made[name] = {key: _filled(value, known) for key, value in one.items()}
        elif not _is_padding(name, one):
            made[name] = _filled(one, known)
    return made


def _is_padding(name: str, value: Any) -> bool:
    return name in ("$defs", "title") or (name == "default" and value in ("", None, []))


def shallow(schema: Schema) -> Schema:
    """The kinds of the fields that every result has; what is inside, and the rest, shows itself."""
    needed = schema.get("required", [])
    properties = {}
    for name in needed:
        one = schema["properties"][name]
        kinds = [choice.get("type", "object") for choice in one.get("anyOf", [one])]
        properties[name] = {"type": kinds[0] if len(kinds) == 1 else kinds}
    return {"type": "object", "properties": properties, "required": needed}
