"""Tests of the store: one contract, on SQLite and on PostgreSQL, and what each of them promises beyond it."""
