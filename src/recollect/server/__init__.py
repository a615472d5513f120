"""The REST face: a router a noun, one table of errors, one gate. It translates and delegates; no rule lives here."""
