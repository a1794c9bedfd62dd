"""The parts of a plan: rules, needs, teams on duty, travel times, and the choice."""
