"""Rules that repeat: days, cron, RRULE, their next times and their words."""
