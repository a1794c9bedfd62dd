"""A Clarion to look at: a household with its past, chats under load, a city with teams.

The history is not invented data: the real rules run on a moved clock, with simulated people who
answer, put off and forget. After the start, everything goes through the public doors.
"""
