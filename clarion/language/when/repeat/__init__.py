"""What happens again, and when next: days, times, cron and RRULE behind one type."""
