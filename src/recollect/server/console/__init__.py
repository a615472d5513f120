"""The console: the web pages at `/`. Their source is in `console/` of the repository; here they are served."""
