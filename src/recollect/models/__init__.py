"""The only door to language models.

`writer` is what the rest of the package asks for: briefs, session digests, rolling summaries and spines. `offline` writes
them by rules, `by_model` with any model behind an OpenAI-compatible server, `hosted` the briefs with S1's hosted prompt.
`judge` is who finds memories in what is said: `judge_offline` by rules, `judge_by_model` with a model, whose replies
`judge_reply` holds against the user's words and whose cost goes to `spend`.
`openai` speaks the protocol and `reply` reads what comes back. Nothing here knows a store, a job or a user.
"""
