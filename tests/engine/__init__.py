"""Tests of the engine's verbs: real SQLite, real PostgreSQL where it matters; only the model and the clock are fakes."""
