"""What a dispatcher sees besides the plans: coverage, past days, what-if plans."""
