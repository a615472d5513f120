"""The command line: one file a group of commands, `app.py` puts them together."""
