"""Every metric, under the specifications' exact names and beside them in proper types.

What concerns the whole of Clarion (how much is pending, how well it goes) is read from the
database and is the same on every server: take the maximum over servers. Counters and histograms
count what this process did: take the sum.
"""

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.process_collector import ProcessCollector

SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60)
LATENESS = (0.01, 0.05, 0.1, 0.5, 1, 2, 5, 10, 30, 60, 300, 1800)
SIZES = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)
CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"

# What an event of the log counts as: its metric's label.
RINGS = {
    "reminder.triggered": "fired",
    "ring.sent": "sent",
    "ring.delivered": "delivered",
    "ring.heard": "heard",
    "ring.answered": "answered",
    "ring.unreachable": "unreachable",
}
ENDS = {
    "reminder.confirmed": "confirmed",
    "reminder.completed": "completed",
    "reminder.timeout": "timeout",
    "reminder.failed": "failed",
    "reminder.cancelled": "cancelled",
}

YES = {"reminder.confirmed": "done", "reminder.promised": "promised"}


class Instruments:
    """One registry a process: nothing global, so that tests can have several."""

    def __init__(self) -> None:
        self.registry = registry = CollectorRegistry()
        ProcessCollector(registry=registry)
        self._whole(registry)
        self._reminders(registry)
        self._work(registry)
        self._outside(registry)
        self._dispatch(registry)

    def _whole(self, registry: CollectorRegistry) -> None:
        """The specification's table, read from the database."""

        def gauge(name: str, words: str, *labels: str) -> Gauge:
            return Gauge(name, words, labels, registry=registry)

        self.pending = gauge("reminder_pending", "Reminders that wait for their time.")
        self.success_rate = gauge(
            "trigger_success_rate", "Share of the last hour's rings that a device took, 0 to 1."
        )
        self.confirm_rate = gauge(
            "confirm_rate", "Share confirmed of the last day's reminders that had to be, 0 to 1."
        )
        self.retry_count = gauge(
            "retry_count", "Rings a reminder needed at the most, of those that ended last hour."
        )
        self.latency = gauge(
            "trigger_latency", "Seconds after its time that the last hour's rings fired, p95."
        )
        self.dead = gauge("dead_queue_size", "Tasks that failed for good and wait for a person.")
        self.waiting = gauge("clarion_tasks_waiting", "Tasks that are due and wait.", "level")
        self.oldest = gauge(
            "clarion_tasks_oldest_seconds", "How long the longest waiting task waits.", "level"
        )
        self.looked_at = gauge(
            "clarion_census_timestamp_seconds", "When the numbers of the whole were last read."
        )
        self.degraded = gauge("clarion_degraded", "1 while Redis is set and /health finds it away.")

    def _reminders(self, registry: CollectorRegistry) -> None:
        self.rings = Counter("clarion_rings", "Facts about rings.", ["fact"], registry=registry)
        self.ends = Counter(
            "clarion_reminders_ended", "How they ended.", ["how"], registry=registry
        )
        self.yes = Counter(
            "clarion_yes", "What people said: done, heard, promised.", ["kind"], registry=registry
        )
        self.events = Counter("clarion_events", "Written to the log.", ["kind"], registry=registry)
        self.lateness = Histogram(
            "clarion_trigger_latency_seconds",
            "From its time to the ring.",
            buckets=LATENESS,
            registry=registry,
        )

    def _work(self, registry: CollectorRegistry) -> None:
        self.tasks = Counter(
            "clarion_tasks", "Tasks carried out.", ["kind", "outcome"], registry=registry
        )
        self.restarts = Counter(
            "clarion_restarts",
            "Parts that died or failed and went on.",
            ["part"],
            registry=registry,
        )
        self.slots = Gauge(
            "clarion_slots", "Slots of workers.", ["lane", "state"], registry=registry
        )
        self.requests = Histogram(
            "clarion_http_request_seconds",
            "Requests answered.",
            ["method", "route", "status"],
            buckets=SECONDS,
            registry=registry,
        )
        self.commits = Histogram(
            "clarion_commit_callers", "Callers in one commit.", buckets=SIZES, registry=registry
        )
        self.llm = Histogram(
            "clarion_llm_call_seconds",
            "Calls to the language model.",
            ["purpose", "outcome"],
            buckets=SECONDS,
            registry=registry,
        )
        self.tokens = Counter("clarion_llm_tokens", "Used.", ["direction"], registry=registry)
        self.speech = Histogram(
            "clarion_device_seconds",
            "How long devices took to wake, and speech to be made.",
            ["step"],
            buckets=SECONDS,
            registry=registry,
        )

    def _outside(self, registry: CollectorRegistry) -> None:
        def gauge(name: str, words: str, label: str) -> Gauge:
            return Gauge(name, words, [label], registry=registry)

        self.outside_up = gauge(
            "clarion_outside_up", "1 while a service outside can be reached.", "service"
        )
        self.platform_success = gauge(
            "clarion_platform_success_timestamp_seconds",
            "When a chat platform last answered.",
            "platform",
        )
        self.platform_breaker = gauge(
            "clarion_platform_breaker_open", "1 while a chat platform is left alone.", "platform"
        )
        self.platform_conflicts = gauge(
            "clarion_platform_conflicts",
            "How often another program took a bot's updates.",
            "platform",
        )
        self.chat_backlog = gauge(
            "clarion_chat_backlog", "Messages that wait to be handled or sent.", "direction"
        )

    def _dispatch(self, registry: CollectorRegistry) -> None:
        names = {
            "ai_resource_lock_acquired_total": "Holds on teams that were granted.",
            "ai_resource_lock_failed_total": "Holds that were refused.",
            "ai_resource_lock_timeout_total": "Holds that ran out before the commit.",
            "ai_redis_fallback_total": "Times the database stood in for Redis.",
        }
        self._counters = {
            name: Counter(name.removesuffix("_total"), words, registry=registry)
            for name, words in names.items()
        }

    def count(self, name: str, amount: int = 1) -> None:
        """Dispatch counts its holds by the specification's names."""
        if name in self._counters:
            self._counters[name].inc(amount)

    def timed(self, method: str, route: str, status: int, seconds: float) -> None:
        self.requests.labels(method, route, str(status)).observe(seconds)

    def happened(self, news: str) -> None:
        """Hear `events.HAPPENED`: kinds, some with a lateness or with which yes it was."""
        for word in news.split():
            kind, _, late = word.partition("=")
            if kind in YES:
                self.yes.labels(late or YES[kind]).inc()
            self.events.labels(kind).inc()
            if fact := RINGS.get(kind):
                self.rings.labels(fact).inc()
            if end := ENDS.get(kind):
                self.ends.labels(end).inc()
            if kind == "reminder.triggered" and late:
                self.lateness.observe(max(0.0, float(late)))

    def llm_call(
        self, purpose: str, outcome: str, seconds: float, tokens_in: int, tokens_out: int
    ) -> None:
        self.llm.labels(purpose, outcome).observe(seconds)
        self.tokens.labels("in").inc(tokens_in)
        self.tokens.labels("out").inc(tokens_out)

    def rendered(self) -> bytes:
        return generate_latest(self.registry)
