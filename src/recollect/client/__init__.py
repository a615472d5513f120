"""The client: the methods of `Memory` over HTTP, for programs that use a service instead of their own database.

`AsyncClient` and `Client` take the same arguments, return the same records and raise the same errors as `AsyncMemory` and
`Memory`. These parts of `Admin` need the database itself and do not work over HTTP: `migrate`, `reembed`, `checks`, `judge`,
`check_token` and service keys.

HTTP differs from a call in the same process as follows:
- `HistoryEntry.entry` counts the entries of its memory; `Receipt.counts` has a 0 for counts that a receipt always has;
  averages in `Stats` and `ChatStats` have two decimal places; `Job.lease`, `Job.begun`, `Seed.updated_at`,
  `Seed.forgotten` and `Token.secret_hash` are empty.
- `Context.pins` and `.summaries` contain only what fits S0's form.
- Ids in a URL cannot contain a slash; users and keys, which are sent in headers, cannot contain line breaks.
- A question is part of the URL, which servers limit to about 60,000 bytes.
- With a session token, records other than memories have the call's `user` as their `user_id`.

The client shares the methods' arguments, and knows only the service's wire format. Importing it costs as much as importing
`Memory` (numpy, but no model runtime), because it uses the engine's records.
"""
