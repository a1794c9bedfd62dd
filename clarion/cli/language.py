"""`clarion when`, `answer`, `understand`: what a sentence means to Clarion, one or in bulk."""

import json
import os
import sys
from collections.abc import Callable
from datetime import datetime
from zoneinfo import ZoneInfo

import click

from clarion.base.clock import SystemClock
from clarion.base.config import parse
from clarion.settings import load


@click.command()
@click.argument("text", required=False)
@click.option("--base", help="The instant from which to read it, with offset; now by default.")
@click.option(
    "--zone", help="The person's time zone; that of --base, else CLARION_ZONE, by default."
)
@click.option(
    "--lang",
    type=click.Choice(["zh", "en"]),
    help="Language of the answer; that of TEXT by default.",
)
@click.option(
    "--jsonl", is_flag=True, help='Read lines {"text", "base", "zone"} from standard input.'
)
def when(
    text: str | None, base: str | None, zone: str | None, lang: str | None, jsonl: bool
) -> None:
    """Show when TEXT would ring, once or repeatedly, in the words that a person hears."""
    from clarion.language.batch import describe, read_line, spoken_in

    settings = load(os.environ)
    place = parse(ZoneInfo, zone, "--zone") if zone else settings.home_zone
    assert isinstance(place, ZoneInfo)
    if jsonl:
        answer_lines(lambda line: read_line(line, SystemClock().now, place))
        return
    if text is None:
        raise click.UsageError("Give a sentence, or --jsonl and lines on standard input.")
    at = _instant(base, place)
    place = place if zone else spoken_in(at, place)
    click.echo(describe(text, at.astimezone(place), place, lang=lang or ""))


def _instant(base: str | None, zone: ZoneInfo) -> datetime:
    if base is None:
        return SystemClock().now().astimezone(zone)
    try:
        at = datetime.fromisoformat(base)
    except ValueError:
        raise click.BadParameter(
            "write it as 2026-11-16T10:00:00+08:00", param_hint="--base"
        ) from None
    return at.replace(tzinfo=zone) if at.tzinfo is None else at


@click.command()
@click.argument("reply", required=False)
@click.option("--content", default="", help="What the person was reminded of.")
@click.option("--jsonl", is_flag=True, help='Read lines {"content", "reply"} from standard input.')
def answer(reply: str | None, content: str, jsonl: bool) -> None:
    """Show what REPLY means: confirmed, denied (perhaps until later), or unclear."""
    from clarion.language.batch import answer_fields, answer_line

    if jsonl:
        answer_lines(answer_line)
        return
    if reply is None:
        raise click.UsageError("Give a reply, or --jsonl and lines on standard input.")
    for name, value in answer_fields(reply, content).items():
        if value is not None:
            click.echo(f"{name:<15} {value}")


@click.command()
@click.argument("text", required=False)
@click.option("--context", default="idle", help="idle, ring:CONTENT, asked:QUESTION or after:SAID.")
@click.option(
    "--jsonl", is_flag=True, help='Read lines {"context", "utterance"} from standard input.'
)
def understand(text: str | None, context: str, jsonl: bool) -> None:
    """Show what TEXT asks for: an answer, a new reminder, a list, help, ..."""
    from clarion.language.understand import as_fields, situation_of, understand_line

    if jsonl:
        answer_lines(understand_line)
        return
    if text is None:
        raise click.UsageError("Give an utterance, or --jsonl and lines on standard input.")
    for name, value in as_fields(text, situation_of(context)).items():
        if value is not None:
            click.echo(f"{name:<15} {value}")


def answer_lines(answer_one: Callable[[str], str]) -> None:
    """One line out for each line in, as they come; a bad one gets an `error`, not silence."""
    for line in sys.stdin:
        if line.strip():
            click.echo(_guarded(answer_one, line))


def _guarded(answer_one: Callable[[str], str], line: str) -> str:
    try:
        return answer_one(line)
    except ValueError as error:
        return json.dumps({"error": str(error)}, ensure_ascii=False)
