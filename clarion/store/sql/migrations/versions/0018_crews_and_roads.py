"""Crews, vehicles, shifts, positions, stations, and the facts of a team's way."""

import sqlalchemy as sa
from alembic import op

from clarion.store.sql.types import Instant, Json

revision = "0018"
down_revision = "0017"


def upgrade() -> None:
    for column in (
        sa.Column("kind", sa.Text(), nullable=False, server_default="car"),
        sa.Column("position_at", Instant(), nullable=True),
        sa.Column("accuracy_m", sa.Float(), nullable=True),
        sa.Column("station_id", sa.Text(), nullable=True),
        sa.Column("crew", Json, nullable=False, server_default="[]"),
        sa.Column("crew_min", sa.Integer(), nullable=False, server_default="0"),
        sa.Column("shifts", Json, nullable=False, server_default="[]"),
        sa.Column("rest_seconds", sa.Integer(), nullable=False, server_default="0"),
        sa.Column("rests_until", Instant(), nullable=True),
        sa.Column("mutual_aid", sa.Integer(), nullable=False, server_default="0"),
    ):
        op.add_column("rescue_teams_v2", column)
    for column in (
        sa.Column("kind", sa.Text(), nullable=False, server_default="car"),
        sa.Column("eta_source", sa.Text(), nullable=False, server_default="air"),
        sa.Column("en_route_at", Instant(), nullable=True),
        sa.Column("on_scene_at", Instant(), nullable=True),
        sa.Column("returning_at", Instant(), nullable=True),
    ):
        op.add_column("dispatch_assignments", column)
    op.create_table(
        "dispatch_stations",
        sa.Column("id", sa.Text(), primary_key=True),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("latitude", sa.Float(), nullable=False),
        sa.Column("longitude", sa.Float(), nullable=False),
        sa.Column("district", sa.Text(), nullable=False),
        sa.Column("least", Json, nullable=False),
    )
