"""Serves the console, the web pages at `/`. Their source is in the repository's `console/`."""
