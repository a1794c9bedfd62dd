"""The page behind an invitation: whose contact they would be, agree or refuse, and take it back."""

from html import escape

from fastapi import APIRouter, Request, Response

from clarion.doors.http.pages.frame import browser_language, linked_page, shown
from clarion.people.invitations import Invitation, Invitations

PATH = "/i/"
WORDS = {
    "en": {
        "asks": "{who} asks for your help, {name}.",
        "what": "When {who} does not confirm something important, such as taking a medicine, you"
        " would get a message here with a link. You can always say that you can't.",
        "agree": "I agree",
        "refuse": "No, thank you",
        "agreed": "You agreed. Thank you. When it matters, you will be told here.",
        "refused": "You said no. You will not be told anything.",
        "withdraw": "I no longer want this",
        "where": "Where do you want to be told?",
        "where hint": "An address such as ntfy://my-topic or mailto://…; you are asked there once.",
        "named": "Please look there: a message asks you whether it is right.",
        "somebody": "Somebody",
    },
    "zh": {
        "asks": "{name}，{who}想请您帮忙。",
        "what": "{who}有重要的事（比如吃药）没有确认时，会在这里给您发一条带链接的消息。"
        "来不了也可以直说。",
        "agree": "我同意",
        "refuse": "不了，谢谢",
        "agreed": "您已经同意，谢谢。有事时会在这里通知您。",
        "refused": "您已经拒绝，不会再收到通知。",
        "withdraw": "我不想再收到了",
        "where": "您想在哪里收到通知？",
        "where hint": "比如 ntfy://my-topic 或 mailto://…，会先在那里问您一次。",
        "named": "请到那里看看：有一条消息问您对不对。",
        "somebody": "有人",
    },
}


def invitation_routes(invitations: Invitations) -> APIRouter:
    async def look(request: Request, token: str) -> Response:
        return page(await invitations.open(token), request)

    async def answer(request: Request, token: str, said: dict[str, str]) -> Response:
        if said.get("do") == "refuse":
            return page(await invitations.refuse(token), request)
        language, where = browser_language(request, ""), said.get("address", "")
        return page(await invitations.agree(token, language, where), request)

    return linked_page(PATH, look, answer)


def page(invited: Invitation, request: Request) -> Response:
    language = browser_language(request, invited.contact.language or invited.user.language)
    words = WORDS[language]
    contact = invited.contact
    who = escape(invited.user.name or words["somebody"])
    head = f"<h1>{words['asks'].format(who=who, name=escape(contact.name))}</h1>"
    what = f"<p>{words['what'].format(who=who)}</p>"
    return shown([head, what, *answers(invited, words)], language)


def answers(invited: Invitation, words: dict[str, str]) -> list[str]:
    contact = invited.contact
    agree = button("agree", words["agree"], "good")
    if contact.refused_at is not None:
        return [f"<p class=state>{words['refused']}</p>", agree if invited.address else ""]
    if invited.address and contact.has_agreed(invited.address):
        return [f"<p class=state>{words['agreed']}</p>", button("refuse", words["withdraw"])]
    if invited.address:
        return [agree, button("refuse", words["refuse"])]
    if contact.address:
        said = words["agreed"] if contact.has_agreed(contact.address) else words["named"]
        return [f"<p class=state>{said}</p>", button("refuse", words["refuse"])]
    where = (
        f'<form method="post"><label>{words["where"]}<input name="address" required></label>'
        f'<small>{words["where hint"]}</small><input type="hidden" name="do" value="agree">'
        f'<button class="good">{words["agree"]}</button></form>'
    )
    return [where, button("refuse", words["refuse"])]


def button(do: str, word: str, look: str = "") -> str:
    return (
        f'<form method="post"><input type="hidden" name="do" value="{do}">'
        f'<button class="{look}">{word}</button></form>'
    )
