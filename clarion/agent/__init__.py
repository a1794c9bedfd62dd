"""The planner: proposes teams for an event, and never decides. Takes no holds, writes nothing."""
