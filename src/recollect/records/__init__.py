"""The values that everything is about: memories, messages, chats, pins, notes, todos, jobs, tools.

Frozen values with their checks and their form on the wire. Nothing here knows a clock, a file, a database or the network.
"""
