"""A Clarion to look at: a household with its past, chats under load, a city with teams.

The past is not painted but lived: the same rules on a clock that is moved, with people who
answer, put off and forget. What happens after the start goes through the public doors.
"""
