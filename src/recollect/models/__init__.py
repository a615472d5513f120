"""Everything that talks to a language model or an embedding server.

`writer` makes summaries and `judge` proposes memories, each by rules or with a model; `judge_reply` checks a model's proposals
against the user's words. `openai` speaks the protocol over `endpoint`, `reply` reads answers, `relay` passes requests of
other clients on, and `heard` reads those answers as they pass. `embedders` opens the embedding models. Nothing here knows
the store, jobs or users.
"""
