"""The only place with SQL: one schema and one set of statements on SQLite and PostgreSQL."""
