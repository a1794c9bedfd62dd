"""What tools take and give. Field descriptions are read by assistants: short and exact."""

from datetime import datetime
from typing import Annotated, Any, Literal
from zoneinfo import ZoneInfo

from pydantic import BaseModel, ConfigDict, Field

from clarion.people.model import User
from clarion.reminders.guarantee import Guarantee
from clarion.reminders.model import ConfirmationConfig, Reminder, Series, needs_of

Status = Literal["pending", "triggered", "confirmed", "completed", "timeout", "cancelled", "failed"]


class ToolConfirmation(BaseModel):
    """Whether the person has to say yes, and how patiently they are asked."""

    model_config = ConfigDict(extra="forbid")

    required: bool = Field(False, description="True: repeat, then tell a contact, until confirmed.")
    timeout: int = Field(300, ge=5, le=86_400, description="Seconds to wait for an answer.")
    retry_interval: int = Field(60, ge=5, le=86_400, description="Seconds until asking again.")
    max_retries: int = Field(3, ge=1, le=20, description="How often it is said before a contact.")
    confirm_keywords: list[Annotated[str, Field(min_length=1, max_length=50)]] = Field(
        default_factory=list, description="Extra words that count as yes, e.g. 吃了."
    )
    needs: Literal["", "heard", "done"] = Field(
        "",
        description="Which yes counts: heard (done or aware) or done. Left out: done for"
        " medicines, else heard.",
    )

    def config(self) -> ConfirmationConfig:
        return ConfirmationConfig(
            required=self.required,
            timeout=self.timeout,
            retry_interval=self.retry_interval,
            max_retries=self.max_retries,
            confirm_keywords=tuple(self.confirm_keywords),
            needs=self.needs,
        )


class ToolGuarantee(BaseModel):
    level: Literal["sure", "likely", "nobody", "paused"] = Field(
        description="nobody, paused: tell the person at once, and what to do."
    )
    sentence: str = Field(description="Who will hear it, by which ways.")


class ToolReminder(BaseModel):
    id: str
    user_id: str
    content: str
    trigger_at: str = Field(description="When it rings next, in the person's own zone.")
    status: Status
    attempt: int = Field(description="How often it has rung.")
    device_id: str | None
    confirmation: ToolConfirmation
    series_id: str | None
    reason: str = Field(description="Why it ended as it did.")
    version: int
    guarantee: ToolGuarantee | None = Field(None, description="Who will hear it; only in lists.")


class ToolSeries(BaseModel):
    id: str
    user_id: str
    content: str
    pattern: str
    zone: str
    enabled: bool
    next_at: str | None
    confirmation: ToolConfirmation
    version: int


class Told(BaseModel):
    """One reminder or series, and a sentence that can be said to the person as it is."""

    said: str = Field(description="Read this back: it names the time in words.")
    reminder: ToolReminder | None = None
    series: ToolSeries | None = None
    guarantee: ToolGuarantee | None = None


class Listed(BaseModel):
    said: str
    items: list[ToolReminder]
    series: list[ToolSeries] = Field(description="Recurring ones; only on the first page.")
    next_cursor: str | None = Field(description="Give it as `cursor` to read on.")


def confirmation_out(config: ConfirmationConfig, content: str) -> ToolConfirmation:
    return ToolConfirmation.model_construct(
        required=config.required,
        timeout=config.timeout,
        retry_interval=config.retry_interval,
        max_retries=config.max_retries,
        confirm_keywords=list(config.confirm_keywords),
        needs=config.needs or needs_of(content),
    )


def guarantee_out(found: Guarantee | None) -> ToolGuarantee | None:
    if found is None:
        return None
    return ToolGuarantee(level=found.level.value, sentence=found.sentence)


def local(at: datetime | None, zone: str) -> str | None:
    return at.astimezone(ZoneInfo(zone)).isoformat(timespec="seconds") if at else None


def reminder_out(reminder: Reminder, user: User, heard: Guarantee | None = None) -> ToolReminder:
    return ToolReminder(
        id=reminder.id,
        user_id=reminder.user_id,
        content=reminder.content,
        trigger_at=local(reminder.trigger_at, user.zone) or "",
        status=reminder.status.value,
        attempt=reminder.attempt,
        device_id=reminder.device_id,
        confirmation=confirmation_out(reminder.confirmation, reminder.content),
        series_id=reminder.series_id,
        reason=reminder.reason,
        version=reminder.version,
        guarantee=guarantee_out(heard),
    )


def series_out(series: Series) -> ToolSeries:
    return ToolSeries(
        id=series.id,
        user_id=series.user_id,
        content=series.content,
        pattern=series.pattern,
        zone=series.zone,
        enabled=series.enabled,
        next_at=local(series.next_at, series.zone),
        confirmation=confirmation_out(series.confirmation, series.content),
        version=series.version,
    )


def dumped(out: BaseModel) -> dict[str, Any]:
    return out.model_dump(mode="json")
