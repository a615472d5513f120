"""The curator: what should be tidied in a user's memories, decided by rules, as data.

`plan` looks at memories with their nearest neighbours and returns steps with reasons; nothing here finds, stores or changes
anything. It never touches a pinned memory, never folds two that say different things, and never archives identity or
relationships.
"""
