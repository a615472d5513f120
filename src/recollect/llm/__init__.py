"""The only door to language models.

`writer` is what the rest of the package asks for: briefs, session digests, rolling summaries and spines. `offline` writes
them by rules, `by_model` with any model behind an OpenAI-compatible server, `hosted` the briefs with S1's hosted prompt.
`openai` speaks the protocol and `reply` reads what comes back. Nothing here knows a store, a job or a user.
"""
