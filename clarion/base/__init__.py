"""What every row stands on: time, identity, errors, events, logs. Imports nothing of ours."""
