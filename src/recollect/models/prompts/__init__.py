"""Prompts: one file for each thing that a model is asked for.

Each has a VERSION, the text, the schema of the reply where it is JSON, and `render`, which gives the messages. All pure:
no clock, no settings, nothing evaluated at import. What people said is data and is quoted as such (`transcript`). A
template language was rejected: a function shows its arguments.
"""
