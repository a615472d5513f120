"""The records: memories, messages, chats, pins, notes, todos, jobs and tools.

Frozen values with their checks and wire formats. Nothing here uses a clock, a file, a database or the network.
"""
