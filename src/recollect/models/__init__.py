"""Clients for language models and embedding servers.

`writer` makes summaries and `judge` proposes memories, each by rules or with a model; `judge_reply` checks a model's proposals
against the user's words. `openai` speaks the protocol over `endpoint`, `reply` reads answers, `relay` passes requests of
other clients on, and `heard` reads those answers as they pass. `embedders` opens the embedding models. Nothing here uses
the store, jobs or users.
"""
