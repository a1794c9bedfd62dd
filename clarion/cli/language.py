"""`clarion answer`: what a reply was understood to mean; one sentence, or lines in bulk."""

import json
import sys
from collections.abc import Callable

import click


@click.command()
@click.argument("reply", required=False)
@click.option("--content", default="", help="What the person was reminded of.")
@click.option("--jsonl", is_flag=True, help='Read lines {"content", "reply"} from standard input.')
def answer(reply: str | None, content: str, jsonl: bool) -> None:
    """Say what REPLY means: confirmed, denied (perhaps until later), or unclear."""
    from clarion.language.answer.batch import answer_line, as_fields

    if jsonl:
        answer_lines(answer_line)
        return
    if reply is None:
        raise click.UsageError("Give a reply, or --jsonl and lines on standard input.")
    for name, value in as_fields(reply, content).items():
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
