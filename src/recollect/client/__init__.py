"""The client: the methods of `Memory` over HTTP, for programs that use a service instead of a database of their own.

`AsyncClient` and `Client` take the same arguments, return the same records and raise the same errors as `AsyncMemory` and
`Memory`. What concerns the process that keeps the store is done there: of `Admin`, `migrate`, `reembed`, `checks`, `judge`,
`check_token` and service keys.

Where HTTP cannot tell as much as a call in the same process:
- `HistoryEntry.entry` counts the entries of its memory, `Receipt.counts` has a 0 for what a receipt always names, averages of
  `Stats` and `ChatStats` have two digits, `Job.lease` and `.begun`, `Seed.updated_at` and `Seed.forgotten` are empty, `Token.secret_hash` too.
- `Context.pins` and `.summaries` are those for which S0's form has room.
- Ids in an address cannot hold a slash; users and keys, which are sent in headers, no line breaks.
- A question is part of an address, which servers limit to some 60,000 bytes.
- With a session's token, records other than memories have the `user` of the call as their `user_id`.

It knows the methods, whose arguments it shares, and of the service nothing but the wire. Importing it costs what importing
`Memory` costs (numpy among it, no model runtime), because the records are the engine's.
"""
