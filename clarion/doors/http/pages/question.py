"""The page behind the link of a question: who asks, what, and a button for each answer."""

from html import escape

from fastapi import APIRouter, Request, Response

from clarion.doors.http.pages.frame import browser_language, linked_page, shown
from clarion.questions.model import QuestionStatus
from clarion.questions.service import OpenedQuestion, Questions

PATH = "/q/"
WORDS = {
    "en": {
        "asks": "{who} asks you, {name}:",
        "answered": "{by} answered: {answer}",
        "expired": "The time for an answer is over.",
        "cancelled": "The question was taken back.",
    },
    "zh": {
        "asks": "{name}，{who}想问您：",
        "answered": "{by}已经回答：{answer}",
        "expired": "回答的时间已经过了。",
        "cancelled": "这个问题已经收回。",
    },
}


def question_page_routes(questions: Questions) -> APIRouter:
    async def look(request: Request, token: str) -> Response:
        return page(await questions.open(token), request)

    async def answer(request: Request, token: str, said: dict[str, str]) -> Response:
        return page(await questions.answer(token, said.get("answer", "")), request)

    return linked_page(PATH, look, answer)


def page(seen: OpenedQuestion, request: Request) -> Response:
    question = seen.question
    language = browser_language(request, seen.contact.language or seen.asker.language)
    words = WORDS[language]
    who, name = escape(seen.asker.name or seen.asker.id), escape(seen.contact.name)
    parts = [
        f"<p>{words['asks'].format(who=who, name=name)}</p>",
        f"<h1>{escape(question.text)}</h1>",
    ]
    if question.status is QuestionStatus.ANSWERED:
        by, said = escape(seen.answered_by), escape(question.answer or "")
        parts.append(f"<p class=state>{words['answered'].format(by=by, answer=said)}</p>")
    elif not question.is_open:
        parts.append(f"<p class=state>{words[question.status.value]}</p>")
    else:
        parts += [
            f'<form method="post"><button class="on" name="answer" value="{escape(one)}">'
            f"{escape(one)}</button></form>"
            for one in question.answers
        ]
    return shown(parts, language, stays_live=True)
