"""Joins the duties: work that only one of several servers does at a time."""

from clarion.app.parts import Parts
from clarion.base.ids import new_id
from clarion.store.sql.duties import SqlDuties
from clarion.tasks.duties import Duties


def add_duties(parts: Parts) -> Duties:
    duties = Duties(SqlDuties(parts.database), parts.clock, new_id("srv", parts.clock.now()))
    parts.duties = duties
    parts.add_pass(duties)
    parts.closing.push_async_callback(duties.resign)
    return duties
