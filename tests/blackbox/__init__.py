"""The suites that hold whatever is inside: they know the public names, HTTP, the shell and the database file."""
